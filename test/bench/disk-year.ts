// `bun test/bench/disk-year.ts [SYMBOLS]`: what a year of daily commits takes on the disk, and how much of it
// is rows that were replaced.

import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  barsDaily,
  barsDailyRevisions,
  financialFacts,
  finraFiles,
  shortVolume,
} from "../../src/datasets/index.ts";
import { exchangeCalendar } from "../../src/market/calendar.ts";
import { type Dataset, quoted, RECORDED } from "../../src/platform/lake/dataset.ts";
import { batchOf, type Lake, openLake } from "../../src/platform/lake/lake.ts";
import { readManifest } from "../../src/platform/lake/manifest.ts";
import { steadyRandom } from "./measure.ts";
import { LAKE } from "./stored-market.ts";

const YEAR = 2025;
/** As the service compacts. */
const COMPACT_AT_DELTAS = 8;
const LINES = 60;
/** One bar in a hundred is revised, one short-volume file in twenty corrected. */
const REVISED = 0.01;
const CORRECTED_EVERY = 20;

const tell = (line: string) => void process.stderr.write(`${line}\n`);
const count = Number(process.argv[2] ?? 1_000);
if (!Number.isInteger(count) || count < 1) {
  tell("bun test/bench/disk-year.ts [SYMBOLS]");
  process.exit(2);
}
const random = steadyRandom(11);
const symbols = Array.from({ length: count }, (_, i) => `B${String(i).padStart(5, "0")}`);
const close = new Map(symbols.map((symbol) => [symbol, 5 + 300 * random()]));
const cents = (value: number) => Math.round(value * 100) / 100;

/** A row of a dataset: zero, empty or null where nothing is given. */
function filled({ columns }: Dataset, given: Readonly<Record<string, unknown>>) {
  const rest = Object.entries(columns).map(([name, { type, nullable }]) => {
    if (nullable) return [name, null];
    return [name, type === "VARCHAR" ? "" : type === "BOOLEAN" ? false : 0];
  });
  return { ...Object.fromEntries(rest), ...given };
}

const appended = (dataset: Dataset, rows: readonly Record<string, unknown>[]) => ({
  dataset,
  rows: rows.map((row) => filled(dataset, row)),
  replacement: undefined,
});

function barOf(symbol: string, date: string, known_at: string) {
  const now = (close.get(symbol) ?? 5) * (1 + 0.04 * (random() - 0.5));
  close.set(symbol, now);
  const [open, high, low] = [now * 0.99, now * 1.02, now * 0.98].map(cents);
  const volume = Math.round(5e6 * random());
  const prices = { open, high, low, close: cents(now), adj_close: cents(now), volume };
  return { symbol, date, ...prices, currency: "USD", basis_date: date, known_at, source: "yahoo" };
}

const shortRow = (symbol: string, date: string, known_at: string) => {
  const total_volume = Math.round(2e6 * random());
  const short = { short_volume: Math.round(total_volume * random()), short_exempt_volume: 0, total_volume };
  const file = { market: "B,Q,N", facility: "CNMS", known_at, fetched_at: known_at, source: "finra" };
  return { date, symbol, ...short, ...file };
};

const figureOf = (...place: number[]) => Number(Bun.hash(place.join(" ")) % 1_000_000_007n);

/** The figures of one report, which a later reader gives again, one in fifty with another value. */
const factsOf = (cik: number, quarter: number, isAgain: boolean) => {
  const filed_date = `${YEAR}-${String(quarter * 3 - 1).padStart(2, "0")}-10`;
  const period_end = `${YEAR}-${String(quarter * 3 - 2).padStart(2, "0")}-28`;
  const accession_number = `${String(cik).padStart(10, "0")}-25-${String(quarter).padStart(6, "0")}`;
  const accepted = `${filed_date}T21:00:00Z`;
  return Array.from({ length: LINES }, (_, at) => ({
    cik: String(cik).padStart(10, "0"),
    symbol: symbols[cik],
    line: `line_${at}`,
    statement: "income_statement",
    period: "Q",
    period_end,
    value: figureOf(cik, quarter, at) + (isAgain && at % 50 === 0 ? 1 : 0),
    unit: "USD",
    currency: "USD",
    tag: `Tag${at}`,
    taxonomy: "us-gaap",
    accession_number,
    form: "10-Q",
    filed_date,
    known_at: accepted,
    accepted_at: accepted,
    vintage: 1,
    revision: "first",
    source: "xbrl",
  }));
};

