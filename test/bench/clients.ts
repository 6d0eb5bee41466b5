// Many clients at once with a mixed load: what each kind of request takes beside the others, and how many
// symbol-years a second the service answers beside DuckDB alone with as many readers.

import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import {
  type Measurement,
  median,
  ms,
  type Result,
  type StoredMarket,
  sample,
  steadyRandom,
} from "./measure.ts";
import type { ServiceProcess } from "./service-process.ts";
import { withBoth } from "./stored-reads.ts";

const CLIENTS = [1, 5, 25] as const;
const SECONDS = 15;
const QUICK_SECONDS = 5;
const MANY = 50;
const COLUMNS = "symbol, date, open, high, low, close, volume, adj_close";

type Kind = "symbol-year" | "50 symbols × 1 year" | "a week of one symbol" | "10 years of 20 symbols as csv";
/**
 * Of a hundred requests. Statements and the panel have measurements of their own: this market has neither.
 */
const SHARES: readonly (readonly [Kind, number])[] = [
  ["symbol-year", 50],
  ["a week of one symbol", 25],
  ["50 symbols × 1 year", 20],
  ["10 years of 20 symbols as csv", 5],
];

function pathsOf({ symbols, years }: StoredMarket, random: () => number): (kind: Kind) => string {
  const one = () => symbols[Math.floor(random() * symbols.length)] ?? "";
  const year = () => years[Math.floor(random() * years.length)] ?? 0;
  return (kind) => {
    const asked = year();
    const span = `start_date=${asked}-01-01&end_date=${asked}-12-31`;
    switch (kind) {
      case "symbol-year":
        return `/api/v1/price/data/${one()}?${span}`;
      case "a week of one symbol":
        return `/api/v1/price/data/${one()}?start_date=${asked}-03-01&end_date=${asked}-03-10`;
      case "50 symbols × 1 year":
        return `/api/v1/price/data?tickers=${sample(symbols, MANY, random).join(",")}&${span}`;
      case "10 years of 20 symbols as csv":
        return `/api/v1/price/data?tickers=${sample(symbols, 20, random).join(",")}&start_date=${years[0]}-01-01&end_date=${years.at(-1)}-12-31&format=csv`;
    }
  };
}

function kindOf(random: () => number): Kind {
  let left = random() * 100;
  for (const [kind, share] of SHARES) {
    left -= share;
    if (left < 0) return kind;
  }
  return "symbol-year";
}

const share = (values: readonly number[], part: number) =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1] ?? Number.NaN;

/** Clients that each ask for one thing after the other; the milliseconds of each answer by kind. */
async function underLoad(
  { url }: ServiceProcess,
  market: StoredMarket,
  clients: number,
  seconds: number,
  only?: Kind,
) {
  const took = new Map<Kind, number[]>();
  const until = performance.now() + seconds * 1_000;
  const client = async (seed: number) => {
    const random = steadyRandom(seed);
    const pathOf = pathsOf(market, random);
    while (performance.now() < until) {
      const kind = only ?? kindOf(random);
      const started = performance.now();
      const response = await fetch(url + pathOf(kind), { headers: { "accept-encoding": "identity" } });
      await response.bytes();
      if (response.status !== 200) throw new Error(`${response.status} for ${kind}`);
      const known = took.get(kind);
      if (known) known.push(performance.now() - started);
      else took.set(kind, [performance.now() - started]);
    }
  };
  // No two runs ask the same: what was asked before is answered from memory.
  const first = clients * 100 + (only === undefined ? 0 : 50);
  await Promise.all(Array.from({ length: clients }, (_, i) => client(first + i)));
  return took;
}

/** Symbol-years a second of DuckDB alone over the same files, with a connection for each client. */
async function engineAlone({ dataDir, symbols, years }: StoredMarket, clients: number, seconds: number) {
  const instance = await DuckDBInstance.create(":memory:", { memory_limit: "2GB" });
  const until = performance.now() + seconds * 1_000;
  let count = 0;
  const client = async (seed: number) => {
    const random = steadyRandom(seed);
    const connection = await instance.connect();
    while (performance.now() < until) {
      const symbol = symbols[Math.floor(random() * symbols.length)] ?? "";
      const year = years[Math.floor(random() * years.length)] ?? 0;
      const file = join(dataDir, `lake/bars_daily/year=${year}/base-1.parquet`);
      const read = await connection.runAndReadAll(
        `SELECT ${COLUMNS} FROM read_parquet('${file}') WHERE symbol = '${symbol}' ORDER BY date`,
      );
      if (read.getColumns()[0]?.length === 0) throw new Error("no bars");
      count += 1;
    }
    connection.disconnectSync();
  };
  await Promise.all(Array.from({ length: clients }, (_, i) => client(i)));
  instance.closeSync();
  return count / seconds;
}

export const clients: Measurement = {
  name: "clients",
  description: "many clients with a mixed load; symbol-years alone beside DuckDB with as many readers",
  goal: { kind: "at least", ratio: 0.6 },
  run: (setting) =>
    withBoth(setting, async (service) => {
      const market = await setting.market();
      const seconds = setting.quick ? QUICK_SECONDS : SECONDS;
      await underLoad(service, market, 2, 1);
      const results: Result[] = [];
      for (const count of CLIENTS) {
        const took = await underLoad(service, market, count, seconds);
        for (const [kind] of SHARES) {
          const own = took.get(kind) ?? [];
          setting.tell(
            `${count} clients, ${kind}: ${own.length} answers, p50 ${ms(median(own))}, p99 ${ms(share(own, 0.99))}`,
          );
        }
        const answers = [...took.values()].reduce((sum, { length }) => sum + length, 0);
        setting.tell(`${count} clients: ${(answers / seconds).toFixed(1)} answers a second`);
        const alone =
          (await underLoad(service, market, count, seconds, "symbol-year")).get("symbol-year") ?? [];
        const engine = await engineAlone(market, count, seconds);
        const rate = alone.length / seconds;
        results.push({
          what: `${rate.toFixed(1)} symbol-years a second for ${count} clients, p50 ${ms(median(alone))}, p99 ${ms(share(alone, 0.99))}`,
          against: `${engine.toFixed(1)} of DuckDB alone`,
          ratio: rate / engine,
        });
      }
      return results;
    }),
};
