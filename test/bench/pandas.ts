// The panel and the universe's screen as a frame in pandas: from the service, and from the files a person
// with pandas would keep instead. Debian's pandas reads no Parquet, so those are CSV files and pickles: of
// the year, or cut to the day.
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exchangeCalendar, newYorkDate } from "../../src/market/calendar.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { literal } from "../../src/platform/lake/dataset.ts";
import { type Lake, openLake } from "../../src/platform/lake/lake.ts";
import {
  forEachSequential,
  type Measurement,
  ms,
  type Result,
  type Setting,
  sample,
  steadyRandom,
} from "./measure.ts";
import { type Ask, checkSame, type PythonChild, type Reported, startPython } from "./python-child.ts";
import { type ServiceProcess, startService } from "./service-process.ts";
import { LAKE } from "./stored-market.ts";
import { storedPanel } from "./stored-panel.ts";
import { monthEnds, storedUniverse } from "./universe.ts";

/** The system's own after the first on the path: packages of the distribution are there. */
const PYTHONS = ["python3", "/usr/bin/python3"];
const QUIET = { stdin: "ignore", stdout: "ignore", stderr: "ignore" } as const;
const CAP_MIN = 1e8;
const ROWS = 500;
const WARMUPS = 2;

/** A Python that has pandas; null where there is none. */
export function pandasPython(): string | null {
  const has = (path: string) =>
    Bun.which(path) && Bun.spawnSync([path, "-c", "import pandas"], QUIET).success;
  return PYTHONS.find(has) ?? null;
}

const startPandas = (python: string) => startPython(python, join(import.meta.dir, "pandas-user.py"));

type Pandas = PythonChild;

/** "Python 3.11.2, pandas 1.5.3"; null without. */
export async function pandasVersions(): Promise<string | null> {
  const python = pandasPython();
  if (python === null) return null;
  const pandas = startPandas(python);
  const reported = await pandas.ask<{ python: string; pandas: string }>({ what: "versions" });
  await pandas.stop();
  return `Python ${reported.python}, pandas ${reported.pandas}`;
}

/** The comparison of one day. */
interface Comparison {
  readonly dates: readonly string[];
  /** The service's answer as CSV. */
  url(date: string): string;
  readonly figure: string;
  /** SQL of the files a person would keep, by the name they are asked under. */
  files(date: string, kept: Kept["of"]): Readonly<Record<string, string>>;
  readonly ask: Ask;
}

/** How the files are kept. */
interface Kept {
  readonly of: "day" | "year";
  readonly form: "csv" | "pickle";
}

const KEPT: readonly (Kept & { readonly description: string })[] = [
  { of: "year", form: "pickle", description: "the year's pickle" },
  { of: "day", form: "csv", description: "CSV files cut to that day" },
  { of: "day", form: "pickle", description: "pickles cut to that day" },
];

/** The files of a day, each made once: those of a year serve all its days. */
async function filesOf(lake: Lake, pandas: Pandas, folder: string, one: Comparison, kept: Kept) {
  const paths = new Map<string, Record<string, string>>();
  for (const date of one.dates) {
    const own: Record<string, string> = {};
    for (const [name, sql] of Object.entries(one.files(date, kept.of))) {
      const path = join(folder, `${name}-${Bun.hash(sql).toString(36)}`);
      if (!(await Bun.file(`${path}.pickle`).exists())) {
        const copied = await lake.copyOut(sql, {}, "csv");
        await copyFile(copied.path, `${path}.csv`);
        await copied.discard();
        await pandas.ask({ what: "pickle", from: `${path}.csv`, to: `${path}.pickle` });
      }
      own[name] = `${path}.${kept.form}`;
    }
    paths.set(date, own);
  }
  return paths;
}

