// Which reads of stored prices wait for which, over an engine that does nothing.
import { afterEach, expect, test } from "bun:test";
import type { DuckDBConnection } from "@duckdb/node-api";
import { CONNECTIONS, duckDbOver } from "../../../platform/lake/duckdb.ts";
import type { ColumnsResult, Lake, QueryOptions } from "../../../platform/lake/lake.ts";
import { newestBases } from "./newest-basis.ts";
import { storedBars } from "./stored-bars.ts";
import { isHeavy } from "./stored-span.ts";

const RANGES = [{ start: "2016-01-01", end: "2025-12-31" }];
const symbolsOf = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, n) => `${prefix}${String(n).padStart(3, "0")}`);
const MANY = symbolsOf(300, "M");

const endings: (() => void)[] = [];
afterEach(() => {
  for (const end of endings.splice(0)) end();
});

/** A lake whose reads never end by themselves; `started` has the SQL of those that got a connection. */
function standingLake() {
  const started: string[] = [];
  const connections = Array.from({ length: CONNECTIONS }, () => ({ interrupt() {}, disconnectSync() {} }));
  const db = duckDbOver(connections as unknown as DuckDBConnection[], () => {});
  const over = Promise.withResolvers<void>();
  endings.push(over.resolve);
  const read = async (sql: string, options: QueryOptions = {}) => {
    await db.use(async () => {
      started.push(sql);
      await over.promise;
    }, options);
  };
  const lake: Pick<Lake, "query" | "columns" | "batches"> = {
    async batches(sql, _params, options) {
      await read(sql, options);
      return [];
    },
    async query(sql, _params, options) {
      await read(sql, options);
      return [];
    },
    async columns(sql, _params, options): Promise<ColumnsResult> {
      await read(sql, options);
      return { names: [], types: [], columns: [], rowCount: 0 };
    },
  };
  return { lake: lake as Lake, started, settle: () => new Promise<void>((done) => setImmediate(done)) };
}

type Read = (lake: Lake, symbols: readonly string[]) => Promise<unknown>;

const PAST = Temporal.Instant.from("2025-01-02T00:00:00Z");
/** Every read that an answer of stored bars makes of its symbols. */
const READS: Readonly<Record<string, Read>> = {
  bars: (lake, symbols) => storedBars(lake).bars(symbols, RANGES, null),
  days: (lake, symbols) => storedBars(lake).days(symbols, RANGES),
  count: (lake, symbols) => storedBars(lake).count(symbols, RANGES, null),
  actions: (lake, symbols) => storedBars(lake).actions(symbols, RANGES, null),
  "actions of the past": (lake, symbols) => storedBars(lake).actions(symbols, RANGES, PAST),
  "factors of refetched bars": (lake, symbols) =>
    storedBars(lake).factorsSince(new Map(symbols.map((symbol) => [symbol, "2025-01-02"]))),
  "factors of prices as traded": (lake, symbols) => storedBars(lake).tradeFactors(symbols, null),
  "days of actions": (lake, symbols) => storedBars(lake).actionDays(symbols, "2025-01-02"),
  "oldest bases": (lake, symbols) => storedBars(lake).oldestBases(symbols),
  "newest bases": (lake, symbols) => newestBases(lake, symbols, { ranges: RANGES }),
  "bars as columns": (lake, symbols) =>
    storedBars(lake).columnsAndActions({ symbols, ranges: RANGES, asOf: null }),
};

for (const [name, read] of Object.entries(READS))
  test(`a read of one symbol begins at once beside six of hundreds of symbols: ${name}`, async () => {
    const { lake, started, settle } = standingLake();
    for (let n = 0; n < 6; n++) void read(lake, MANY);
    await settle();
    expect(started).toHaveLength(2);
    for (const symbol of ["A", "B", "C", "D"]) void READS.bars?.(lake, [symbol]);
    await settle();
    expect(started.slice(2).map((sql) => /symbol = '(\w+)'/.exec(sql)?.[1])).toEqual(["A", "B", "C", "D"]);
  });

for (const [name, read] of Object.entries(READS))
  test(`a read of a few symbols waits for none of hundreds: ${name}`, async () => {
    const { lake, started, settle } = standingLake();
    for (let n = 0; n < 6; n++) void READS.bars?.(lake, MANY);
    await settle();
    expect(started).toHaveLength(2);
    const few = symbolsOf(9, "F");
    expect(isHeavy(few)).toBe(false);
    void read(lake, few);
    await settle();
    expect(started.length).toBeGreaterThan(2);
  });
