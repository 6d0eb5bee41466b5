// Queries, bodies and answers of the earnings routes: validation, types and documentation in one place.
import { type Static, Type } from "@sinclair/typebox";
import { BULK_TICKERS_MAX } from "../../limits.ts";
import { absenceWarnings } from "../../market/absence.ts";
import {
  booleanOrNull,
  bulkAnswer,
  integerOrNull,
  listFields,
  numberOrNull,
  orNull,
  textOrNull,
} from "../../market/answer-fields.ts";
import {
  asOfFields,
  dateField,
  flag,
  forceRefresh,
  formatField,
  oneOf,
  tickerArray,
  tickerField,
  wholeNumber,
} from "../../market/params.ts";

/**
 * Limits of the quarters in a surprise answer, the rows of a company's calendar and the rows of the market's.
 */
export const QUARTERS = { most: 80, preset: 8 };
export const ROWS = { most: 200, preset: 20 };
export const MARKET_ROWS = { most: 5_000, preset: 1_000 };

const limitOf = ({ most, preset }: typeof ROWS, description: string) =>
  Type.Optional(wholeNumber(description, { minimum: 1, maximum: most, default: preset }));

const format = formatField(
  "Format of the answer; ndjson, csv, parquet and records have one row per report. The Accept header works too.",
);

export const SymbolPath = Type.Object({ symbol: tickerField() });

export const SurpriseQuery = Type.Object({
  limit: limitOf(QUARTERS, "Maximum number of quarters, newest first."),
  ...asOfFields(),
  force_refresh: Type.Optional(forceRefresh),
  format,
});

const span = {
  from_date: Type.Optional(dateField("First report day, inclusive.", "2026-01-01")),
  to_date: Type.Optional(dateField("Last report day, inclusive.", "2026-12-31")),
  limit: limitOf(ROWS, "Maximum number of reports per ticker, latest first."),
  include_past: Type.Optional(flag("Also include reports before today.", true)),
  ...asOfFields(),
  force_refresh: Type.Optional(forceRefresh),
};

export const CalendarQuery = Type.Object({ ...span, format });
export const BulkCalendarRequest = Type.Object({ tickers: tickerArray(BULK_TICKERS_MAX), ...span });

export const MarketQuery = Type.Object({
  date: Type.Optional(dateField("One day; cannot be combined with from_date and to_date. Default: today.")),
  from_date: Type.Optional(dateField("First day, inclusive; needs to_date.", "2026-09-01")),
  to_date: Type.Optional(dateField("Last day, inclusive; the span is at most 31 days.", "2026-09-14")),
  limit: limitOf(MARKET_ROWS, "Maximum number of rows."),
  offset: Type.Optional(wholeNumber("Number of rows to skip.", { minimum: 0, default: 0 })),
  ...asOfFields(),
  force_refresh: Type.Optional(forceRefresh),
  format,
});

const report_time = oneOf(
  ["bmo", "amc", "unknown"],
  "Time of day: bmo is before the open, amc after the close, in New York.",
);
const quarterEnd =
  "Last day of the month in which the fiscal quarter ends, YYYY-MM-DD; the provider names only the month, the exact day is in the statements.";

export const SurpriseRow = Type.Object({
  fiscal_period: textOrNull(
    "The company's own label, such as 2026Q2, by the calendar year in which its fiscal year ends; null when its year end is unknown.",
  ),
  fiscal_quarter_end: Type.String({ description: quarterEnd }),
  report_date: textOrNull("New York day of the report, YYYY-MM-DD."),
  report_time,
  eps_actual: numberOrNull("Dollars per share as the provider has it, on the share basis of split_basis."),
  eps_estimate: numberOrNull("The analysts' consensus before the report, dollars per share."),
  surprise: numberOrNull("eps_actual - eps_estimate."),
  surprise_percent: numberOrNull(
    "surprise in percent of the absolute estimate; null when the estimate is 0.",
  ),
  result: orNull(oneOf(["beat", "miss", "meet"], "Null when eps_actual or eps_estimate is unknown.")),
  split_basis: Type.String({
    description:
      "eps_actual and eps_estimate include every split up to this day, YYYY-MM-DD: the same in all rows where the splits since they were read are known, else the day of their reading.",
  }),
  known_at: Type.String({ description: "When this revision was read, RFC 3339 UTC." }),
  source: Type.String({ description: "Provider of the figures." }),
});

