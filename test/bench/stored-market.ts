// A whole market in the lake's own format, made once: DuckDB writes what fetching it all would have stored.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdir, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { instruments } from "../../src/capabilities/price/tables.ts";
import { barsDaily, corporateActions, DATASETS, MACROS } from "../../src/datasets/index.ts";
import { actions_checked } from "../../src/datasets/tables.ts";
import { exchangeCalendar } from "../../src/market/calendar.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { type Dataset, literal, RECORDED } from "../../src/platform/lake/dataset.ts";
import { readOn } from "../../src/platform/lake/duckdb.ts";
import { openLake } from "../../src/platform/lake/lake.ts";
import { schemaNumber, schemaOf } from "../../src/platform/lake/manifest.ts";
import { openParts } from "../../src/platform/lake/parts.ts";
import { rangesOf, rangeTexts } from "../../src/platform/lake/views.ts";
import { commit, type LakeParts, nextManifest, stage } from "../../src/platform/lake/write/commit.ts";
import { openSqlite } from "../../src/platform/sqlite/sqlite.ts";
import type { StoredMarket } from "./measure.ts";

export interface MarketSize {
  readonly symbols: number;
  readonly years: number;
}

/** Raised when the generated data changes, so that an older folder is generated again. */
const EDITION = 3;
export const LAKE = { memoryLimit: "2GB", datasets: DATASETS, macros: MACROS, clock: systemClock };
const SQLITE_ROWS = 500;

const symbolAt = (index: number) => `B${String(index).padStart(5, "0")}`;
export const SYMBOL_SQL = "'B' || lpad(i::VARCHAR, 5, '0')";

/** A share of 0 to 1 that looks random, of what is named. */
export const chance = (...of: string[]) => `(hash(${of.join(", ")}) % 1000003) / 1000003.0`;

/**
 * Bars of one year: a slow wave a symbol with daily noise; three in ten symbols pay dividends, so adj_close
 * differs.
 */
export function barsOfYear(symbols: number, sessions: readonly string[], basis: string): string {
  const days = sessions.map((day) => `DATE ${literal(day)}`).join(", ");
  return `SELECT symbol, date, round(close * (1 + 0.02 * (${chance("i", "date", "1")} - 0.5)), 2) AS open,
      round(close * (1.01 + 0.01 * ${chance("i", "date", "2")}), 2) AS high,
      round(close * (0.99 - 0.01 * ${chance("i", "date", "3")}), 2) AS low, close,
      (1000 + 5000000 * ${chance("i", "date", "4")} * ${chance("i", "5")})::BIGINT AS volume,
      round(close * CASE WHEN i % 10 < 3 THEN 1 - (DATE ${literal(basis)} - date) / 100000.0 ELSE 1 END, 5) AS adj_close,
      'USD' AS currency, DATE ${literal(basis)} AS basis_date,
      TIMESTAMPTZ ${literal(`${basis} 22:00:00+00`)} + INTERVAL (i) SECOND AS known_at, 'yahoo' AS source
    FROM (SELECT ${SYMBOL_SQL} AS symbol, i, date, round((5 + 300 * ${chance("i", "6")})
        * (1 + 0.4 * sin((date - DATE '2000-01-01') / (60.0 + i % 300)) + 0.05 * ${chance("i", "date", "7")}), 2) AS close
      FROM range(${symbols}) symbols(i) CROSS JOIN (SELECT unnest([${days}]) AS date) days)`;
}

/** Quarterly dividends of three symbols in ten, one 2:1 split of one in twenty. */
function actionsOf(symbols: number, years: readonly number[], basis: string): string {
  const known = `DATE ${literal(basis)} AS basis_date,
    TIMESTAMPTZ ${literal(`${basis} 22:00:00+00`)} + INTERVAL (i) SECOND AS known_at, 'yahoo' AS source,
    NULL::DATE AS missing_through`;
  return `SELECT ${SYMBOL_SQL} AS symbol, make_date(year, month, 11) AS ex_date, 'dividend' AS kind, 0.25 AS amount,
      'USD' AS currency, NULL::DOUBLE AS numerator, NULL::DOUBLE AS denominator, 0.995 AS price_factor, ${known}
    FROM range(${symbols}) symbols(i), unnest([${years.join(", ")}]) years(year), unnest([2, 5, 8, 11]) months(month)
    WHERE i % 10 < 3
    UNION ALL
    SELECT ${SYMBOL_SQL}, make_date(${years[0]}, 6, 8), 'split', NULL, NULL, 2, 1, 0.5, ${known}
    FROM range(${symbols}) symbols(i) WHERE i % 20 = 0`;
}

