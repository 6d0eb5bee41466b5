// Stored bars over HTTP against the same query in this process: what the service adds to its engine.

import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { serveSample } from "../../sample/serve.ts";
import { DATASETS, MACROS } from "../../src/datasets/index.ts";
import { exchangeCalendar } from "../../src/market/calendar.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { readOn } from "../../src/platform/lake/duckdb.ts";
import { type Lake, openLake } from "../../src/platform/lake/lake.ts";
import {
  forEachSequential,
  type Measurement,
  ms,
  type Setting,
  sample,
  steadyRandom,
  timed,
} from "./measure.ts";
import { type ServiceProcess, startService } from "./service-process.ts";

/** A client of its own machine has no use for compression. */
const PLAIN = { headers: { "accept-encoding": "identity" } };
const SYMBOLS = 500;

/**
 * The bars as the service reads them: one symbol by equality, which DuckDB answers quicker than a list of
 * one.
 */
const bars = (
  condition: string,
) => `SELECT symbol, date, open, high, low, close, volume, adj_close FROM bars(NULL)
  WHERE ${condition} AND date BETWEEN $start::DATE AND $end::DATE ORDER BY symbol, date`;
const BARS_OF_ONE = bars("symbol = $symbol");
const BARS_OF_MANY = bars("symbol = ANY($symbols)");

interface Ask {
  readonly symbols: readonly string[];
  readonly start: string;
  readonly end: string;
}

const span = (year: number) => ({ start: `${year}-01-01`, end: `${year}-12-31` });

/** Both sides over one data folder: the real process, and the lake opened here. */
export async function withBoth<T>(
  { market }: Setting,
  work: (service: ServiceProcess, lake: Lake) => Promise<T>,
): Promise<T> {
  const { dataDir } = await market();
  const upstream = await serveSample({});
  const lake = await openLake({
    dir: dataDir,
    datasets: DATASETS,
    macros: MACROS,
    clock: systemClock,
    memoryLimit: "2GB",
  });
  const service = await startService({ DATA_DIR: dataDir, UPSTREAM_GATEWAY: upstream.url, JOBS: "off" });
  try {
    const result = await work(service, lake);
    const asked = upstream.traffic().total;
    if (asked > 0) throw new Error(`the stored market is not whole: the provider was asked ${asked} times`);
    return result;
  } finally {
    await service.stop();
    await lake.close();
    await upstream.stop();
  }
}

/** GET, its body read as bytes; anything but the wanted number of bars is no measurement. */
async function fetchBars(url: string, count: number): Promise<void> {
  const response = await fetch(url, PLAIN);
  const body = await response.bytes();
  const wanted = `"count":${count}`;
  if (
    response.status !== 200 ||
    body.byteLength < 100 ||
    !new TextDecoder().decode(headAndTail(body)).includes(wanted)
  )
    throw new Error(`${response.status} instead of ${wanted} from ${url.slice(0, 200)}`);
}

const headAndTail = (body: Uint8Array) => Buffer.concat([body.subarray(0, 400), body.subarray(-400)]);

const calendar = exchangeCalendar();

/** Every symbol of the stored market has every session. */
const barsIn = ({ symbols, start, end }: Ask) => symbols.length * calendar.sessionsBetween(start, end).length;

export const symbolYear: Measurement = {
  name: "symbol-year",
  description: "one stored symbol-year, GET /price/data/{ticker}",
  goal: { kind: "at most", ratio: 2 },
  run: (setting) =>
    withBoth(setting, async (service, lake) => {
      const { symbols, years } = await setting.market();
      const random = steadyRandom(1);
      const rounds = setting.quick ? 60 : 200;
      const asks = sample(symbols, rounds, random).map((symbol) => ({
        symbols: [symbol],
        ...span(years[Math.floor(random() * years.length)] ?? 0),
      }));
      const [http, engine] = await forEachSequential(
        asks,
        10,
        (ask) => {
          const url = `${service.url}/api/v1/price/data/${ask.symbols[0]}?start_date=${ask.start}&end_date=${ask.end}`;
          return timed(() => fetchBars(url, barsIn(ask)));
        },
        ({ symbols: [symbol = ""], start, end }) =>
          timed(() => lake.columns(BARS_OF_ONE, { symbol, start, end })),
      );
      return [{ what: `${ms(http)} over HTTP`, against: `${ms(engine)} in DuckDB`, ratio: http / engine }];
    }),
};

