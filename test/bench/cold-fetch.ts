// Fetches symbols that are not stored yet: the first rows, and all of them against the least time the
// provider's pace allows.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NAMED_LISTINGS } from "../../sample/market.ts";
import { serveSample } from "../../sample/serve.ts";
import { newYorkDate } from "../../src/market/calendar.ts";
import { addDays } from "../../src/market/date.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { yahooPolicy } from "../../src/providers/yahoo/index.ts";
import { type Measurement, timed } from "./measure.ts";
import { startService } from "./service-process.ts";

/** Requests so many symbols that were never read, and measures how long it takes. */
async function coldRequest(count: number, wait: string) {
  const dataDir = await mkdtemp(join(tmpdir(), "asof-bench-"));
  const upstream = await serveSample({ symbols: NAMED_LISTINGS + count });
  const service = await startService({ DATA_DIR: dataDir, UPSTREAM_GATEWAY: upstream.url, JOBS: "off" });
  try {
    const tickers = upstream.market.symbols().slice(-count).join(",");
    const end = addDays(newYorkDate(systemClock.now()), -7);
    const url = `${service.url}/api/v1/price/data?tickers=${tickers}&start_date=${addDays(end, -365)}&end_date=${end}${wait}`;
    let returned = 0;
    const took = await timed(async () => {
      const response = await fetch(url, { signal: AbortSignal.timeout(400_000) });
      const answer = (await response.json()) as { symbols_returned?: number };
      returned = answer.symbols_returned ?? 0;
    });
    return { took, returned, asked: upstream.traffic().total };
  } finally {
    await service.stop();
    await upstream.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const s = (x: number) => `${(x / 1000).toFixed(1)} s`;

export const coldFetch: Measurement = {
  name: "cold-fetch",
  description: "symbols fetched for the first time, GET /price/data with wait=200",
  goal: { kind: "at most", ratio: 1.1 },
  async run({ quick, tell }) {
    const count = quick ? 40 : 500;
    const boundMs = count * yahooPolicy.spacingMsMin;
    tell(`fetching ${count} symbols at the provider's pace: ${Math.ceil(boundMs / 1000)} s`);
    const { took, returned, asked } = await coldRequest(count, "&wait=200");
    if (returned !== count) throw new Error(`${returned} of ${count} symbols came`);
    return [
      {
        what: `${s(took)} for ${count} symbols, ${asked} requests`,
        against: `${s(boundMs)} at ${yahooPolicy.spacingMsMin} ms a request`,
        ratio: took / boundMs,
      },
    ];
  },
};

const FIRST_MS_MAX = 10_000;

export const coldFirst: Measurement = {
  name: "cold-first",
  description: "first bars of 500 symbols that were never asked for, GET /price/data",
  goal: { kind: "at most", ratio: 1 },
  async run() {
    const { took, returned } = await coldRequest(500, "");
    if (returned === 0) throw new Error("no bar came");
    return [
      {
        what: `${s(took)} for ${returned} symbols, the others left to the background`,
        against: s(FIRST_MS_MAX),
        ratio: took / FIRST_MS_MAX,
      },
    ];
  },
};
