// Fetches symbols that are not stored yet, against the least time the provider's pace allows.
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

export const coldFetch: Measurement = {
  name: "cold-fetch",
  description: "symbols fetched for the first time, GET /price/data",
  goal: { kind: "at most", ratio: 1.1 },
  async run({ quick, tell }) {
    const count = quick ? 40 : 500;
    const boundMs = count * yahooPolicy.spacingMsMin;
    tell(`fetching ${count} symbols at the provider's pace: ${Math.ceil(boundMs / 1000)} s`);
    const dataDir = await mkdtemp(join(tmpdir(), "asof-bench-"));
    const upstream = await serveSample({ symbols: NAMED_LISTINGS + count });
    const service = await startService({ DATA_DIR: dataDir, UPSTREAM_GATEWAY: upstream.url, JOBS: "off" });
    try {
      const tickers = upstream.market.symbols().slice(-count).join(",");
      const end = addDays(newYorkDate(systemClock.now()), -7);
      const url = `${service.url}/api/v1/price/data?tickers=${tickers}&start_date=${addDays(end, -365)}&end_date=${end}`;
      let returned = 0;
      const took = await timed(async () => {
        const response = await fetch(url, { signal: AbortSignal.timeout(400_000) });
        const answer = (await response.json()) as { symbols_returned?: number };
        returned = answer.symbols_returned ?? 0;
      });
      if (returned !== count) throw new Error(`${returned} of ${count} symbols came`);
      const s = (x: number) => `${(x / 1000).toFixed(1)} s`;
      const asked = upstream.traffic().total;
      return [
        {
          what: `${s(took)} for ${count} symbols, ${asked} requests`,
          against: `${s(boundMs)} at ${yahooPolicy.spacingMsMin} ms a request`,
          ratio: took / boundMs,
        },
      ];
    } finally {
      await service.stop();
      await upstream.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};
