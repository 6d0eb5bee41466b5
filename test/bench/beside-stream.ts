// A cheap request every 20 ms while a large answer goes out, in each format, compressed and not: what the
// others wait.
import { join } from "node:path";
import { type Measurement, type StoredMarket, sample, steadyRandom, timed } from "./measure.ts";
import type { ServiceProcess } from "./service-process.ts";
import { withBoth } from "./stored-reads.ts";

const FORMATS = ["json", "ndjson", "csv", "parquet"] as const;
const SYMBOLS = 500;
const EVERY_MS = 20;
/** The longest wait of 99 of 100 cheap requests. */
const P99_MS = 100;
/** JSON serves fewer bars than the streamed formats: 500 symbols over three years. */
const JSON_YEARS = 3;

const ENCODINGS = ["identity", "gzip"] as const;

/** Starts asking for /health/live at a steady pace; `stop` gives the milliseconds of each answer. */
function startAsking(url: string) {
  const waits: Promise<number>[] = [];
  const timer = setInterval(() => {
    waits.push(timed(async () => (await fetch(`${url}/api/v1/health/live`)).bytes()));
  }, EVERY_MS);
  return {
    async stop(): Promise<number[]> {
      clearInterval(timer);
      return Promise.all(waits);
    },
  };
}

/** The value that 99 of 100 do not exceed. */
const p99 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1] ?? Number.NaN;

/** Reads an answer in a process of its own, so that the work of reading it does not count as waiting. */
async function readElsewhere(url: string, encoding: string): Promise<{ status: number; bytes: number }> {
  const script = join(import.meta.dir, "read-child.ts");
  const child = Bun.spawn([process.execPath, script, url, encoding], { stdout: "pipe", stderr: "inherit" });
  return JSON.parse(await new Response(child.stdout).text());
}

async function besideFormat(
  { url }: ServiceProcess,
  { symbols, years }: StoredMarket,
  format: (typeof FORMATS)[number],
  encoding: (typeof ENCODINGS)[number],
) {
  const tickers = sample(symbols, SYMBOLS, steadyRandom(3)).join(",");
  const last = years.at(-1) ?? 0;
  const first = format === "json" ? Math.max(years[0] ?? 0, last - JSON_YEARS + 1) : years[0];
  const path = `/api/v1/price/data?tickers=${tickers}&start_date=${first}-01-01&end_date=${last}-12-31&format=${format}`;
  const asking = startAsking(url);
  const { status, bytes } = await readElsewhere(url + path, encoding);
  const waits = await asking.stop();
  if (status !== 200) throw new Error(`${status} as ${format}`);
  const longest = p99(waits);
  return {
    what: `p99 of ${waits.length} cheap requests beside ${Math.round(bytes / 1e6)} MB as ${format} (${encoding}): ${longest.toFixed(0)} ms`,
    against: `${P99_MS} ms`,
    ratio: longest / P99_MS,
  };
}

export const besideStream: Measurement = {
  name: "beside-stream",
  description: `GET /health/live every ${EVERY_MS} ms while ${SYMBOLS} symbols × all years are sent`,
  goal: { kind: "at most", ratio: 1 },
  run: (setting) =>
    withBoth(setting, async (service) => {
      const market = await setting.market();
      const results = [];
      for (const format of FORMATS)
        for (const encoding of ENCODINGS) results.push(await besideFormat(service, market, format, encoding));
      return results;
    }),
};
