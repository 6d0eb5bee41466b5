// Request and answer fields of SQL queries.
import { type Static, Type } from "@sinclair/typebox";
import { SQL_CHARS_MAX, SQL_ROWS_MAX } from "../../limits.ts";
import { asOfFields, countField, formatField } from "../../market/params.ts";

const ROWS = 1_000;

export const QueryRequest = Type.Object({
  query: Type.String({
    minLength: 1,
    maxLength: SQL_CHARS_MAX,
    description: "One SELECT in DuckDB's SQL over the tables and macros of docs/catalogue.md.",
    examples: ["select symbol, date, close from bars(NULL) where symbol = 'ZORP' order by date desc limit 3"],
  }),
  ...asOfFields(),
  limit: countField("Rows to return at most; further ones are named in a warning.", SQL_ROWS_MAX, ROWS),
  format: formatField(),
});

export const defaultRows = ROWS;

export const QueryAnswer = Type.Object({
  count: Type.Integer({ description: "Rows returned." }),
  truncated: Type.Boolean({ description: "Whether the result has more rows than were returned." }),
  columns: Type.Array(
    Type.Object({
      name: Type.String({ description: "Name of the column." }),
      type: Type.String({ description: "Its type, as DuckDB names it." }),
    }),
    { description: "The columns of the result, in its order." },
  ),
  data: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
    description:
      "The rows, with the columns as fields. Days are YYYY-MM-DD, instants RFC 3339 UTC; a whole number beyond 2^53 and a decimal of more than 15 digits are texts, infinities and NaN are null; a second column of a name is numbered.",
  }),
  warnings: Type.Array(Type.String(), {
    description: "Says so where the result has more rows than these, and why it has none.",
  }),
});
export type QueryAnswer = Static<typeof QueryAnswer>;
