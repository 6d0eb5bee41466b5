// The fields that answers of many routes share, as TypeBox: beside the request's fields in params.ts.
import { type TSchema, Type } from "@sinclair/typebox";
import { tickerField } from "./params.ts";

/** A field that may be null: null is unknown, never a stand-in for a value. */
export const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
/** Text, or null. */
export const textOrNull = (description: string) => orNull(Type.String({ description }));
/** Any number, or null. */
export const numberOrNull = (description: string) => orNull(Type.Number({ description }));
/** A whole number, or null. */
export const integerOrNull = (description: string) => orNull(Type.Integer({ description }));
/** True, false, or null for unknown. */
export const booleanOrNull = (description: string) => orNull(Type.Boolean({ description }));

/** The path of a route about one ticker. */
export const TickerPath = Type.Object({ ticker: tickerField() });

/** Which page of the rows it is. */
export const pageFields = {
  limit: Type.Integer({ description: "Rows asked for at most." }),
  offset: Type.Integer({ description: "Rows skipped." }),
  has_more: Type.Boolean({ description: "Whether rows follow." }),
};

/** How many rows, and which page of them. */
export const listFields = {
  count: Type.Integer({ description: "Rows in this answer." }),
  total: Type.Integer({ description: "Rows that match." }),
  ...pageFields,
};

/** Where a page lies in the rows that were asked for. */
export interface PageRequest {
  readonly limit: number;
  readonly offset: number;
}

/** What a list answers about its page. `count` rows are in the answer of `total` that match. */
export const pageOf = (count: number, total: number, { limit, offset }: PageRequest) => ({
  count,
  total,
  limit,
  offset,
  has_more: offset + count < total,
});

/** A `BulkAnswer` (bulk.ts) of the given data. */
export const bulkAnswer = <T extends TSchema>(data: T) =>
  Type.Object({
    total_requested: Type.Integer({ description: "Tickers asked for, after duplicates are removed." }),
    successful: Type.Integer({ description: "Tickers with data." }),
    failed: Type.Integer({ description: "Tickers without." }),
    results: Type.Array(
      Type.Object({
        ticker: Type.String({ description: "As you sent it." }),
        success: Type.Boolean({
          description: "False when there is nothing of the ticker, or it could not be had: `error` says why.",
        }),
        data: Type.Union([data, Type.Null()], {
          description: "What the route of one ticker answers; null where that failed.",
        }),
        error: orNull(Type.String({ description: "Why this ticker failed; null when it did not." })),
        error_code: orNull(
          Type.String({ description: "The same as a code, such as unknown_ticker or upstream_error." }),
        ),
      }),
      { description: "In the order of the request." },
    ),
    processing_time_ms: Type.Number({ description: "Time the whole took, milliseconds." }),
  });