async function compare(lake: Lake, pandas: Pandas, one: Comparison): Promise<Result[]> {
  const folder = await mkdtemp(join(tmpdir(), "asof-pandas-"));
  try {
    const serve = (date: string) => pandas.ask({ what: "served", url: one.url(date), figure: one.figure });
    const results: Result[] = [];
    for (const kept of KEPT) {
      const paths = await filesOf(lake, pandas, folder, one, kept);
      const ask = (date: string) => pandas.ask({ ...one.ask, date, files: kept.form, ...paths.get(date) });
      const reported = new Map<string, Reported>();
      const check = (date: string, mine: Reported) => {
        const other = reported.get(date);
        if (other) checkSame(mine, other, date);
        reported.set(date, mine);
        return mine.ms;
      };
      const [http, own] = await forEachSequential(
        one.dates,
        WARMUPS,
        async (date) => check(date, await serve(date)),
        async (date) => check(date, await ask(date)),
      );
      results.push({
        what: `${ms(http)} from the service as CSV`,
        against: `${ms(own)} in pandas from ${kept.description}`,
        ratio: http / own,
      });
    }
    return results;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs a comparison over a data folder, or says why there is none. */
async function overFolder(
  { tell }: Setting,
  open: () => Promise<string>,
  made: (service: ServiceProcess) => Promise<Comparison>,
): Promise<Result[]> {
  const python = pandasPython();
  if (python === null) {
    tell(`skipped: pandas is not installed for ${PYTHONS.join(" or ")}`);
    return [];
  }
  const dir = await open();
  const lake = await openLake({ ...LAKE, dir });
  const service = await startService({ DATA_DIR: dir, JOBS: "off" });
  const pandas = startPandas(python);
  try {
    return await compare(lake, pandas, await made(service));
  } finally {
    await pandas.stop();
    await service.stop();
    await lake.close();
  }
}

const firstOf = (date: string, of: Kept["of"]) => (of === "day" ? date : `${date.slice(0, 4)}-01-01`);
const lastOf = (date: string, of: Kept["of"]) => (of === "day" ? date : `${date.slice(0, 4)}-12-31`);
const spanOf = (column: string, date: string, of: Kept["of"]) =>
  `${column} BETWEEN DATE ${literal(firstOf(date, of))} AND DATE ${literal(lastOf(date, of))}`;

export const panelPandas: Measurement = {
  name: "panel-pandas",
  description: "one day of the panel as a pandas frame, Python running already, files in the system's cache",
  goal: { kind: "at most", ratio: 1 },
  async run(setting) {
    const panel = await storedPanel(setting);
    const { years } = panel;
    return overFolder(
      setting,
      async () => panel.dataDir,
      async ({ url }) => ({
        dates: sample(
          exchangeCalendar().sessionsBetween(`${years.at(-1)}-01-01`, `${years.at(-1)}-12-31`),
          setting.quick ? 8 : 14,
          steadyRandom(3),
        ),
        url: (date) => `${url}/api/v1/shortvolume/pit-panel?start_date=${date}&end_date=${date}&format=csv`,
        figure: "adj_close",
        files: (date, of) => ({
          // FINRA publishes one file a day, so the plain files are laid out by day as well.
          short: `SELECT date, symbol, short_volume, short_exempt_volume, total_volume FROM short_volume WHERE date = DATE ${literal(date)} ORDER BY symbol`,
          bars: `SELECT date, symbol, adj_close, source, basis_date FROM bars_daily WHERE ${spanOf("date", date, of)} ORDER BY symbol, date`,
          // The actions that can matter to these prices, and no older ones to read past.
          actions: `SELECT symbol, ex_date, price_factor FROM corporate_actions WHERE ex_date > DATE ${literal(firstOf(date, of))} AND ex_date <= DATE ${literal(newYorkDate(systemClock.now()))} ORDER BY symbol, ex_date`,
        }),
        ask: { what: "panel" },
      }),
    );
  },
};

export const screenPandas: Measurement = {
  name: "screen-pandas",
  description: `${ROWS} largest listings of a historical date as a pandas frame, Python running already, files in the system's cache`,
  goal: { kind: "at most", ratio: 1 },
  run: (setting) =>
    overFolder(
      setting,
      () => storedUniverse(setting),
      async ({ url }) => ({
        dates: monthEnds(setting).slice(0, 12),
        url: (date) =>
          `${url}/api/v1/universe/screen?date=${date}&market_cap_min=${CAP_MIN}&limit=${ROWS}&format=csv`,
        figure: "market_cap",
        files: (date, of) => ({
          snapshots: `SELECT * FROM universe_snapshots WHERE ${spanOf("snapshot_date", date, of)} ORDER BY symbol, snapshot_date`,
        }),
        ask: { what: "screen", least: CAP_MIN, limit: ROWS },
      }),
    ),
};
