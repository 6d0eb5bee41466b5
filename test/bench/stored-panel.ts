// A stored market with short volume: the lake of stored-market.ts by hard links, eight years of FINRA's files
// added, and actions after the day its prices were fetched, so that they have to be adjusted.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { copyFile, link, mkdir, realpath, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { corporateActions, finraFiles, shortVolume } from "../../src/datasets/index.ts";
import { exchangeCalendar, newYorkDate, startOfDay } from "../../src/market/calendar.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { literal } from "../../src/platform/lake/dataset.ts";
import { openLake } from "../../src/platform/lake/lake.ts";
import { readManifest } from "../../src/platform/lake/manifest.ts";
import { openParts } from "../../src/platform/lake/parts.ts";
import type { LakeParts } from "../../src/platform/lake/write/commit.ts";
import type { Setting, StoredMarket } from "./measure.ts";
import { chance, LAKE, SYMBOL_SQL, store } from "./stored-market.ts";

/** Raised when the generated data changes, so that an older folder is generated again. */
const EDITION = 1;
/** About as far back as FINRA's files go. */
const YEARS_MAX = 8;

/** A panel's lake; `symbols` and `years` are those with short volume. */
export type StoredPanel = StoredMarket;

export async function cloneLake(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await mkdir(join(to, "lake"), { recursive: true });
  const { files } = await readManifest(join(from, "lake/manifest.json"));
  for (const { path } of files) {
    await mkdir(dirname(join(to, "lake", path)), { recursive: true });
    await link(join(from, "lake", path), join(to, "lake", path));
  }
  await copyFile(join(from, "lake/manifest.json"), join(to, "lake/manifest.json"));
}

const known = (date: string, next: string) =>
  `(DATE ${literal(date)}, TIMESTAMPTZ ${literal(startOfDay(next).toString())}, TIMESTAMPTZ ${literal(`${date} 22:00:00+00`)})`;

/** Lines of every symbol on every session of a year; in five of a hundred days a symbol has none. */
function linesOf(symbols: number, days: string): string {
  return `SELECT date, symbol, round(total * (0.2 + 0.5 * ${chance("i", "date", "11")}), 6) AS short_volume,
      floor(total * 0.01 * ${chance("i", "date", "12")}) AS short_exempt_volume, total AS total_volume,
      'B,Q,N' AS market, 'CNMS' AS facility, known_at, fetched_at, 'finra' AS source
    FROM (SELECT ${SYMBOL_SQL} AS symbol, i, date, known_at, fetched_at, round(1000 + 2000000 * ${chance("i", "date", "13")}, 6) AS total
      FROM range(${symbols}) symbols(i) CROSS JOIN (VALUES ${days}) days(date, known_at, fetched_at))
    WHERE hash(i, date, 14) % 100 >= 5 ORDER BY date, symbol`;
}

/** Dividends and splits of the running year: every price stored before is on the basis of its beginning. */
function laterActions(symbols: number, basis: string, today: string): string {
  return `SELECT * FROM (
      SELECT ${SYMBOL_SQL} AS symbol, make_date(${basis.slice(0, 4)}, month, 11) AS ex_date, 'dividend' AS kind, 0.25 AS amount,
        'USD' AS currency, NULL::DOUBLE AS numerator, NULL::DOUBLE AS denominator, 0.995 AS price_factor
      FROM range(${symbols}) symbols(i), unnest([2, 5, 8, 11]) months(month) WHERE i % 10 < 3
      UNION ALL
      SELECT ${SYMBOL_SQL}, make_date(${basis.slice(0, 4)}, 1, 20), 'split', NULL, NULL, 2, 1, 0.5
      FROM range(${symbols}) symbols(i) WHERE i % 20 = 0),
    (SELECT DATE ${literal(today)} AS basis_date, TIMESTAMPTZ ${literal(`${today} 05:00:00+00`)} AS known_at, 'yahoo' AS source,
      NULL::DATE AS missing_through)
    WHERE ex_date <= DATE ${literal(today)}`;
}

async function addPanel(
  parts: LakeParts,
  market: StoredMarket,
  years: readonly number[],
  tell: (line: string) => void,
) {
  const calendar = exchangeCalendar();
  const symbols = market.symbols.length;
  for (const year of years) {
    tell(`making short volume of ${year}`);
    const sessions = calendar.sessionsBetween(`${year}-01-01`, `${year}-12-31`);
    const days = sessions.map((date) => known(date, calendar.nextSession(date))).join(", ");
    await store(parts, shortVolume, `facility=CNMS/year=${year}`, linesOf(symbols, days));
    const files = `SELECT 'CNMS' AS facility, date, ${Math.round(symbols * 0.95)}::BIGINT AS rows, 0::BIGINT AS test_rows,
      sha256(date::VARCHAR) AS sha256, fetched_at AS last_modified, known_at, fetched_at, 'finra' AS source
      FROM (VALUES ${days}) days(date, known_at, fetched_at)`;
    await store(parts, finraFiles, "", files, `base-${year}`);
  }
  const lastSession = calendar.sessionOnOrBefore(`${years.at(-1)}-12-31`);
  const basis = calendar.nextSession(lastSession);
  const today = newYorkDate(systemClock.now());
  await store(parts, corporateActions, "", laterActions(symbols, basis, today), "base-2");
}

/** The panel's lake beside the setting's market; made when it is not there. */
export async function storedPanel(setting: Setting): Promise<StoredPanel> {
  const market = await setting.market();
  const dataDir = `${market.dataDir}-panel`;
  const years = market.years.slice(-YEARS_MAX);
  const mark = join(dataDir, "made.json");
  const wanted = JSON.stringify({ edition: EDITION, years });
  if (!existsSync(mark) || readFileSync(mark, "utf8") !== wanted) {
    await cloneLake(market.dataDir, dataDir);
    const { parts, errors } = await openParts({ ...LAKE, dir: dataDir }, await realpath(dataDir));
    for (const error of errors) throw error;
    await addPanel(parts, market, years, setting.tell);
    await parts.db.close();
    await parts.staging.release();
    parts.lock.close();
    const lake = await openLake({ ...LAKE, dir: dataDir });
    await lake.close();
    writeFileSync(mark, wanted);
  }
  return { dataDir, symbols: market.symbols, years };
}
