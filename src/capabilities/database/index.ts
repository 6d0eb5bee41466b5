// The database capability: what is stored and cached. It only reads.
import type { Static } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { COVERAGE_CACHE_S } from "../../limits.ts";
import { TickerPath } from "../../market/answer-fields.ts";
import { FormatQuery } from "../../market/params.ts";
import type { Services } from "../../market/services.ts";
import { Answer } from "../../platform/answer.ts";
import { createCache } from "../../platform/cache/cache.ts";
import { keptFor } from "../../platform/kept-for.ts";
import { type Columns, type Dataset, type Macro, storedColumns } from "../../platform/lake/dataset.ts";
import { documented } from "../../platform/route-doc.ts";
import { COUNTED_FOR_MS, type StorageBytes } from "../../platform/storage-bytes.ts";
import { coverageAnswers, type ResolveFiler } from "./coverage.ts";
import { operationalTables } from "./operational.ts";
import {
  CacheReport,
  Catalogue,
  Coverage,
  DatabaseInfo,
  MonthlyCoverage,
  TablePath,
  TableSchema,
} from "./schema.ts";

export interface DatabaseDeps extends Pick<Services, "sqlite" | "lake" | "clock" | "cacheDeps"> {
  /** The bytes of the data folder by part. */
  storage(): Promise<StorageBytes>;
  readonly datasets: readonly Dataset[];
  readonly macros: readonly Macro[];
  readonly resolve: ResolveFiler;
  /** Guards the routes when API keys are configured. */
  readonly operator: Elysia;
  caches(): readonly Static<typeof CacheReport>["memories"][number][];
}

const tag = "database";
const GUARD = "When API_KEYS is set, only the admin may read it.";

const INFO = documented({
  tag,
  summary: "Everything that is stored",
  description: `Tables of the operational database (SQLite) and datasets of the lake (Parquet, queried with DuckDB), with their sizes. Rows of tables, and the sizes of the data folder, are counted every ten seconds at most. ${GUARD}`,
  answer: DatabaseInfo,
  answerDescription: "The tables.",
  errors: [401, 403],
});
const SCHEMA = documented({
  tag,
  summary: "Columns of a table or dataset",
  description: `The table must be one of GET /database/info. ${GUARD}`,
  answer: TableSchema,
  answerDescription: "The columns, with their units.",
  errors: [401, 403, "not_found"],
});
const CATALOGUE = documented({
  tag,
  summary: "What SQL can read: datasets and macros with their columns",
  description: `What docs/catalogue.md says, for programs: each dataset and macro with the meaning, type and unit of its columns. ${GUARD}`,
  answer: Catalogue,
  answerDescription: "The datasets and macros.",
  errors: [401, 403],
});
const OF_TICKER = documented({
  tag,
  summary: "What is stored about a ticker",
  description: `Number of rows, range of days and time of the newest row in each dataset; datasets of filings are searched by the filer behind the ticker. ${GUARD}`,
  answer: Coverage,
  rows: "data",
  answerDescription: "One entry per dataset.",
  errors: [401, 403, 404],
});
const BY_MONTH = documented({
  tag,
  summary: "Rows of each dataset by month",
  description: `By the day that rows are about, not the day they became known. Cached for 5 minutes. ${GUARD}`,
  answer: MonthlyCoverage,
  rows: "data",
  answerDescription: "One entry per dataset and month with rows.",
  errors: [401, 403],
  cached: true,
});
const CACHE = documented({
  tag,
  summary: "Contents and hit rates of the caches",
  description: `Counts cover this process since its start. ${GUARD}`,
  answer: CacheReport,
  answerDescription: "The caches.",
  errors: [401, 403],
});

const describeColumns = (columns: Columns) =>
  Object.entries(columns).map(([name, { type, nullable = false, unit = null, description }]) => ({
    name,
    type,
    nullable,
    unit,
    description,
  }));

const describeDataset = (dataset: Dataset): Static<typeof TableSchema> => ({
  table: dataset.name,
  kind: "dataset",
  says: dataset.description,
  key: [...dataset.key],
  columns: describeColumns(storedColumns(dataset)),
});

const describeMacro = (macro: Macro): Static<typeof Catalogue>["macros"][number] => ({
  name: macro.name,
  call: `${macro.name}(${macro.parameters.join(", ")})`,
  description: macro.description,
  returns:
    macro.kind === "scalar" ? [macro.returns.type, macro.returns.unit].filter(Boolean).join(", ") : null,
  columns: macro.kind === "table" ? describeColumns(macro.columns) : [],
});

