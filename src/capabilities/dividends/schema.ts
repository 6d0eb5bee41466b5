// Queries, bodies and answers of the dividend routes: validation, types and documentation in one place.
import { type Static, Type } from "@sinclair/typebox";
import { BULK_TICKERS_MAX } from "../../limits.ts";
import { absenceWarnings } from "../../market/absence.ts";
import { bulkAnswer, listFields, numberOrNull, orNull, textOrNull } from "../../market/answer-fields.ts";
import {
  asOfFields,
  countField,
  dateField,
  forceRefresh,
  formatField,
  oneOf,
  tickerArray,
  wholeNumber,
} from "../../market/params.ts";

const dayOrNull = (description: string) => textOrNull(`${description} YYYY-MM-DD, New York.`);

/** Most rows of an answer, and the default. */
export const ROWS_MAX = 1_000;
export const ROWS = 100;
/** Most rows of the market's calendar, and the default. */
export const MARKET_ROWS_MAX = 5_000;
export const MARKET_ROWS = 1_000;

const KNOWN_DAY =
  "Answer with what was known at the end of that day in New York. A future day is answered as of today, and as_of_date in the answer shows that. Default: today.";

const moment = {
  ...asOfFields(),
  as_of_date: Type.Optional(
    dateField(`${KNOWN_DAY} as_of takes days and instants; this name is the older one.`),
  ),
};
const span = {
  ...moment,
  from_date: Type.Optional(dateField("First ex-dividend day, inclusive.", "2026-01-01")),
  to_date: Type.Optional(dateField("Last ex-dividend day, inclusive.", "2026-12-31")),
};
const format = formatField(
  "Format of the answer; ndjson, csv, parquet and records have one row per dividend. The Accept header works too.",
);
const limit = countField("Maximum number of rows per ticker, latest ex dates first.", ROWS_MAX, ROWS);

export const DividendQuery = Type.Object({
  ...span,
  limit,
  force_refresh: Type.Optional(forceRefresh),
  format,
});

export const MarketQuery = Type.Object({
  date: Type.Optional(
    dateField("One ex-dividend day; cannot be combined with from_date and to_date. Default: today."),
  ),
  from_date: Type.Optional(dateField("First ex-dividend day, inclusive; needs to_date.", "2026-09-01")),
  to_date: Type.Optional(
    dateField("Last ex-dividend day, inclusive; the span is at most 31 days.", "2026-09-14"),
  ),
  ...moment,
  limit: countField("Maximum number of rows.", MARKET_ROWS_MAX, MARKET_ROWS),
  offset: Type.Optional(wholeNumber("Number of rows to skip.", { minimum: 0, default: 0 })),
  force_refresh: Type.Optional(forceRefresh),
  format,
});

export const BulkDividendRequest = Type.Object({
  tickers: tickerArray(BULK_TICKERS_MAX),
  ...span,
  limit,
  force_refresh: Type.Optional(forceRefresh),
});

export const Dividend = Type.Object({
  ticker: Type.String({ description: "As you sent it." }),
  ex_dividend_date: Type.String({
    description: "First session that trades without the dividend, YYYY-MM-DD.",
  }),
  declaration_date: dayOrNull("Day it was declared."),
  record_date: dayOrNull("Holders of record on this day receive it."),
  payment_date: dayOrNull("Day it is paid."),
  amount: numberOrNull(
    "Per share, as paid: on the share basis of its own day. Where the provider only has the amount adjusted for later splits, these are undone. Null for a dividend in shares, and with a warning where such a split is not known.",
  ),
  adjusted_amount: numberOrNull(
    "Per share on the share basis of as_of_date, by the splits known then; null when it is unknown whether there were any.",
  ),
  currency: textOrNull("ISO 4217 code of the amounts; null when the provider names none."),
  frequency: textOrNull("As the provider states it; no current provider does, so null."),
  dividend_type: orNull(
    oneOf(
      ["cash", "special", "stock"],
      "As the provider classifies it; the provider calls most special dividends cash, and its list of a day classifies none: these count as cash. Null for any other type.",
    ),
  ),
  status: oneOf(
    ["declared", "paid", "cancelled", "estimated"],
    "declared; paid from its payment date on (180 days after its ex date when that is unknown); cancelled when a declared dividend disappeared before its ex date; estimated only when the provider says so.",
  ),
  as_of_date: Type.String({ description: "New York day of known_at, YYYY-MM-DD." }),
  revision: Type.Integer({ description: "1 for the first revision of this dividend, then counted up." }),
  known_at: Type.String({
    description:
      "When this was public, RFC 3339 UTC: the first revision at the end of its declaration day, else at 09:30 in New York of its ex date, or when it was fetched where that was earlier; a later revision when it was fetched.",
  }),
  backfilled: Type.Boolean({
    description: "It was fetched after as_of_date, and its provider may have changed it in the meantime.",
  }),
  source: Type.String({ description: "Provider of this revision." }),
});
export type Dividend = Static<typeof Dividend>;

export const DividendCalendar = Type.Object({
  ticker: Type.String({ description: "As you sent it." }),
  as_of: textOrNull("The moment asked for, RFC 3339 UTC; null: now."),
  as_of_date: Type.String({ description: "The day of that moment in New York, YYYY-MM-DD." }),
  count: Type.Integer({ description: "Rows in this answer." }),
  total: Type.Integer({ description: "Rows that match." }),
  splits_known_through: dayOrNull(
    "adjusted_amount includes splits with an ex date up to this day; null: unknown.",
  ),
  last_updated: textOrNull(
    "When the providers were last asked about this ticker, RFC 3339 UTC; null: never, or only after as_of_date.",
  ),
  warnings: Type.Array(Type.String(), { description: "What is missing or out of date, and why." }),
  data: Type.Array(Dividend, { description: "Latest ex date first." }),
});
export type DividendCalendar = Static<typeof DividendCalendar>;

export const MarketDividend = Type.Object({
  ...Type.Omit(Dividend, ["adjusted_amount"]).properties,
  ticker: Type.String({ description: "Symbol in its canonical spelling." }),
});
export type MarketDividend = Static<typeof MarketDividend>;

export const MarketDividends = Type.Object({
  from_date: Type.String({ description: "First ex-dividend day of the span, YYYY-MM-DD." }),
  to_date: Type.String({ description: "Last ex-dividend day of the span, YYYY-MM-DD." }),
  ...listFields,
  as_of: textOrNull("The moment asked for, RFC 3339 UTC; null: now."),
  as_of_date: Type.String({ description: "The day of that moment in New York, YYYY-MM-DD." }),
  warnings: absenceWarnings,
  data: Type.Array(MarketDividend, { description: "Ordered by ex date, then symbol." }),
});
export type MarketDividends = Static<typeof MarketDividends>;
export type MarketRequest = Omit<Static<typeof MarketQuery>, "format" | "data_version">;

export const BulkDividendResponse = bulkAnswer(DividendCalendar);
export type BulkDividendResponse = Static<typeof BulkDividendResponse>;
export type DividendRequest = Omit<Static<typeof DividendQuery>, "format">;