async function liveYear(lake: Lake): Promise<void> {
  const days = exchangeCalendar().sessionsBetween(`${YEAR}-01-01`, `${YEAR}-12-31`);
  for (const [at, date] of days.entries()) {
    const known_at = `${date}T23:30:00Z`;
    const bars = symbols.map((symbol) => barOf(symbol, date, known_at));
    const file = { facility: "CNMS", date, rows: count, sha256: String(at), known_at, fetched_at: known_at };
    await lake.append([
      appended(barsDaily, bars),
      appended(
        shortVolume,
        symbols.map((symbol) => shortRow(symbol, date, known_at)),
      ),
      appended(finraFiles, [{ ...file, source: "finra" }]),
    ]);
    const revised = bars.filter(() => random() < REVISED);
    const later = `${date}T23:50:00Z`;
    if (revised.length > 0)
      await lake.append([
        appended(
          barsDailyRevisions,
          revised.map((bar) => ({ ...bar, close: bar.close + 0.01, known_at: later })),
        ),
      ]);
    if (at % CORRECTED_EVERY === 10)
      await lake.append([
        appended(
          shortVolume,
          symbols.map((symbol) => shortRow(symbol, date, later)),
        ),
      ]);
    if (at % 63 === 40) await report(lake, Math.floor(at / 63) + 1);
    if (at % 50 === 0) tell(`${date}: generation ${await lake.generation()}`);
  }
}

/** A quarter's reports; then, once a year, all reports are read again by a newer reader. */
async function report(lake: Lake, quarter: number): Promise<void> {
  const facts = symbols.flatMap((_, cik) => factsOf(cik, quarter, false));
  await lake.append([appended(financialFacts, facts)]);
  if (quarter !== 4) return;
  const again = symbols.flatMap((_, cik) => [1, 2, 3, 4].flatMap((each) => factsOf(cik, each, true)));
  const groups = [...new Set(again.map((one) => one.accession_number))].map((name) => [name]);
  const { dataset, rows } = appended(financialFacts, again);
  await lake.append([
    { ...batchOf(dataset, rows as never), replacement: { by: ["accession_number"], groups } },
  ]);
}

/** The bytes of the newest row of each key alone, without the generations of commits. */
async function newestOnly(lake: Lake, { name, key, sort }: Dataset): Promise<number> {
  const order = lake.copyOut(
    `SELECT * EXCLUDE (${RECORDED}) FROM ${name} QUALIFY row_number() OVER (PARTITION BY ${key.map(quoted).join(", ")}
       ORDER BY known_at DESC) = 1 ORDER BY ${sort.map(quoted).join(", ")}`,
    {},
    "parquet",
  );
  const file = await order;
  await file.discard();
  return file.bytes;
}

/** Rows and bytes of the history files of a dataset. */
async function replacedOf(lake: Lake, folder: string, { name }: Dataset) {
  const paths = [...new Bun.Glob(`_history/${name}/**/*.parquet`).scanSync(folder)].map((path) =>
    join(folder, path),
  );
  if (paths.length === 0) return { rows: 0, bytes: 0 };
  const [found] = await lake.query<{ rows: number }>("SELECT count(*) AS rows FROM read_parquet($paths)", {
    paths,
  });
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
  return { rows: found?.rows ?? 0, bytes: sizes.reduce((all, size) => all + size, 0) };
}

const dir = await mkdtemp(join(tmpdir(), "asof-bench-year-"));
const lake = await openLake({
  ...LAKE,
  dir,
  compactAtDeltas: COMPACT_AT_DELTAS,
  deltaLogs: true,
  retentionMs: 0,
});
try {
  await liveYear(lake);
  await lake.compact({ force: true });
  const folder = join(dir, "lake");
  const manifest = await readManifest(join(folder, "manifest.json"));
  const mb = (bytes: number) => (bytes / 1e6).toFixed(2);
  const sum = (files: readonly { bytes: number; rows: number }[], what: "bytes" | "rows") =>
    files.reduce((all, file) => all + file[what], 0);
  console.log(`${count} symbols, ${YEAR}, generation ${await lake.generation()}, Bun ${Bun.version}`);
  console.log("| dataset | rows | MB | rows replaced | their MB | MB of the newest rows alone |");
  console.log("|---|---:|---:|---:|---:|---:|");
  let [all, least] = [0, 0];
  for (const dataset of [
    barsDaily,
    barsDailyRevisions,
    shortVolume,
    finraFiles,
    financialFacts,
  ] as Dataset[]) {
    const current = manifest.files.filter(
      (file) => file.dataset === dataset.name && file.superseded === undefined,
    );
    const replaced = await replacedOf(lake, folder, dataset);
    const newest = await newestOnly(lake, dataset);
    all += sum(current, "bytes") + replaced.bytes;
    least += newest;
    console.log(
      `| ${dataset.name} | ${sum(current, "rows")} | ${mb(sum(current, "bytes"))} | ${replaced.rows} | ${mb(replaced.bytes)} | ${mb(newest)} |`,
    );
  }
  console.log(`all: ${mb(all)} MB, newest rows alone ${mb(least)} MB, ratio ${(all / least).toFixed(2)}`);
  for (const name of ["manifest.json", "commits.csv"])
    console.log(`${name}: ${((await stat(join(folder, name))).size / 1e3).toFixed(1)} kB`);
  const logs = (await readdir(folder, { recursive: true })).filter((name) => name.includes("_delta_log/"));
  const sizes = await Promise.all(logs.map(async (name) => (await stat(join(folder, name))).size));
  console.log(`Delta logs: ${logs.length} files, ${mb(sizes.reduce((total, size) => total + size, 0))} MB`);
} finally {
  await lake.close();
  await rm(dir, { recursive: true, force: true });
}
process.exit(0);
