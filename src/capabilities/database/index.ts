// What is stored: tables, columns, coverage, cache. Its face: what it needs, and its routes. Reads only.
import type { Static } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { COVERAGE_CACHE_S } from "../../limits.ts";
import { Answer } from "../../platform/answer.ts";
import { type CacheDeps, createCache } from "../../platform/cache/cache.ts";
import type { Dataset } from "../../platform/lake/dataset.ts";
import type { Lake } from "../../platform/lake/lake.ts";
import { documented } from "../../platform/route-doc.ts";
import type { Store } from "../../platform/sqlite/sqlite.ts";
import { coverageAnswers, type ResolveFiler } from "./coverage.ts";
import { operationalTables } from "./operational.ts";
import {
  CacheReport,
  Coverage,
  DatabaseInfo,
  MonthlyCoverage,
  TablePath,
  TableSchema,
  TickerPath,
} from "./schema.ts";

export interface DatabaseNeeds {
  readonly sqlite: Store;
  readonly lake: Lake;
  readonly datasets: readonly Dataset[];
  readonly resolve: ResolveFiler;
  readonly cacheDeps: CacheDeps;
  /** Guards the routes once the server takes keys. */
  readonly operator: Elysia;
  caches(): readonly Static<typeof CacheReport>["memories"][number][];
}

const tag = "database";
const GUARD = "Once API_KEYS is set, for the admin only.";

const INFO = documented({
  tag,
  summary: "Everything that is stored",
  description: `Tables of the operational database (SQLite) and datasets of the lake (Parquet, queried with DuckDB), with their sizes. ${GUARD}`,
  answer: DatabaseInfo,
  answerDescription: "The tables.",
  errors: [401, 403],
});
const SCHEMA = documented({
  tag,
  summary: "Columns of a table or dataset",
  description: `Those of GET /database/info; no other name is looked at. ${GUARD}`,
  answer: TableSchema,
  answerDescription: "The columns, with units where they have one.",
  errors: [401, 403, "not_found"],
});
const OF_TICKER = documented({
  tag,
  summary: "What is stored of a ticker",
  description: `Rows, days and newest knowledge in each dataset; datasets of filings by the filer behind the ticker. ${GUARD}`,
  answer: Coverage,
  answerDescription: "One entry a dataset.",
  errors: [401, 403, 404],
});
const BY_MONTH = documented({
  tag,
  summary: "Rows of each dataset by month",
  description: `By the day the rows are about, not the day they became known. Remembered for 5 minutes. ${GUARD}`,
  answer: MonthlyCoverage,
  answerDescription: "One entry a dataset and month with rows.",
  errors: [401, 403],
  cached: true,
});
const CACHE = documented({
  tag,
  summary: "What is remembered, and how often that helped",
  description: `Counts are of this process since its start. ${GUARD}`,
  answer: CacheReport,
  answerDescription: "The memories.",
  errors: [401, 403],
});

function describeDataset(dataset: Dataset): Static<typeof TableSchema> {
  return {
    table: dataset.name,
    kind: "dataset",
    says: dataset.description,
    key: [...dataset.key],
    columns: Object.entries(dataset.columns).map(
      ([name, { type, nullable = false, unit = null, description }]) => ({
        name,
        type,
        nullable,
        unit,
        description,
      }),
    ),
  };
}

/** Composes the routes below /database. */
export function database(needs: DatabaseNeeds) {
  const { sqlite, lake, datasets } = needs;
  const operational = operationalTables(sqlite);
  const coverage = coverageAnswers(needs);
  const months = createCache<Static<typeof MonthlyCoverage>>(
    { name: "coverage", ttlS: COVERAGE_CACHE_S, entriesMax: 1 },
    needs.cacheDeps,
  );

  const info = async (): Promise<Static<typeof DatabaseInfo>> => {
    const [duckdb] = await lake.query<{ version: string }>("SELECT version() AS version");
    const stats = lake.stats();
    const tables = operational.counts().map(({ name, rows }) => ({
      ...{ name, kind: "table", says: null, rows, size_bytes: null, files: null },
      ...{ first_date: null, last_date: null, last_updated: null },
    }));
    const series = stats.map(({ dataset, rows, bytes, files, first_date, last_date, last_known_at }) => ({
      ...{ name: dataset, kind: "dataset", rows, size_bytes: bytes, files, first_date, last_date },
      says: datasets.find(({ name }) => name === dataset)?.description ?? null,
      last_updated: last_known_at,
    }));
    return {
      engine: "SQLite for operations, Parquet read with DuckDB for series",
      version: `SQLite ${operational.version()}, DuckDB ${duckdb?.version ?? ""}`,
      size_bytes: operational.sizeBytes() + stats.reduce((sum, { bytes }) => sum + bytes, 0),
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
        ...{ name, type, nullable },
        unit: null,
        description: null,
      })),
    };
  };

  const cache = (): Static<typeof CacheReport> => {
    const memories = [...needs.caches()];
    const total = (of: (memory: (typeof memories)[number]) => number) =>
      memories.reduce((sum, memory) => sum + of(memory), 0);
    const [hits, misses] = [total((m) => m.hits), total((m) => m.misses)];
    return {
      entries: total((m) => m.entries),
      ...{ hits, misses, stale: total((m) => m.stale) },
      hit_rate: hits + misses === 0 ? null : hits / (hits + misses),
      memories,
    };
  };

  const routes = new Elysia({ name: "database", prefix: "/database" })
    .use(needs.operator)
    .get("/info", info, { detail: INFO })
    .get("/tables/:table/schema", ({ params }) => schemaOf(params.table), {
      params: TablePath,
      detail: SCHEMA,
    })
    .get("/coverage/:ticker", ({ params, request }) => coverage.ofTicker(params.ticker, request.signal), {
      params: TickerPath,
      detail: OF_TICKER,
    })
    .get(
      "/coverage",
      async ({ request }) => {
        const found = await months.get("months", coverage.byMonth, { signal: request.signal });
        const { state, storedAtMs, expiresAtMs } = found;
        return new Answer(() => found.value, { cache: { state, storedAtMs, expiresAtMs } });
      },
      { detail: BY_MONTH },
    )
    .get("/cache", cache, { detail: CACHE });
  return { routes };
}