/** Writes one file and makes it count, as a compaction would. */
export async function store(
  parts: LakeParts,
  dataset: Dataset,
  partition: string,
  select: string,
  name = "base-1",
): Promise<void> {
  await parts.db.use(async (connection) => {
    await connection.run(`CREATE OR REPLACE TEMP TABLE making AS ${select}`);
    const found = await readOn(
      connection,
      `SELECT count(*), ${rangeTexts(schemaOf(dataset)).join(", ")} FROM making`,
    );
    const [rows, ...ends] = found.columns.map(([value]) => value);
    const ranges = rangesOf(schemaOf(dataset), ends);
    await parts.lock.hold(async () => {
      await parts.staging.ensure();
      const { manifest } = await nextManifest(parts);
      const { generation } = manifest;
      const select = `SELECT *, ${generation}::BIGINT AS ${RECORDED} FROM making`;
      const file = await stage(parts, connection, select, dataset, {
        path: [dataset.name, partition, `${name}.parquet`].filter(Boolean).join("/"),
        dataset: dataset.name,
        partition,
        kind: "base",
        rows: Number(rows),
        schema: schemaNumber(manifest, dataset),
        ranges,
        recorded: [generation, generation],
      });
      await commit(parts, manifest, [file]);
    });
    await connection.run("DROP TABLE making");
  });
}

/**
 * Stores the facts that the service would know of the symbols, so that nothing of the stored years is asked
 * for again.
 */
function storeFacts(dataDir: string, symbols: readonly string[], first: string, last: string, basis: string) {
  const sqlite = openSqlite(join(dataDir, "ops.sqlite"));
  const at = `${basis}T22:00:00Z`;
  sqlite.write((tx) => {
    for (let i = 0; i < symbols.length; i += SQLITE_ROWS) {
      const some = symbols.slice(i, i + SQLITE_ROWS);
      tx.insert(instruments)
        .values(
          some.map((symbol) => ({
            symbol,
            name: `Bench ${symbol}`,
            currency: "USD",
            exchange: "NYQ",
            timezone: "America/New_York",
            instrument_type: "EQUITY",
            source: "yahoo",
            fetched_at: at,
            first_trade_date: first,
            last_trade_date: last,
          })),
        )
        .run();
      tx.insert(actions_checked)
        .values(some.map((symbol) => ({ symbol, through_date: basis, checked_at: at })))
        .run();
    }
  });
  sqlite.close();
}

async function make(
  dataDir: string,
  size: MarketSize,
  years: readonly number[],
  tell: (line: string) => void,
) {
  await rm(dataDir, { recursive: true, force: true });
  await mkdir(join(dataDir, "lake"), { recursive: true });
  const calendar = exchangeCalendar();
  const sessionsOf = (year: number) => calendar.sessionsBetween(`${year}-01-01`, `${year}-12-31`);
  const last = sessionsOf(years.at(-1) ?? 0).at(-1) ?? "";
  const basis = calendar.nextSession(last);
  const { parts, errors } = await openParts({ ...LAKE, dir: dataDir }, await realpath(dataDir));
  for (const error of errors) throw error;
  for (const year of years) {
    tell(`making ${size.symbols} symbols of ${year}`);
    await store(parts, barsDaily, `year=${year}`, barsOfYear(size.symbols, sessionsOf(year), basis));
  }
  await store(parts, corporateActions, "", actionsOf(size.symbols, years, basis));
  await parts.db.close();
  await parts.staging.release();
  parts.lock.close();
  const symbols = Array.from({ length: size.symbols }, (_, i) => symbolAt(i));
  storeFacts(dataDir, symbols, sessionsOf(years[0] ?? 0)[0] ?? "", last, basis);
  // Opened as the service opens it: it publishes the catalogue.
  const lake = await openLake({ ...LAKE, dir: dataDir });
  await lake.close();
}

/** The market of a size below `folder`, with the whole years before this one; made when it is not there. */
export async function storedMarket(
  folder: string,
  size: MarketSize,
  tell: (line: string) => void,
): Promise<StoredMarket> {
  const thisYear = systemClock.now().toZonedDateTimeISO("America/New_York").year;
  const years = Array.from({ length: size.years }, (_, i) => thisYear - size.years + i);
  const dataDir = join(folder, `${size.symbols}x${size.years}`);
  const mark = join(dataDir, "made.json");
  const wanted = JSON.stringify({ edition: EDITION, years });
  if (!existsSync(mark) || readFileSync(mark, "utf8") !== wanted) {
    await make(dataDir, size, years, tell);
    writeFileSync(mark, wanted);
  }
  const symbols = Array.from({ length: size.symbols }, (_, i) => symbolAt(i));
  return { dataDir, symbols, years };
}
