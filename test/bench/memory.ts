// Resident memory of the process under mixed load: what it takes after a while against what it took at first.
import { SUGGESTED } from "../../sample/market.ts";
import { serveSample } from "../../sample/serve.ts";
import { type Measurement, median, type StoredMarket, sample } from "./measure.ts";
import { type Ask, type Met, startLoad } from "./mixed-load.ts";
import { type ServiceProcess, startService } from "./service-process.ts";

const CLIENTS = 8;
const PAUSE_MS = 20;

/** Mostly single series and quotes, some many-symbol answers, in each format. */
function nextOf({ symbols, years }: StoredMarket) {
  return (random: () => number): Ask => {
    const year = years[Math.floor(random() * years.length)];
    const span = `start_date=${year}-01-01&end_date=${year}-12-31`;
    const [one] = sample(symbols, 1, random);
    const kind = random();
    if (kind < 0.55) return { path: `/api/v1/price/data/${one}?${span}` };
    if (kind < 0.75)
      return { path: `/api/v1/price/quote/${SUGGESTED[Math.floor(random() * SUGGESTED.length)]}` };
    if (kind < 0.8) return { path: "/api/v1/health" };
    const format = ["json", "csv", "ndjson", "parquet"][Math.floor(random() * 4)];
    const tickers = sample(symbols, 40, random).join(",");
    return { path: `/api/v1/price/data?tickers=${tickers}&${span}&format=${format}` };
  };
}

/**
 * The median over a span around a moment after the start of the load, in seconds: memory goes up and down
 * with the collector, by a fifth and more within a minute.
 */
async function residentAround(service: ServiceProcess, seconds: number, span: number, since: number) {
  await Bun.sleep(Math.max(0, since + (seconds - span / 2) * 1000 - performance.now()));
  const seen: number[] = [];
  for (let i = 0; i < span; i++) {
    seen.push(service.residentBytes());
    await Bun.sleep(1000);
  }
  return median(seen);
}

export const memory: Measurement = {
  name: "memory",
  description: "resident memory under mixed load",
  goal: { kind: "at most", ratio: 1.1 },
  async run({ market, quick, tell }) {
    const stored = await market();
    const [early, late, span] = quick ? [10, 60, 10] : [60, 600, 60];
    tell(`mixed load for ${late} s`);
    const upstream = await serveSample({});
    const service = await startService({ DATA_DIR: stored.dataDir, UPSTREAM_GATEWAY: upstream.url });
    const refusals: Met[] = [];
    const since = performance.now();
    const load = startLoad(service.url, {
      clients: CLIENTS,
      pauseMs: PAUSE_MS,
      next: nextOf(stored),
      refused: (met) => refusals.push(met),
    });
    try {
      const before = await residentAround(service, early, span, since);
      const after = await residentAround(service, late, span, since);
      const [first] = refusals;
      if (first) throw new Error(`${refusals.length} requests failed, first ${first.path}: ${first.body}`);
      const mb = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
      return [
        {
          what: `${mb(after)} after ${late} s, ${load.answered()} requests`,
          against: `${mb(before)} after ${early} s`,
          ratio: after / before,
        },
      ];
    } finally {
      await load.stop();
      await service.stop();
      await upstream.stop();
    }
  },
};
