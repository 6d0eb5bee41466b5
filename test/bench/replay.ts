// Reads of an earlier data version beside those of the newest, and the ledger of changes beside COPY of its
// rows.
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { barsDaily } from "../../src/datasets/index.ts";
import type { RowOf } from "../../src/platform/lake/dataset.ts";
import { batchOf, openLake } from "../../src/platform/lake/lake.ts";
import {
  forEachSequential,
  type Measurement,
  ms,
  type Result,
  type Setting,
  sample,
  steadyRandom,
  timed,
} from "./measure.ts";
import type { ServiceProcess } from "./service-process.ts";
import { LAKE } from "./stored-market.ts";
import { withBoth } from "./stored-reads.ts";

const REREAD = 200;
const MANY = 500;
const LEDGER_LIMIT = 1_000_000;

/**
 * Works on a copy of the market in which `REREAD` symbols were read again after a version, so that files hold
 * rows of both.
 */
async function withVersion<T>(
  setting: Setting,
  work: (service: ServiceProcess, version: number) => Promise<T>,
): Promise<T> {
  const market = await setting.market();
  const folder = await mkdtemp(join(tmpdir(), "asof-bench-replay-"));
  const dataDir = join(folder, "data");
  try {
    await cp(market.dataDir, dataDir, { recursive: true });
    const lake = await openLake({ ...LAKE, dir: dataDir });
    const version = await lake.generation();
    const symbols = sample(market.symbols, REREAD, steadyRandom(7));
    const rows = await lake.query<RowOf<typeof barsDaily>>(
      "SELECT * EXCLUDE (recorded) REPLACE (volume + 1 AS volume) FROM bars_daily WHERE symbol = ANY($symbols)",
      { symbols },
    );
    const replacement = { by: ["symbol"], groups: symbols.map((symbol) => [symbol]) };
    await lake.append([{ ...batchOf(barsDaily, rows), replacement }]);
    await lake.compact({ force: true });
    await lake.close();
    const copied = async () => ({ ...market, dataDir });
    return await withBoth({ ...setting, market: copied }, (service) => work(service, version));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads an answer to its end; returns its bytes. */
async function read({ url }: ServiceProcess, path: string): Promise<number> {
  const response = await fetch(url + path, { headers: { "accept-encoding": "identity" } });
  if (response.status !== 200 || !response.body)
    throw new Error(`${response.status} of ${path.slice(0, 120)}`);
  let bytes = 0;
  for await (const piece of response.body) bytes += piece.byteLength;
  return bytes;
}

export const replayedReads: Measurement = {
  name: "replay",
  description: "bars of an earlier data version, GET /price/data?data_version=",
  goal: { kind: "at most", ratio: 1.3 },
  run: (setting) =>
    withVersion(setting, async (service, version) => {
      const { symbols, years } = await setting.market();
      const random = steadyRandom(8);
      const span = `start_date=${years.at(-1)}-01-01&end_date=${years.at(-1)}-12-31`;
      const many = sample(symbols, MANY, random).join(",");
      const kinds = [
        {
          what: "one symbol-year",
          paths: sample(symbols, setting.quick ? 60 : 200, random).map((one) => `/${one}?`),
          warm: 10,
        },
        {
          what: `${MANY} symbols × 1 year as JSON`,
          paths: Array.from({ length: 7 }, () => `?tickers=${many}&`),
          warm: 2,
        },
        {
          what: "the same as CSV",
          paths: Array.from({ length: 7 }, () => `?format=csv&tickers=${many}&`),
          warm: 2,
        },
      ];
      const results: Result[] = [];
      for (const { what, paths, warm } of kinds) {
        const [then, now] = await forEachSequential(
          paths,
          warm,
          (path) => timed(() => read(service, `/api/v1/price/data${path}${span}&data_version=${version}`)),
          (path) => timed(() => read(service, `/api/v1/price/data${path}${span}`)),
        );
        results.push({
          what: `${what}: ${ms(then)}`,
          against: `${ms(now)} of the newest`,
          ratio: then / now,
        });
      }
      return results;
    }),
};

/** COPY of rows that a Parquet file has, in another file beside it. */
const COPIES = {
  ndjson: "(FORMAT json)",
  csv: "(FORMAT csv)",
  parquet: "(FORMAT parquet, COMPRESSION zstd)",
} as const;

export const ledgerStream: Measurement = {
  name: "ledger",
  description: "all changes as rows, GET /changes?since=0&format=",
  goal: { kind: "at least", ratio: 0.5 },
  run: (setting) =>
    withVersion(setting, async (service) => {
      const folder = await mkdtemp(join(tmpdir(), "asof-bench-ledger-"));
      const results: Result[] = [];
      try {
        const all = `/api/v1/changes?since=0&limit=${LEDGER_LIMIT}&format=`;
        const file = join(folder, "ledger.parquet");
        await Bun.write(file, await fetch(`${service.url}${all}parquet`));
        const instance = await DuckDBInstance.create(":memory:", { memory_limit: LAKE.memoryLimit });
        const connection = await instance.connect();
        for (const [format, form] of Object.entries(COPIES)) {
          let bytes = 0;
          const [http, engine] = await forEachSequential(
            [1, 2, 3, 4],
            1,
            () =>
              timed(async () => {
                bytes = await read(service, all + format);
              }),
            () =>
              timed(() =>
                connection.run(`COPY (FROM read_parquet('${file}')) TO '${join(folder, "copy")}' ${form}`),
              ),
          );
          const what = `${ms(http)} for ${Math.round(bytes / 1e6)} MB as ${format}`;
          results.push({ what, against: `${ms(engine)} for COPY of the same rows`, ratio: engine / http });
        }
        connection.closeSync();
        return results;
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    }),
};
