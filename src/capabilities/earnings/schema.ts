// Queries, bodies and answers of the earnings routes: the check, the types and the documentation in one place.
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { BULK_TICKERS_MAX } from "../../limits.ts";
import { bulkAnswer, listFields } from "../../market/answer-fields.ts";
import {
  asOfField,
  dateField,
  flag,
  forceRefresh,
  oneOf,
  tickerArray,
  tickerField,
  wholeNumber,
} from "../../market/params.ts";

const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const text = (description: string) => orNull(Type.String({ description }));
const number = (description: string) => orNull(Type.Number({ description }));

/** Quarters of a surprise answer, rows of a company's calendar, rows of the market's. */
export const QUARTERS = { most: 80, preset: 8 };
export const ROWS = { most: 200, preset: 20 };
export const MARKET_ROWS = { most: 5_000, preset: 1_000 };

const limitOf = ({ most, preset }: typeof ROWS, description: string) =>
  Type.Optional(wholeNumber(description, { minimum: 1, maximum: most, default: preset }));

const format = Type.Optional(
  oneOf(
    ["json", "ndjson", "csv", "parquet"],
    "Shape of the answer; ndjson, csv and parquet have one row per report. The Accept header does the same.",
  ),
);
const as_of = Type.Optional(asOfField);

export const SymbolPath = Type.Object({ symbol: tickerField() });
export const TickerPath = Type.Object({ ticker: tickerField() });

export const SurpriseQuery = Type.Object({
  limit: limitOf(QUARTERS, "Quarters at most, the newest first."),
  as_of,
  force_refresh: Type.Optional(forceRefresh),
  format,
});

const span = {
  from_date: Type.Optional(dateField("First report day, inclusive.", "2026-01-01")),
  to_date: Type.Optional(dateField("Last report day, inclusive.", "2026-12-31")),
  limit: limitOf(ROWS, "Reports of a ticker at most, the latest first."),
  include_past: Type.Optional(flag("Reports before today too.", true)),
  as_of,
  force_refresh: Type.Optional(forceRefresh),
};

export const CalendarQuery = Type.Object({ ...span, format });
export const BulkCalendarRequest = Type.Object({ tickers: tickerArray(BULK_TICKERS_MAX), ...span });

export const MarketQuery = Type.Object({
  date: Type.Optional(dateField("One day; not together with from_date and to_date. Default: today.")),
  from_date: Type.Optional(dateField("First day, inclusive; needs to_date.", "2026-09-01")),
  to_date: Type.Optional(dateField("Last day, inclusive; at most 31 days in all.", "2026-09-14")),
  limit: limitOf(MARKET_ROWS, "Rows at most."),
  offset: Type.Optional(wholeNumber("Rows to skip.", { minimum: 0, default: 0 })),
  as_of,
  force_refresh: Type.Optional(forceRefresh),
  format,
});

const report_time = oneOf(
  ["bmo", "amc", "unknown"],
  "When in the day: bmo before the open, amc after the close, in New York.",
);
const quarterEnd =
  "Last day of the month in which the fiscal quarter ends, YYYY-MM-DD: the provider names the month alone, the statements have the day.";

export const SurpriseRow = Type.Object({
  fiscal_period: text(
    "The company's own label, such as 2026Q2, by the calendar year in which its fiscal year ends; null where its year end is not known.",
  ),
  fiscal_quarter_end: Type.String({ description: quarterEnd }),
  report_date: text("New York day of the report, YYYY-MM-DD."),
  report_time,
  eps_actual: number("Dollars a share as the provider has it, on the share basis of known_at."),
  eps_estimate: number("The analysts' consensus before the report, dollars a share."),
  surprise: number("eps_actual - eps_estimate."),
  surprise_percent: number("In percent points of the estimate's size; null where that is 0."),
  result: orNull(oneOf(["beat", "miss", "meet"], "Null where one of the two is not known.")),
  known_at: Type.String({ description: "When this was read, RFC 3339 UTC." }),
  source: Type.String({ description: "Who said so." }),
});

