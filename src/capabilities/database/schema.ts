// Paths and answers of the database routes.

import { type Static, Type } from "@sinclair/typebox";

import { absenceWarnings } from "../../market/absence.ts";
import { dateOrNull, integerOrNull, textOrNull } from "../../market/answer-fields.ts";

const dayOrNull = (description: string) => dateOrNull(`${description}, YYYY-MM-DD.`);
const instantOrNull = (description: string) => textOrNull(`${description}, RFC 3339 UTC.`);

const TableInfo = Type.Object({
  name: Type.String({ description: "Name of the table or dataset." }),
  kind: Type.String({ description: "table: in the operational database; dataset: in the Parquet lake." }),
  says: textOrNull("What the table or dataset contains."),
  rows: Type.Integer({ description: "Rows stored." }),
  size_bytes: integerOrNull("Bytes on disk; null when the engine does not report it."),
  files: integerOrNull("Number of files of a dataset."),
  first_date: dayOrNull("First day that its rows are about; null when rows have no day"),
  last_date: dayOrNull("Last day"),
  last_updated: instantOrNull("When its newest row became known; null when that is not recorded"),
});
export type TableInfo = Static<typeof TableInfo>;

export const DatabaseInfo = Type.Object({
  engine: Type.String({ description: "The storage engines." }),
  version: Type.String({ description: "Versions of both engines." }),
  size_bytes: Type.Integer({ description: "Everything in the data folder, bytes." }),
  storage: Type.Object(
    {
      lake_bytes: Type.Integer({
        description:
          "Files of the lake that are served, and the history of rows that were read again, bytes.",
      }),
      replaced_bytes: Type.Integer({
        description:
          "Replaced files that stay for readers of older catalogues (LAKE_RETENTION_HOURS), bytes.",
      }),
      vault_bytes: Type.Integer({ description: "Documents as they were fetched, bytes." }),
      database_bytes: Type.Integer({
        description: "The operational database with its request and error logs, bytes.",
      }),
      other_bytes: Type.Integer({
        description: "The catalogue, the manifest, locks and anything else, bytes.",
      }),
    },
    { description: "What size_bytes consists of." },
  ),
  tables: Type.Array(TableInfo, { description: "Tables of the operational database, then datasets." }),
  migrations: Type.Object(
    {
      current: textOrNull("The newest applied migration."),
      pending: Type.Array(Type.String(), {
        description: "Migrations not applied yet; empty on a running service.",
      }),
    },
    { description: "Migrations of the operational database." },
  ),
});
export type DatabaseInfo = Static<typeof DatabaseInfo>;

export const TablePath = Type.Object({
  table: Type.String({
    description: "Name of a table or dataset of GET /database/info.",
    maxLength: 100,
    examples: ["bars_daily"],
  }),
});

export const TableSchema = Type.Object({
  table: Type.String({ description: "As requested." }),
  kind: Type.String({ description: "table or dataset." }),
  says: textOrNull("What the table or dataset contains."),
  key: Type.Array(Type.String(), { description: "Columns that identify a row." }),
  columns: Type.Array(
    Type.Object({
      name: Type.String({ description: "Name of the column." }),
      type: Type.String({ description: "Type in the storage engine." }),
      nullable: Type.Boolean({ description: "Whether the value may be null." }),
      unit: textOrNull("Unit of the values; null when they have none."),
      description: textOrNull("What the column contains; null for tables of the operational database."),
    }),
    { description: "In their order." },
  ),
});

const columnDocs = Type.Array(
  Type.Object({
    name: Type.String({ description: "Name of the column." }),
    type: Type.String({ description: "Its type in SQL." }),
    nullable: Type.Boolean({ description: "Whether the value may be null." }),
    unit: textOrNull("Unit of the values; null when they have none."),
    description: Type.String({ description: "What the column contains." }),
  }),
  { description: "In their order." },
);

export const Catalogue = Type.Object({
  datasets: Type.Array(
    Type.Object({
      name: Type.String({ description: "Name of the dataset, which is its table in SQL." }),
      description: Type.String({ description: "What it contains." }),
      key: Type.Array(Type.String(), { description: "Columns that identify what a row is about." }),
      keeps: Type.String({
        description: "first: the first good row of a key stays. append: every distinct row of a key is kept.",
      }),
      columns: columnDocs,
    }),
    { description: "In the order of the documentation." },
  ),
  macros: Type.Array(
    Type.Object({
      name: Type.String({ description: "Name of the macro." }),
      call: Type.String({ description: "How it is called, with its parameters." }),
      description: Type.String({ description: "What it gives." }),
      returns: textOrNull("The type of its value, with the unit; null for a macro that gives rows."),
      columns: columnDocs,
    }),
    { description: "In the order of the documentation; columns is empty for those that give a value." },
  ),
});
export type Catalogue = Static<typeof Catalogue>;

export const Coverage = Type.Object({
  ticker: Type.String({ description: "As you sent it." }),
  symbol: Type.String({ description: "The canonical symbol, as stored." }),
  cik: textOrNull("CIK of the filer behind the ticker; null when none is known."),
  data: Type.Array(
    Type.Object({
      dataset: Type.String({ description: "Name of the dataset." }),
      rows: Type.Integer({ description: "Rows stored." }),
      first_date: dayOrNull("First day that its rows are about"),
      last_date: dayOrNull("Last day"),
      last_updated: instantOrNull("When the newest row became known"),
    }),
    { description: "Every dataset with a symbol or filer, including those without rows." },
  ),
});
export type Coverage = Static<typeof Coverage>;

export const MonthlyCoverage = Type.Object({
  count: Type.Integer({ description: "Rows in data." }),
  warnings: absenceWarnings,
  data: Type.Array(
    Type.Object({
      dataset: Type.String({ description: "Name of the dataset." }),
      month: Type.String({ description: "YYYY-MM." }),
      rows: Type.Integer({ description: "Rows about days of that month." }),
    }),
    { description: "Ordered by dataset, then month." },
  ),
});
export type MonthlyCoverage = Static<typeof MonthlyCoverage>;

export const CacheReport = Type.Object({
  entries: Type.Integer({ description: "Cached answers, in memory and database." }),
  hits: Type.Integer({ description: "Requests answered from the cache, since the start." }),
  misses: Type.Integer({ description: "Requests that the cache could not answer, since the start." }),
  stale: Type.Integer({
    description: "Requests answered with an expired answer because the provider failed, since the start.",
  }),
  hit_rate: Type.Union(
    [Type.Number({ description: "Fraction of requests answered from the cache." }), Type.Null()],
    {
      description: "Fraction of requests answered from the cache; null before the first.",
    },
  ),
  memories: Type.Array(
    Type.Object({
      name: Type.String({ description: "Name of the cache." }),
      entries: Type.Integer({ description: "Cached answers." }),
      bytes: Type.Integer({ description: "Bytes in memory." }),
      hits: Type.Integer({ description: "Requests answered from the cache, since the start." }),
      misses: Type.Integer({ description: "Requests that the cache could not answer, since the start." }),
      stale: Type.Integer({
        description: "Requests answered with an expired answer because the provider failed, since the start.",
      }),
    }),
    { description: "One entry per cache." },
  ),
});
