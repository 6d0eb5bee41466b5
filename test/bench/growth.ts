// `bun test/bench/growth.ts [--years N] [SYMBOLS…]`: how a lake grows with its symbols, each size in a folder
// of its own, with the exponent of each figure: 1 grows as the symbols do, 0 not at all. With `--filers
// [COMPANIES…]` the same of what is stored of companies.

import { readFileSync } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { cpus } from "node:os";
import { join, resolve } from "node:path";
import { serveSample } from "../../sample/serve.ts";
import { barsDaily } from "../../src/datasets/index.ts";
import { exchangeCalendar } from "../../src/market/calendar.ts";
import { batchOf, openLake } from "../../src/platform/lake/lake.ts";
import { readManifest } from "../../src/platform/lake/manifest.ts";
import { filerFigures } from "./filer-growth.ts";
import { median, type StoredMarket, sample, steadyRandom } from "./measure.ts";
import { type ServiceProcess, startService } from "./service-process.ts";
import { YEARS as FILER_YEARS } from "./stored-filers.ts";
import { LAKE, storedMarket } from "./stored-market.ts";
import { cloneLake, storedPanel } from "./stored-panel.ts";

const SIZES = [1_000, 5_000, 11_000];
/** Companies, 1 : 4 : 12; each has 840 trades, 2,394 filings and 5,880 figures. */
const FILERS = [100, 400, 1_200];
const YEARS = 10;
const FOLDER = resolve(import.meta.dir, "../../data/bench");
const READS = 40;
const DAYS = 6;
const COMMITS = 15;
/** Ticks of processor time in a second, as Linux counts them. */
const TICKS = 100;

const tell = (line: string) => void process.stderr.write(`${line}\n`);
const calendar = exchangeCalendar();

/** Seconds of the wall and of the processor that a piece of work took. */
interface Cost {
  readonly wallMs: number;
  readonly processorMs: number;
}

/** One line of the table: a name with its unit, and the figure of a size. */
type Figures = Record<string, number>;

const numberIn = (path: string, pattern: RegExp) => Number(pattern.exec(readFileSync(path, "utf8"))?.[1]);

function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return ((Number(fields[11]) + Number(fields[12])) / TICKS) * 1_000;
}

const peakBytes = ({ pid }: ServiceProcess) => numberIn(`/proc/${pid}/status`, /VmHWM:\s+(\d+)/) * 1024;

/**
 * Runs each piece of work once; the median by the wall, the mean by the processor, of which the first fifth
 * counts as warming up.
 */
async function costOf(pid: number, works: readonly (() => Promise<unknown>)[]): Promise<Cost> {
  const warmups = Math.ceil(works.length / 5);
  const wall: number[] = [];
  let before = 0;
  for (const [at, work] of works.entries()) {
    if (at === warmups) before = processorMs(pid);
    const startedAt = performance.now();
    await work();
    if (at >= warmups) wall.push(performance.now() - startedAt);
  }
  return { wallMs: median(wall), processorMs: (processorMs(pid) - before) / (works.length - warmups) };
}

async function fetched(url: string, least: number): Promise<void> {
  const response = await fetch(url, { headers: { "accept-encoding": "identity" } });
  const { byteLength } = await response.bytes();
  if (response.status !== 200 || byteLength < least) throw new Error(`${response.status} from ${url}`);
}

/** One symbol's bars of one year over HTTP. */
async function symbolYears({ dataDir, symbols, years }: StoredMarket): Promise<Figures> {
  const upstream = await serveSample({});
  const service = await startService({ DATA_DIR: dataDir, UPSTREAM_GATEWAY: upstream.url, JOBS: "off" });
  const random = steadyRandom(1);
  try {
    const startMb = service.residentBytes() / 1e6;
    const cost = await costOf(
      service.pid,
      sample(symbols, READS, random).map((symbol) => () => {
        const year = years[Math.floor(random() * years.length)];
        const span = `start_date=${year}-01-01&end_date=${year}-12-31`;
        return fetched(`${service.url}/api/v1/price/data/${symbol}?${span}`, 20_000);
      }),
    );
    if (upstream.traffic().total > 0) throw new Error("the stored market is not whole");
    return {
      "resident memory when ready, MB": startMb,
      "resident memory, most with symbol-years, MB": peakBytes(service) / 1e6,
      "a symbol-year over HTTP, ms": cost.wallMs,
      "– processor, ms": cost.processorMs,
    };
  } finally {
    await service.stop();
    await upstream.stop();
  }
}

/** Every row of one day of the panel over HTTP. */
async function panelDays({ dataDir, years }: StoredMarket): Promise<Figures> {
  const service = await startService({ DATA_DIR: dataDir, JOBS: "off" });
  try {
    const days = calendar.sessionsBetween(`${years[0]}-01-01`, `${years.at(-1)}-12-31`);
    const some = sample(days, DAYS, steadyRandom(2));
    const path = `${service.url}/api/v1/shortvolume/pit-panel`;
    const cost = await costOf(
      service.pid,
      some.map((day) => () => fetched(`${path}?start_date=${day}&end_date=${day}&format=ndjson`, 10_000)),
    );
    return {
      "a panel-day as ndjson, ms": cost.wallMs,
      "– its processor, ms": cost.processorMs,
      "resident memory, most with panel-days, MB": peakBytes(service) / 1e6,
    };
  } finally {
    await service.stop();
  }
}

