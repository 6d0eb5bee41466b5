// What the routes of stored data take and give.
import { Type } from "@sinclair/typebox";
import { tickerField } from "../../market/params.ts";

const orNull = <T extends ReturnType<typeof Type.String> | ReturnType<typeof Type.Integer>>(schema: T) =>
  Type.Union([schema, Type.Null()]);
const day = (description: string) => orNull(Type.String({ description: `${description}, YYYY-MM-DD.` }));
const instant = (description: string) =>
  orNull(Type.String({ description: `${description}, RFC 3339 UTC.` }));

const TableInfo = Type.Object({
  name: Type.String(),
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
  engine: Type.String(),
  version: Type.String({ description: "Versions of both engines." }),
  size_bytes: Type.Integer({ description: "Operational database and lake together." }),
  tables: Type.Array(TableInfo),
  migrations: Type.Object({
    current: orNull(Type.String({ description: "The newest that was applied." })),
    pending: Type.Array(Type.String()),
  }),
});

export const TablePath = Type.Object({
  table: Type.String({
    description: "Name of a table or dataset of GET /database/info.",
    maxLength: 100,
    examples: ["bars_daily"],
  }),
});

export const TableSchema = Type.Object({
  table: Type.String(),
  kind: Type.String({ description: "table or dataset." }),
  says: orNull(Type.String()),
  key: Type.Array(Type.String(), { description: "Columns that make a row the same row." }),
  columns: Type.Array(
    Type.Object({
      name: Type.String(),
      type: Type.String(),
      nullable: Type.Boolean(),
      unit: orNull(Type.String()),
      description: orNull(Type.String()),
    }),
  ),
});

export const TickerPath = Type.Object({ ticker: tickerField() });

export const Coverage = Type.Object({
  ticker: Type.String(),
  symbol: Type.String({ description: "As it is stored." }),
  cik: orNull(Type.String({ description: "The filer behind it; null where none is known." })),
  data: Type.Array(
    Type.Object({
      dataset: Type.String(),
      rows: Type.Integer({ description: "Rows stored." }),
      first_date: day("First day its rows are about"),
      last_date: day("Last day"),
      last_updated: instant("When the newest row became known"),
    }),
    { description: "Every dataset kept by symbol or filer, those without rows too." },
  ),
});

export const MonthlyCoverage = Type.Object({
  count: Type.Integer(),
  data: Type.Array(
    Type.Object({
      dataset: Type.String(),
      month: Type.String({ description: "YYYY-MM." }),
      rows: Type.Integer({ description: "Rows about days of that month." }),
    }),
  ),
});

export const CacheReport = Type.Object({
  entries: Type.Integer({ description: "Answers remembered, in memory and database." }),
  hits: Type.Integer({ description: "Since the start." }),
  misses: Type.Integer({ description: "Since the start." }),
  stale: Type.Integer({ description: "Answers from before, since the provider failed." }),
  hit_rate: Type.Union([Type.Number({ description: "Fraction of the requests." }), Type.Null()], {
    description: "Fraction of the requests; null before the first.",
  }),
  memories: Type.Array(
    Type.Object({
      name: Type.String(),
      entries: Type.Integer({ description: "Answers remembered." }),
      bytes: Type.Integer({ description: "In memory." }),
      hits: Type.Integer({ description: "Since the start." }),
      misses: Type.Integer({ description: "Since the start." }),
      stale: Type.Integer({ description: "Since the start." }),
    }),
  ),
});
