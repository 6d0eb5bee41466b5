// What the routes of stored data take and give.
import { Type } from "@sinclair/typebox";
import { tickerField } from "../../market/params.ts";

const orNull = <T extends ReturnType<typeof Type.String> | ReturnType<typeof Type.Integer>>(schema: T) =>
  Type.Union([schema, Type.Null()]);
const day = (description: string) => orNull(Type.String({ description: `${description}, YYYY-MM-DD.` }));
const instant = (description: string) =>
  orNull(Type.String({ description: `${description}, RFC 3339 UTC.` }));

const TableInfo = Type.Object({
  name: Type.String({ description: "Name of the table or dataset." }),
  kind: Type.String({ description: "table: of the operational database; dataset: of the Parquet lake." }),
  says: orNull(Type.String({ description: "What is in it." })),
  rows: Type.Integer({ description: "Rows stored." }),
  size_bytes: orNull(Type.Integer({ description: "Bytes on disk; null where the engine does not tell." })),
  files: orNull(Type.Integer({ description: "Files of a dataset." })),
  first_date: day("First day its rows are about; null where they are about none"),
  last_date: day("Last day"),
  last_updated: instant("When its newest row became known; null where that is not kept"),
});

export const DatabaseInfo = Type.Object({
  engine: Type.String({ description: "What stores the data." }),
  version: Type.String({ description: "Versions of both engines." }),
  size_bytes: Type.Integer({ description: "Operational database and lake together, bytes." }),
  tables: Type.Array(TableInfo, { description: "Tables of the operational database, then datasets." }),
  migrations: Type.Object(
    {
      current: orNull(Type.String({ description: "The newest that was applied." })),
      pending: Type.Array(Type.String(), {
        description: "Those still to be applied; empty on a running service.",
      }),
    },
    { description: "Of the operational database." },
  ),
});

export const TablePath = Type.Object({
  table: Type.String({
    description: "Name of a table or dataset of GET /database/info.",
    maxLength: 100,
    examples: ["bars_daily"],
  }),
});

export const TableSchema = Type.Object({
  table: Type.String({ description: "As asked." }),
  kind: Type.String({ description: "table or dataset." }),
  says: orNull(Type.String({ description: "What is in it." })),
  key: Type.Array(Type.String(), { description: "Columns that make a row the same row." }),
  columns: Type.Array(
    Type.Object({
      name: Type.String({ description: "Name of the column." }),
      type: Type.String({ description: "Type in its engine." }),
      nullable: Type.Boolean({ description: "Whether a row may be without a value." }),
      unit: orNull(Type.String({ description: "Unit of its values; null where it has none." })),
      description: orNull(
        Type.String({ description: "What it holds; null for tables of the service itself." }),
      ),
    }),
    { description: "In their order." },
  ),
});

export const TickerPath = Type.Object({ ticker: tickerField() });

export const Coverage = Type.Object({
  ticker: Type.String({ description: "As you sent it." }),
  symbol: Type.String({ description: "As it is stored." }),
  cik: orNull(Type.String({ description: "The filer behind it; null where none is known." })),
  data: Type.Array(
    Type.Object({
      dataset: Type.String({ description: "Name of the dataset." }),
      rows: Type.Integer({ description: "Rows stored." }),
      first_date: day("First day its rows are about"),
      last_date: day("Last day"),
      last_updated: instant("When the newest row became known"),
    }),
    { description: "Every dataset kept by symbol or filer, those without rows too." },
  ),
});

export const MonthlyCoverage = Type.Object({
  count: Type.Integer({ description: "Rows in data." }),
  data: Type.Array(
    Type.Object({
      dataset: Type.String({ description: "Name of the dataset." }),
      month: Type.String({ description: "YYYY-MM." }),
      rows: Type.Integer({ description: "Rows about days of that month." }),
    }),
    { description: "By dataset, then month." },
  ),
});

export const CacheReport = Type.Object({
  entries: Type.Integer({ description: "Answers remembered, in memory and database." }),
  hits: Type.Integer({ description: "Requests answered from memory, since the start." }),
  misses: Type.Integer({ description: "Requests that memory could not answer, since the start." }),
  stale: Type.Integer({
    description: "Requests answered with an older answer since the provider failed, since the start.",
  }),
  hit_rate: Type.Union([Type.Number({ description: "Fraction of the requests." }), Type.Null()], {
    description: "Fraction of the requests; null before the first.",
  }),
  memories: Type.Array(
    Type.Object({
      name: Type.String({ description: "What is remembered." }),
      entries: Type.Integer({ description: "Answers remembered." }),
      bytes: Type.Integer({ description: "Bytes in memory." }),
      hits: Type.Integer({ description: "Requests answered from memory, since the start." }),
      misses: Type.Integer({ description: "Requests that memory could not answer, since the start." }),
      stale: Type.Integer({
        description: "Requests answered with an older answer since the provider failed, since the start.",
      }),
    }),
    { description: "One entry a kind of answer." },
  ),
});