export const SurpriseResponse = Type.Object({
  symbol: Type.String({ description: "As you sent it." }),
  count: Type.Integer({ description: "Quarters in this answer." }),
  total: Type.Integer({ description: "Quarters stored, including those that limit cuts off." }),
  streak: Type.Object(
    {
      type: oneOf(
        ["beat", "miss", "none"],
        "Result of the newest quarter; none when it met the estimate or is unknown.",
      ),
      length: Type.Integer({
        description:
          "Consecutive quarters with that result, over all stored quarters; a missing quarter ends the streak.",
      }),
    },
    { description: "Counted from the newest quarter." },
  ),
  beat_rate: numberOrNull("Share of beats among the quarters of this answer with a known result, 0 to 1."),
  avg_surprise_percent: numberOrNull("Mean of the known surprise_percent values of this answer, percent."),
  as_of: textOrNull("The requested as_of, RFC 3339 UTC; null: now."),
  last_updated: textOrNull("When the provider was last asked, RFC 3339 UTC; null: not for this answer."),
  warnings: absenceWarnings,
  data: Type.Array(SurpriseRow, { description: "Newest quarter first." }),
});
export type SurpriseResponse = Static<typeof SurpriseResponse>;

export const Report = Type.Object({
  ticker: Type.String({ description: "As you sent it; in the market calendar the canonical symbol." }),
  report_date: Type.String({
    description: "New York day of the report, YYYY-MM-DD; the first day when the provider gives a window.",
  }),
  report_date_end: textOrNull("Last day, when the provider gives a window."),
  report_time,
  fiscal_quarter_end: textOrNull(quarterEnd),
  name: textOrNull("Company name as in the calendar."),
  eps_estimate: numberOrNull("Consensus, dollars per share."),
  eps_actual: numberOrNull(
    "As reported, dollars per share; of past quarters on the share basis that /earnings/surprise names.",
  ),
  eps_last_year: numberOrNull("Earnings of the same quarter one year before, dollars per share."),
  revenue_estimate: numberOrNull("Consensus in whole units of the company's currency; only Yahoo has it."),
  estimate_count: integerOrNull("Number of estimates in the consensus."),
  is_confirmed: booleanOrNull(
    "true: a provider confirms the day; false: the day is an estimate; null: no provider states it.",
  ),
  other_dates: Type.Array(
    Type.Object({
      report_date: Type.String({ description: "New York day, YYYY-MM-DD." }),
      source: Type.String({ description: "Provider that names this day." }),
    }),
    { description: "Other days that providers name for the same report." },
  ),
  known_at: Type.String({ description: "When the newest part of this was read, RFC 3339 UTC." }),
  source: Type.String({ description: "Provider that names report_date." }),
});
export type Report = Static<typeof Report>;

export const CalendarResponse = Type.Object({
  ticker: Type.String({ description: "As you sent it." }),
  next: Type.Union([Report, Type.Null()], {
    description:
      "The earliest report today or later, of a quarter that has ended by its day; null when none is known.",
  }),
  count: Type.Integer({ description: "Reports in this answer." }),
  total: Type.Integer({ description: "Reports that match, including those that limit cuts off." }),
  as_of: textOrNull("The requested as_of, RFC 3339 UTC; null: now."),
  warnings: absenceWarnings,
  data: Type.Array(Report, { description: "Latest report first." }),
});
export type CalendarResponse = Static<typeof CalendarResponse>;

export const BulkCalendarResponse = bulkAnswer(CalendarResponse);
export type BulkCalendarResponse = Static<typeof BulkCalendarResponse>;

export const MarketResponse = Type.Object({
  from_date: Type.String({ description: "First day of the span, YYYY-MM-DD." }),
  to_date: Type.String({ description: "Last day of the span, YYYY-MM-DD." }),
  ...listFields,
  as_of: textOrNull("The requested as_of, RFC 3339 UTC; null: now."),
  warnings: absenceWarnings,
  data: Type.Array(Report, { description: "Ordered by day, then symbol." }),
});
export type MarketResponse = Static<typeof MarketResponse>;

export type SurpriseRequest = Omit<Static<typeof SurpriseQuery>, "format">;
export type CalendarRequest = Omit<Static<typeof CalendarQuery>, "format">;
export type MarketRequest = Omit<Static<typeof MarketQuery>, "format">;