/** Rows, files and bytes; then, on a copy, the Delta logs made from nothing, and commits of one bar. */
async function storage({ dataDir, years }: StoredMarket): Promise<Figures> {
  const manifestPath = join(dataDir, "lake", "manifest.json");
  const { files } = await readManifest(manifestPath);
  const sum = (of: (file: (typeof files)[number]) => number) =>
    files.reduce((all, file) => all + of(file), 0);
  const copy = `${dataDir}-growth`;
  await cloneLake(dataDir, copy);
  const lake = await openLake({
    ...LAKE,
    dir: copy,
    deltaLogs: true,
    publishDelayMs: 3_600_000,
    verifyDelayMs: 3_600_000,
  });
  try {
    const startedAt = performance.now();
    await (await lake.publication()).discard();
    const projectedMs = performance.now() - startedAt;
    const next = `${(years.at(-1) ?? 0) + 1}-01`;
    const bar = (symbol: string) => ({
      symbol,
      date: `${years.at(-1)}-12-31`,
      open: 1,
      high: 1,
      low: 1,
      close: 1,
      volume: 1,
      adj_close: 1,
      currency: "USD",
      basis_date: `${next}-02`,
      known_at: `${next}-02T22:00:00Z`,
      source: "yahoo" as const,
    });
    const cost = await costOf(
      process.pid,
      Array.from({ length: COMMITS }, (_, n) => () => lake.append([batchOf(barsDaily, [bar(`NEW${n}`)])])),
    );
    return {
      "rows, million": sum(({ rows }) => rows) / 1e6,
      files: files.length,
      "bytes, GB": sum(({ bytes }) => bytes) / 1e9,
      "manifest, kB": (await stat(manifestPath)).size / 1e3,
      "all Delta logs from nothing, ms": projectedMs,
      "an append of one bar, ms": cost.wallMs,
      "– its own processor, ms": cost.processorMs,
    };
  } finally {
    await lake.close();
    await rm(copy, { recursive: true, force: true });
  }
}

async function measure(symbols: number, years: number): Promise<Figures> {
  tell(`${symbols} symbols × ${years} years`);
  let made: Promise<StoredMarket> | undefined;
  const market = () => {
    made ??= storedMarket(FOLDER, { symbols, years }, tell);
    return made;
  };
  const stored = await market();
  const panel = await storedPanel({ quick: false, tell, market });
  return { ...(await storage(panel)), ...(await symbolYears(stored)), ...(await panelDays(panel)) };
}

/** The slope of the figures over the sizes, both as logarithms, by least squares. */
function exponent(sizes: readonly number[], figures: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [sizes.map(Math.log), figures.map(Math.log)];
  const [meanX, meanY] = [mean(x), mean(y)];
  const across = x.reduce((sum, value, at) => sum + (value - meanX) * ((y[at] ?? 0) - meanY), 0);
  return across / x.reduce((sum, value) => sum + (value - meanX) ** 2, 0);
}

const shown = (value: number) =>
  value >= 100 ? Math.round(value).toLocaleString("en-US") : value.toPrecision(3);

const args = process.argv.slice(2);
const isOfFilers = args[0] === "--filers";
if (isOfFilers) args.shift();
const at = args.indexOf("--years");
const [years] = at < 0 ? [YEARS] : args.splice(at, 2).slice(1).map(Number);
const sizes = args.length > 0 ? args.map(Number) : isOfFilers ? FILERS : SIZES;
if (![years, ...sizes].every((value) => Number.isInteger(value) && Number(value) > 0)) {
  tell("bun test/bench/growth.ts [--years N] [SYMBOLS…], or --filers [COMPANIES…]");
  process.exit(2);
}
const figures: Figures[] = [];
for (const size of sizes)
  figures.push(await (isOfFilers ? filerFigures(FOLDER, size, tell) : measure(size, years ?? YEARS)));
const commit = Bun.spawnSync(["git", "rev-parse", "--short", "HEAD"], { cwd: import.meta.dir });
console.log(
  `${isOfFilers ? FILER_YEARS.length : years} years, ${cpus().length} cores (${cpus()[0]?.model.trim()}), Bun ${Bun.version}, commit ${commit.stdout}`,
);
console.log(
  `| | ${sizes.map((size) => `${size.toLocaleString("en-US")} ${isOfFilers ? "companies" : "symbols"}`).join(" | ")} | exponent |`,
);
console.log(`|---|${sizes.map(() => "---:|").join("")}---:|`);
for (const name of Object.keys(figures[0] ?? {})) {
  const line = figures.map((of) => of[name] ?? Number.NaN);
  console.log(`| ${name} | ${line.map(shown).join(" | ")} | ${exponent(sizes, line).toFixed(2)} |`);
}
process.exit(0);
