// The universe on a historical date over HTTP against the same query in this process: what the service adds.
import { existsSync, writeFileSync } from "node:fs";
import { mkdir, realpath, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { serveSample } from "../../sample/serve.ts";
import { universeSnapshots } from "../../src/datasets/universe-snapshots.ts";
import { exchangeCalendar } from "../../src/market/calendar.ts";
import { monthEnd } from "../../src/market/date.ts";
import { literal } from "../../src/platform/lake/dataset.ts";
import { type Lake, openLake } from "../../src/platform/lake/lake.ts";
import { openParts } from "../../src/platform/lake/parts.ts";
import {
  forEachSequential,
  type Measurement,
  ms,
  type Setting,
  sample,
  steadyRandom,
  timed,
} from "./measure.ts";
import { startService } from "./service-process.ts";
import { chance, LAKE, store } from "./stored-market.ts";

const FOLDER = resolve(import.meta.dir, "../../data/bench");
const FULL = { listings: 11_000, years: 8 };
const QUICK = { listings: 2_000, years: 2 };
const LAST_YEAR = 2025;
/** Grows when what is generated changes. */
const EDITION = 1;
const ROWS = 500;
const PLAIN = { headers: { "accept-encoding": "identity" } };

const calendar = exchangeCalendar();
const two = (n: number) => String(n).padStart(2, "0");
const endsOf = (year: number) =>
  Array.from({ length: 12 }, (_, i) => calendar.sessionOnOrBefore(monthEnd(`${year}-${two(i + 1)}-01`)));

const EXCHANGES = "['Nasdaq', 'NYSE', 'NYSE American']";
const SECTORS = "['Technology', 'Finance', 'Health Care', 'Industrials', 'Energy', 'Utilities']";

/** Snapshots of a year: one listing in fifty has no close on a day. */
function snapshotsOf(listings: number, year: number): string {
  const days = endsOf(year).map((day) => `DATE ${literal(day)}`);
  const close = `round(5 + 300 * ${chance("i", "day")}, 2)`;
  return `SELECT 'B' || lpad(i::VARCHAR, 5, '0') AS listing, day AS snapshot_date, listing AS symbol,
      'Bench ' || i || ' Inc. Common Stock' AS name, lpad((9000000 + i)::VARCHAR, 10, '0') AS cik,
      ${SECTORS}[1 + i % 6] AS sector, 'Industry ' || (i % 90) AS industry, ${EXCHANGES}[1 + i % 3] AS exchange,
      'common' AS security_type, 'USD' AS currency, DATE '${LAST_YEAR + 1}-01-05' AS basis_date,
      CASE WHEN hash(i, day) % 50 = 0 THEN NULL ELSE ${close} END AS close_price,
      close_price AS close_price_unadjusted, (1e6 + 5e9 * ${chance("i", "1")} * ${chance("i", "2")})::BIGINT AS shares_outstanding,
      'regulator' AS shares_source, DATE '${LAST_YEAR}-10-20' AS shares_as_of,
      lpad(i::VARCHAR, 10, '0') || '-25-000031' AS shares_accession, shares_outstanding * close_price AS market_cap,
      (shares_outstanding * 0.97)::BIGINT AS shares_outstanding_pit, day - 60 AS shares_pit_as_of,
      (day - 50)::TIMESTAMPTZ AS shares_pit_known_at, lpad(i::VARCHAR, 10, '0') || '-24-000012' AS shares_pit_accession,
      shares_outstanding_pit * close_price AS market_cap_pit,
      CASE WHEN close_price IS NULL THEN 'no_close' END AS missing,
      TIMESTAMPTZ '${LAST_YEAR + 1}-01-05 23:30:00+00' AS known_at
    FROM range(${listings}) listings(i) CROSS JOIN (SELECT unnest([${days.join(", ")}]) AS day) days`;
}

const sizeOf = ({ quick }: Pick<Setting, "quick">) => (quick ? QUICK : FULL);

/** Every date of which there are snapshots. */
export const monthEnds = (setting: Pick<Setting, "quick">): string[] =>
  Array.from({ length: sizeOf(setting).years }, (_, i) => endsOf(LAST_YEAR - i)).flat();

/** A data folder with the snapshots, made when it is not there. */
export async function storedUniverse(setting: Pick<Setting, "quick" | "tell">): Promise<string> {
  const { tell } = setting;
  const { listings, years } = sizeOf(setting);
  const dataDir = join(FOLDER, `universe-${listings}x${years}-${EDITION}`);
  const mark = join(dataDir, "made");
  if (existsSync(mark)) return dataDir;
  await rm(dataDir, { recursive: true, force: true });
  await mkdir(join(dataDir, "lake"), { recursive: true });
  const { parts, errors } = await openParts({ ...LAKE, dir: dataDir }, await realpath(dataDir));
  for (const error of errors) throw error;
  for (let year = LAST_YEAR - years + 1; year <= LAST_YEAR; year++) {
    tell(`making ${listings} listings of ${year}`);
    await store(parts, universeSnapshots, `year=${year}`, snapshotsOf(listings, year));
  }
  await parts.db.close();
  await parts.staging.release();
  parts.lock.close();
  writeFileSync(mark, "");
  return dataDir;
}

/** The query a person would write for the same rows and their number. */
const QUERY = `SELECT symbol, name, cik, sector, industry, exchange, security_type, market_cap, close_price,
    shares_outstanding, snapshot_date, currency, basis_date, shares_source, shares_as_of, shares_accession,
    close_price_unadjusted, shares_outstanding_pit, shares_pit_as_of, shares_pit_known_at, shares_pit_accession,
    market_cap_pit, missing, known_at, count(*) OVER () AS total
  FROM universe($date) WHERE market_cap >= $least ORDER BY market_cap DESC LIMIT ${ROWS}`;

async function screen(url: string, count: number): Promise<void> {
  const response = await fetch(url, PLAIN);
  const text = await response.text();
  if (response.status !== 200 || !text.includes(`"count":${count}`))
    throw new Error(`${response.status} instead of ${count} rows from ${url}: ${text.slice(0, 200)}`);
}

async function askEngine(lake: Lake, date: string, least: number): Promise<void> {
  const { rowCount } = await lake.columns(QUERY, { date, least });
  if (rowCount !== ROWS) throw new Error(`${rowCount} rows from the engine`);
}

export const universeScreen: Measurement = {
  name: "universe-screen",
  description: `${ROWS} of the listings of a historical date, GET /universe/screen`,
  goal: { kind: "at most", ratio: 1.5 },
  async run(setting) {
    const dataDir = await storedUniverse(setting);
    const lake = await openLake({ ...LAKE, dir: dataDir });
    const upstream = await serveSample({});
    const service = await startService({ DATA_DIR: dataDir, UPSTREAM_GATEWAY: upstream.url, JOBS: "off" });
    try {
      const random = steadyRandom(3);
      const dates = sample(monthEnds(setting), setting.quick ? 20 : 60, random);
      const least = 1e8;
      const [http, engine] = await forEachSequential(
        dates,
        4,
        (date) =>
          timed(() =>
            screen(
              `${service.url}/api/v1/universe/screen?date=${date}&market_cap_min=${least}&limit=${ROWS}`,
              ROWS,
            ),
          ),
        (date) => timed(() => askEngine(lake, date, least)),
      );
      return [{ what: `${ms(http)} over HTTP`, against: `${ms(engine)} in DuckDB`, ratio: http / engine }];
    } finally {
      await service.stop();
      await lake.close();
      await upstream.stop();
    }
  },
};