/**
 * The columns of an answer's bars, read from one file without the lake: neither corrections nor actions are
 * looked for.
 */
const RAW_COLUMNS = "symbol, date, open, high, low, close, volume, adj_close";

export const symbolYearRaw: Measurement = {
  name: "symbol-year-raw",
  description: "one stored symbol-year, GET /price/data/{ticker}",
  goal: { kind: "at most", ratio: 1.5 },
  run: (setting) =>
    withBoth(setting, async (service) => {
      const { dataDir, symbols, years } = await setting.market();
      const random = steadyRandom(3);
      const asks = sample(symbols, setting.quick ? 60 : 200, random).map((symbol) => ({
        symbol,
        year: years[Math.floor(random() * years.length)] ?? 0,
      }));
      const instance = await DuckDBInstance.create(":memory:", { memory_limit: "2GB" });
      const connection = await instance.connect();
      const [http, raw] = await forEachSequential(
        asks,
        10,
        ({ symbol, year }) => {
          const { start, end } = span(year);
          const url = `${service.url}/api/v1/price/data/${symbol}?start_date=${start}&end_date=${end}`;
          return timed(() => fetchBars(url, barsIn({ symbols: [symbol], start, end })));
        },
        ({ symbol, year }) =>
          timed(async () => {
            const file = join(dataDir, `lake/bars_daily/year=${year}/base-1.parquet`);
            const found = await readOn(
              connection,
              `SELECT ${RAW_COLUMNS} FROM read_parquet('${file}') WHERE symbol = $symbol ORDER BY date`,
              { symbol },
            );
            if (found.rowCount !== barsIn({ symbols: [symbol], ...span(year) }))
              throw new Error("other bars");
          }),
      );
      connection.disconnectSync();
      instance.closeSync();
      return [
        {
          what: `${ms(http)} over HTTP`,
          against: `${ms(raw)} for read_parquet of the file`,
          ratio: http / raw,
        },
      ];
    }),
};

/** Reads these rows and writes them as objects by symbol: the least that the route's JSON needs. */
async function queryAndWrite(lake: Lake, { symbols, start, end }: Ask): Promise<number> {
  const { names, columns, rowCount: rows } = await lake.columns(BARS_OF_MANY, { symbols, start, end });
  const series: Record<string, Record<string, unknown>[]> = {};
  for (let row = 0; row < rows; row++) {
    const bar: Record<string, unknown> = {};
    for (let column = 1; column < names.length; column++) bar[names[column] ?? ""] = columns[column]?.[row];
    const symbol = String(columns[0]?.[row]);
    const list = series[symbol];
    if (list) list.push(bar);
    else series[symbol] = [bar];
  }
  return JSON.stringify({ bars: series }).length;
}

export const manySymbols: Measurement = {
  name: "many-symbols",
  description: `${SYMBOLS} symbols × 1 year as JSON, GET /price/data`,
  goal: { kind: "at most", ratio: 1.2 },
  run: (setting) =>
    withBoth(setting, async (service, lake) => {
      const { symbols, years } = await setting.market();
      const random = steadyRandom(2);
      const rounds = setting.quick ? 8 : 24;
      const asks = Array.from({ length: rounds }, (_, i) => ({
        symbols: sample(symbols, SYMBOLS, random),
        ...span(years[i % years.length] ?? 0),
      }));
      const [http, engine] = await forEachSequential(
        asks,
        2,
        (ask) => {
          const url = `${service.url}/api/v1/price/data?tickers=${ask.symbols.join(",")}&start_date=${ask.start}&end_date=${ask.end}`;
          return timed(() => fetchBars(url, barsIn(ask)));
        },
        (ask) => timed(() => queryAndWrite(lake, ask)),
      );
      const against = `${ms(engine)} in DuckDB and JSON.stringify`;
      const rows = asks[0] ? barsIn(asks[0]) : 0;
      return [{ what: `${ms(http)} for ${rows} bars over HTTP`, against, ratio: http / engine }];
    }),
};
