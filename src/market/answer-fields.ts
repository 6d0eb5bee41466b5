// The fields that answers of many routes share, as TypeBox schemas. params.ts holds those of requests.
import { type TSchema, Type } from "@sinclair/typebox";
import type { PageFacts } from "../platform/answer.ts";
import { tickerField } from "./params.ts";

/** A field that may be null. Null means unknown, never a default value. */
export const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
/** Text, or null. */
export const textOrNull = (description: string) => orNull(Type.String({ description }));
/** A day `YYYY-MM-DD`, or null. */
export const dateOrNull = (description: string) => orNull(Type.String({ format: "date", description }));
/** Any number, or null. */
export const numberOrNull = (description: string) => orNull(Type.Number({ description }));
/** A whole number, or null. */
export const integerOrNull = (description: string) => orNull(Type.Integer({ description }));
/** True, false, or null for unknown. */
export const booleanOrNull = (description: string) => orNull(Type.Boolean({ description }));

/** The line of history of a data version that stands beside it. */
export const storeField = textOrNull(
  "The line of history that this version is of, as X-Store names it; null where it was not noted.",
);

/** The path of a route about one ticker. */
export const TickerPath = Type.Object({ ticker: tickerField() });

/** Which page of the rows it is. */
export const pageFields = {
  limit: Type.Integer({ description: "Rows asked for at most." }),
  offset: Type.Integer({ description: "Rows skipped." }),
  has_more: Type.Boolean({ description: "Whether rows follow." }),
};

/** The number of rows, and which page of them the answer holds. */
export const listFields = {
  count: Type.Integer({ description: "Rows in this answer." }),
  total: Type.Integer({ description: "Rows that match." }),
  ...pageFields,
};

/** The page a request asks for. */
export interface PageRequest {
  readonly limit: number;
  readonly offset: number;
}

/** The fields about the page of a list: the answer holds `count` rows of the `total` that match. */
export const pageOf = (count: number, total: number, { limit, offset }: PageRequest) => ({
  count,
  total,
  limit,
  offset,
  has_more: offset + count < total,
});

/** Returns the total and the next page of a list, for the headers of row formats. */
export const pageFacts = (page: {
  readonly count: number;
  readonly total: number | null;
  readonly offset?: number;
  readonly has_more?: boolean;
}): PageFacts => ({
  total: page.total,
  next: page.has_more && page.offset !== undefined ? { offset: page.offset + page.count } : null,
  ...(page.offset === undefined ? { limited: page.count } : {}),
});

/** Schema of a `BulkAnswer` (bulk.ts) with the given data. */
export const bulkAnswer = <T extends TSchema>(data: T) =>
  Type.Object({
    total_requested: Type.Integer({ description: "Tickers asked for, after duplicates are removed." }),
    successful: Type.Integer({ description: "Tickers with data." }),
    failed: Type.Integer({ description: "Tickers without." }),
    results: Type.Array(
      Type.Object({
        ticker: Type.String({ description: "As you sent it." }),
        success: Type.Boolean({
          description: "False when the ticker has no data or fetching it failed; `error` gives the reason.",
        }),
        data: Type.Union([data, Type.Null()], {
          description:
            "The answer of the route for one ticker. When it failed, null or what there is all the same, such as the company.",
        }),
        error: orNull(Type.String({ description: "Why this ticker failed; null when it did not." })),
        error_code: orNull(
          Type.String({ description: "The same as a code, such as unknown_ticker or upstream_error." }),
        ),
      }),
      { description: "In the order of the request." },
    ),
    processing_time_ms: Type.Number({ description: "Time the whole request took, milliseconds." }),
  });