export const SurpriseResponse = Type.Object({
  symbol: Type.String({ description: "As you sent it." }),
  count: Type.Integer({ description: "Quarters in this answer." }),
  streak: Type.Object(
    {
      type: oneOf(["beat", "miss", "none"], "Of the newest quarter; none when it met, or is not known."),
      length: Type.Integer({
        description: "Quarters in a row over all that are stored; a missing quarter ends it.",
      }),
    },
    { description: "Counted from the newest quarter." },
  ),
  beat_rate: number("Beats among the quarters of this answer whose result is known, 0 to 1."),
  avg_surprise_percent: number("Mean of the known surprise_percent of this answer, percent points."),
  as_of: text("The moment asked for, RFC 3339 UTC; null: now."),
  last_updated: text("When the provider was last asked, RFC 3339 UTC; null: not for this answer."),
  warnings: Type.Array(Type.String(), { description: "What is missing or old, and why." }),
  data: Type.Array(SurpriseRow, { description: "Newest quarter first." }),
});
export type SurpriseResponse = Static<typeof SurpriseResponse>;

export const Report = Type.Object({
  ticker: Type.String({ description: "As you sent it; on the market's calendar the canonical symbol." }),
  report_date: Type.String({
    description: "New York day of the report, YYYY-MM-DD; of a window its first day.",
  }),
  report_date_end: text("Last day, where the provider gives a window."),
  report_time,
  fiscal_quarter_end: text(quarterEnd),
  name: text("The company as the calendar writes it."),
  eps_estimate: number("Consensus, dollars a share."),
  eps_actual: number("As reported, dollars a share."),
  eps_last_year: number("Of the same quarter a year before, dollars a share."),
  revenue_estimate: number("Consensus in whole units of the company's currency; Yahoo alone has it."),
  estimate_count: orNull(Type.Integer({ description: "How many estimates are in it." })),
  is_confirmed: orNull(
    Type.Boolean({
      description: "Whether a provider says the day is no estimate; null where none says.",
    }),
  ),
  other_dates: Type.Array(
    Type.Object({
      report_date: Type.String({ description: "New York day, YYYY-MM-DD." }),
      source: Type.String({ description: "Who named it." }),
    }),
    { description: "Other days that are named for the same report, and by whom." },
  ),
  known_at: Type.String({ description: "When the newest part of this was read, RFC 3339 UTC." }),
  source: Type.String({ description: "Who named the day." }),
});
export type Report = Static<typeof Report>;

export const CalendarResponse = Type.Object({
  ticker: Type.String({ description: "As you sent it." }),
  next: Type.Union([Report, Type.Null()], {
    description: "The earliest report of today or later; null where none is known.",
  }),
  count: Type.Integer({ description: "Reports in this answer." }),
  as_of: text("The moment asked for, RFC 3339 UTC; null: now."),
  warnings: Type.Array(Type.String(), { description: "What is missing or old, and why." }),
  data: Type.Array(Report, { description: "The latest report first." }),
});
export type CalendarResponse = Static<typeof CalendarResponse>;

export const BulkCalendarResponse = bulkAnswer(CalendarResponse);
export type BulkCalendarResponse = Static<typeof BulkCalendarResponse>;

export const MarketResponse = Type.Object({
  from_date: Type.String({ description: "First day of the span, YYYY-MM-DD." }),
  to_date: Type.String({ description: "Last day of the span, YYYY-MM-DD." }),
  ...listFields,
  as_of: text("The moment asked for, RFC 3339 UTC; null: now."),
  warnings: Type.Array(Type.String(), { description: "What is missing or old, and why." }),
  data: Type.Array(Report, { description: "By day, then symbol." }),
});
export type MarketResponse = Static<typeof MarketResponse>;

export type SurpriseAsk = Omit<Static<typeof SurpriseQuery>, "format">;
export type CalendarAsk = Omit<Static<typeof CalendarQuery>, "format">;
export type MarketAsk = Omit<Static<typeof MarketQuery>, "format">;