const catalogueOf = (datasets: readonly Dataset[], macros: readonly Macro[]): Static<typeof Catalogue> => ({
  datasets: datasets.map((dataset) => ({
    name: dataset.name,
    description: dataset.description,
    key: [...dataset.key],
    keeps: dataset.fill,
    columns: describeColumns(storedColumns(dataset)),
  })),
  macros: macros.map(describeMacro),
});

/** The sizes of the parts under their names in the answer, and their sum. */
function sizesOf({ lake, replaced, vault, database, other }: StorageBytes) {
  return {
    size_bytes: lake + replaced + vault + database + other,
    storage: {
      lake_bytes: lake,
      replaced_bytes: replaced,
      vault_bytes: vault,
      database_bytes: database,
      other_bytes: other,
    },
  };
}

/** Builds the routes below /database. */
export function database(deps: DatabaseDeps) {
  const { sqlite, lake, datasets } = deps;
  const catalogue = catalogueOf(datasets, deps.macros);
  const operational = operationalTables(sqlite);
  const counts = keptFor(COUNTED_FOR_MS, deps.clock.nowMs, operational.counts);
  const coverage = coverageAnswers(deps);
  const months = createCache<Static<typeof MonthlyCoverage>>(
    { name: "coverage", ttlS: COVERAGE_CACHE_S, entriesMax: 1 },
    deps.cacheDeps,
  );

  const info = async (): Promise<Static<typeof DatabaseInfo>> => {
    const [duckdb] = await lake.query<{ version: string }>("SELECT version() AS version");
    const stats = lake.stats();
    const tables = (await counts()).map(({ name, rows }) => ({
      name,
      kind: "table",
      says: null,
      rows,
      size_bytes: null,
      files: null,
      first_date: null,
      last_date: null,
      last_updated: null,
    }));
    const series = stats.map(({ dataset, rows, bytes, files, first_date, last_date, last_known_at }) => ({
      name: dataset,
      kind: "dataset",
      says: datasets.find(({ name }) => name === dataset)?.description ?? null,
      rows,
      size_bytes: bytes,
      files,
      first_date,
      last_date,
      last_updated: last_known_at,
    }));
    return {
      engine: "SQLite for operations, Parquet read with DuckDB for series",
      version: `SQLite ${operational.version()}, DuckDB ${duckdb?.version ?? ""}`,
      ...sizesOf(await deps.storage()),
      tables: [...tables, ...series],
      migrations: { ...sqlite.migrations(), pending: [...sqlite.migrations().pending] },
    };
  };

  const schemaOf = (table: string): Static<typeof TableSchema> => {
    const dataset = datasets.find(({ name }) => name === table);
    if (dataset) return describeDataset(dataset);
    const columns = operational.columns(table);
    return {
      table,
      kind: "table",
      says: null,
      key: columns.filter(({ isKey }) => isKey).map(({ name }) => name),
      columns: columns.map(({ name, type, nullable }) => ({
        name,
        type,
        nullable,
        unit: null,
        description: null,
      })),
    };
  };

  const cache = (): Static<typeof CacheReport> => {
    const memories = [...deps.caches()];
    const total = (countOf: (each: (typeof memories)[number]) => number) =>
      memories.reduce((sum, each) => sum + countOf(each), 0);
    const [hits, misses] = [total((each) => each.hits), total((each) => each.misses)];
    return {
      entries: total((each) => each.entries),
      hits,
      misses,
      stale: total((each) => each.stale),
      hit_rate: hits + misses === 0 ? null : hits / (hits + misses),
      memories,
    };
  };

  const routes = new Elysia({ name: "database", prefix: "/database" })
    .use(deps.operator)
    .get("/info", info, { detail: INFO })
    .get("/tables/:table/schema", ({ params }) => schemaOf(params.table), {
      params: TablePath,
      detail: SCHEMA,
    })
    .get("/coverage/:ticker", ({ params, request }) => coverage.ofTicker(params.ticker, request.signal), {
      params: TickerPath,
      query: FormatQuery,
      detail: OF_TICKER,
    })
    .get(
      "/coverage",
      async ({ request }) => {
        const found = await months.get("months", coverage.byMonth, { signal: request.signal });
        const { state, storedAtMs, expiresAtMs } = found;
        return new Answer(() => found.value, { cache: { state, storedAtMs, expiresAtMs } });
      },
      { query: FormatQuery, detail: BY_MONTH },
    )
    .get("/catalogue", () => catalogue, { detail: CATALOGUE })
    .get("/cache", cache, { detail: CACHE });
  return { routes };
}
