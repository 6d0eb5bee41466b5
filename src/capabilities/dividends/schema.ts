// Queries, bodies and answers of the dividend routes: the check, the types and the documentation in one place.
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { BULK_TICKERS_MAX } from "../../limits.ts";
import { bulkAnswer } from "../../market/answer-fields.ts";
import {
  dateField,
  forceRefresh,
  oneOf,
  tickerArray,
  tickerField,
  wholeNumber,
} from "../../market/params.ts";

const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const text = (description: string) => orNull(Type.String({ description }));
const day = (description: string) => text(`${description} YYYY-MM-DD, New York.`);

/** Rows of an answer at most, and without a wish. */
export const ROWS_MAX = 1_000;
export const ROWS = 100;

export const TickerPath = Type.Object({ ticker: tickerField() });

const span = {
  as_of_date: Type.Optional(
    dateField(
      "Answer with what this service knew at the end of that day in New York; nothing is fetched for a past day. A day that lies ahead is answered as of today, and as_of_date says so. Default: today.",
    ),
  ),
  from_date: Type.Optional(dateField("First ex-dividend day, inclusive.", "2026-01-01")),
  to_date: Type.Optional(dateField("Last ex-dividend day, inclusive.", "2026-12-31")),
};
const limit = Type.Optional(
  wholeNumber("Rows of a ticker at most, the latest ex dates first.", {
    minimum: 1,
    maximum: ROWS_MAX,
    default: ROWS,
  }),
);

export const DividendQuery = Type.Object({
  ...span,
  limit,
  force_refresh: Type.Optional(forceRefresh),
  format: Type.Optional(
    oneOf(
      ["json", "ndjson", "csv", "parquet"],
      "Shape of the answer; ndjson, csv and parquet have one row per dividend. The Accept header does the same.",
    ),
  ),
});

export const BulkDividendRequest = Type.Object({
  tickers: tickerArray(BULK_TICKERS_MAX),
  ...span,
  limit,
  force_refresh: Type.Optional(forceRefresh),
});

export const Dividend = Type.Object({
  ticker: Type.String({ description: "As you sent it." }),
  ex_dividend_date: Type.String({ description: "First session that trades without it, YYYY-MM-DD." }),
  declaration_date: day("Day it was declared."),
  record_date: day("Whose holders it goes to."),
  payment_date: day("Day it is paid."),
  amount: orNull(
    Type.Number({
      description:
        "Per share, as paid: on the share basis of its own day. Null for one in shares, and where the provider only has it adjusted for a split since.",
    }),
  ),
  adjusted_amount: orNull(
    Type.Number({
      description:
        "Per share on the share basis of as_of_date, by the splits known then; null where it is not known whether there were any.",
    }),
  ),
  currency: text("ISO 4217 code of the amounts; null where the provider names none."),
  frequency: text("Only as the provider says it; none of today's does, so null."),
  dividend_type: orNull(
    oneOf(
      ["cash", "special", "stock"],
      "As the provider has it, which calls most special dividends cash; null for a word of another meaning.",
    ),
  ),
  status: oneOf(
    ["declared", "paid", "cancelled", "estimated"],
    "declared; paid once its payment date has come (where that is not known, 180 days after its ex date); cancelled when a declared one disappeared before its ex date; estimated only where the provider says so.",
  ),
  as_of_date: Type.String({ description: "Day on which this revision was first seen, YYYY-MM-DD." }),
  revision: Type.Integer({ description: "1 for the first word on this dividend, then counted up." }),
  known_at: Type.String({ description: "The moment of that, RFC 3339 UTC." }),
  source: Type.String({ description: "Who said so." }),
});
export type Dividend = Static<typeof Dividend>;

export const DividendCalendar = Type.Object({
  ticker: Type.String({ description: "As you sent it." }),
  as_of_date: Type.String({ description: "The day whose knowledge this is, YYYY-MM-DD." }),
  count: Type.Integer({ description: "Rows in this answer." }),
  total: Type.Integer({ description: "Rows there are." }),
  splits_known_through: day("Splits with an ex date up to this day are in adjusted_amount; null: not known."),
  last_updated: text("When the providers were last asked about this ticker, RFC 3339 UTC; null: never."),
  warnings: Type.Array(Type.String(), { description: "What is missing or old, and why." }),
  data: Type.Array(Dividend, { description: "The latest ex date first." }),
});
export type DividendCalendar = Static<typeof DividendCalendar>;

export const BulkDividendResponse = bulkAnswer(DividendCalendar);
export type BulkDividendResponse = Static<typeof BulkDividendResponse>;
export type DividendAsk = Omit<Static<typeof DividendQuery>, "format">;
