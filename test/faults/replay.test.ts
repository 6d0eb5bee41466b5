// Random requests over many commits, with merges, re-readings, a crash, a backup and its restore: a version
// never changes.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { openStores } from "../../src/composition/context.ts";
import { readConfig } from "../../src/config.ts";
import { DATASETS } from "../../src/datasets/index.ts";
import { restoreBackup, takeBackup } from "../../src/platform/backup.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { captureLog } from "../support/capture-log.ts";
import { batch } from "../support/overlay-world.ts";
import { drawnFor, drawnRuns } from "../support/seed.ts";
import { openSampleService, openService, type SampleService, type TestService } from "../support/service.ts";
import { ingest } from "../support/short-volume-world.ts";

setDefaultTimeout(1_200_000);

const ENV = { SEC_USER_AGENT: "Asof tests tests@example.com" };
const TICKERS = ["ZORP", "KRONK"];
let service: SampleService;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "asof-replay-"));
  service = await openSampleService({ at: "2026-09-17T21:00:00Z", env: ENV });
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

const day = fc.integer({ min: 1, max: 28 }).map((date) => `2026-08-${String(date).padStart(2, "0")}`);
const moment = fc.constantFrom("", "&as_of=2026-08-15", "&as_of=2026-09-09T15:00:00Z");
const requests = fc.oneof(
  fc
    .record({
      ticker: fc.constantFrom(...TICKERS),
      days: fc.tuple(day, day).map((both) => both.sort()),
      rest: fc.constantFrom(
        "",
        "&interval=1w",
        "&adjustment=raw",
        "&adjustment=all",
        "&format=csv",
        "&format=parquet",
        "&revisions=true",
      ),
      moment,
    })
    .map(
      ({ ticker, days: [start, end], rest, moment: at }) =>
        `/price/data/${ticker}?start_date=${start}&end_date=${end}${rest}${at}`,
    ),
  fc
    .record({
      format: fc.constantFrom("json", "csv", "ndjson", "parquet", "records"),
      interval: fc.constantFrom("1d", "1mo"),
      moment,
    })
    .map(
      ({ format, interval, moment: at }) =>
        `/price/data?tickers=${TICKERS}&start_date=2026-08-03&end_date=2026-09-04&interval=${interval}&format=${format}${at}`,
    ),
  fc
    .record({ format: fc.constantFrom("json", "csv", "parquet"), moment })
    .map(
      ({ format, moment: at }) =>
        `/shortvolume/pit-panel?start_date=2026-09-03&end_date=2026-09-11&format=${format}${at}`,
    ),
  fc
    .record({ ticker: fc.constantFrom(...TICKERS), moment })
    .map(({ ticker, moment: at }) => `/shortvolume/${ticker}?start_date=2026-09-01&end_date=2026-09-16${at}`),
);

const ofCompany = fc
  .record({
    ticker: fc.constantFrom(...TICKERS),
    route: fc.constantFrom(
      "/filings/search?limit=40&ticker=",
      "/filings/events/{}?days=400",
      "/insider/transactions/{}?days=400",
      "/financial/data/{}?period=2y",
    ),
    format: fc.constantFrom("", "&format=ndjson"),
    moment,
  })
  .map(({ ticker, route, format, moment: at }) => {
    const path = route.includes("{}") ? route.replace("{}", ticker) : `${route}${ticker}`;
    return `${path}${format}${at}`;
  });

const ofFund = fc
  .record({
    ticker: fc.constantFrom("ZTEKF", "ZDVDF"),
    format: fc.constantFrom("", "&format=csv"),
    moment,
  })
  .map(({ ticker, format, moment: at }) => `/etf/${ticker}/holdings?limit=200${format}${at}`);

const ofMarket = fc
  .record({
    from: fc.constantFrom("2026-08-17", "2026-09-14"),
    to: fc.constantFrom("2026-09-16", "2026-09-14"),
    format: fc.constantFrom("", "&format=csv"),
    moment: fc.constantFrom("", "&as_of_date=2026-08-15", "&as_of_date=2026-09-09"),
  })
  .map(
    ({ from, to, format, moment: at }) => `/dividends/calendar?from_date=${from}&to_date=${to}${format}${at}`,
  );

const ofFiling = fc
  .record({
    route: fc.constantFrom("documents?", "exhibit?max_chars=90&", "exhibit?exhibit=EX-99.1&format=html&"),
    moment,
  })
  .map(({ route, moment: at }) => `/filings/${route}accession_number=0009079327-25-900001${at}`);

const steps = fc.constantFrom("split", "revision", "dividend", "fetch", "merge", "reread", "reopen", "ask");

/** The hash of what an answer says; in JSON without what says how it came about. */
async function hashOf(asked: TestService, path: string): Promise<{ hash: unknown; version: number }> {
  const response = await asked.fetch(`/api/v1${path}`);
  const version = Number(response.headers.get("x-data-version") ?? -1);
  const isJson = /^application\/(?:problem\+)?json/.test(response.headers.get("content-type") ?? "");
  if (!isJson || path.includes("format=records")) return { hash: Bun.hash(await response.bytes()), version };
  const body = (await response.json()) as Record<string, unknown>;
  const { status } = response;
  return {
    hash: Bun.hash(
      JSON.stringify([
        status,
        body.code,
        body.data ?? body.bars ?? body.income_statement ?? body.documents ?? body.text,
        body.revisions,
      ]),
    ),
    version,
  };
}

let count = 0;

/** Changes the store: what the world does, and what this service does to its files. */
async function change(step: string): Promise<void> {
  const { lake } = service.app();
  const known_at = new Date(service.clock.nowMs() + ++count).toISOString();
  const bars = `SELECT * EXCLUDE (recorded) FROM bars_daily WHERE symbol = 'ZORP' ORDER BY date DESC LIMIT 3`;
  switch (step) {
    case "split": {
      const ex_date = `2026-09-${String(10 + (count % 8)).padStart(2, "0")}`;
      const split = { symbol: "ZORP", ex_date, kind: "split", amount: null, currency: null };
      const ratio = { numerator: 2 + (count % 3), denominator: 1, price_factor: 1 / (2 + (count % 3)) };
      await lake.append([
        batch("corporate_actions", [
          { ...split, ...ratio, basis_date: "2026-09-17", known_at, source: "yahoo" },
        ]),
      ]);
      return;
    }
    case "revision": {
      const rows = await lake.query<Record<string, unknown>>(bars);
      const revised = rows.map((row) => ({ ...row, close: Number(row.close) + count, known_at }));
      await lake.append([batch("bars_daily_revisions", revised)]);
      return;
    }
    case "dividend": {
      const rows = await lake.query<Record<string, unknown>>(
        "SELECT * EXCLUDE (recorded) FROM corporate_actions WHERE kind = 'dividend' LIMIT 1",
      );
      await lake.append([
        batch(
          "corporate_actions",
          rows.map((row) => ({ ...row, amount: count, known_at })),
        ),
      ]);
      return;
    }
    case "reread": {
      // All bars of a symbol are replaced in place: those before stay for older versions alone.
      const rows = await lake.query<Record<string, unknown>>(
        "SELECT * EXCLUDE (recorded) FROM bars_daily WHERE symbol = 'KRONK'",
      );
      const read = rows.map((row) => ({ ...row, volume: Number(row.volume) + 1 }));
      await lake.append([
        { ...batch("bars_daily", read), replacement: { by: ["symbol"], groups: [["KRONK"]] } },
      ]);
      return;
    }
    case "fetch":
      service.clock.set(new Date(service.clock.nowMs() + 86_400_000).toISOString());
      for (const path of ["price/data/TICKER?period=7d&", "filings/search?ticker=TICKER&"]) {
        const asked = `${path.replace("TICKER", TICKERS[count % 2] ?? "")}force_refresh=true`;
        expect([asked, (await service.get(`/api/v1/${asked}`)).status]).toEqual([asked, 200]);
      }
      return;
    case "merge":
      await lake.compact({ force: true });
      return;
    case "reopen":
      await service.reopen();
      return;
  }
}

const inVersion = (path: string, version: number) => `${path}&data_version=${version}`;

test("a version gives the same answers, whatever is stored, merged, read again, crashes or is restored", async () => {
  await ingest(service, { start_date: "2026-09-01", end_date: "2026-09-16" });
  const answers = new Map<string, unknown>();
  const ask = async (path: string) => {
    // The first answer fetches what is missing; the second is read from the store alone.
    await hashOf(service, path);
    let { hash, version } = await hashOf(service, path);
    // No version is named where other work stored rows between two reads: then it is asked again.
    for (let tries = 0; version < 0 && tries < 3; tries++) ({ hash, version } = await hashOf(service, path));
    // Nor where nothing was read, as of days that all lie behind as_of.
    if (version < 0) return;
    // Small files are merged in the background meanwhile, which makes generations without rows.
    expect([path, version > 0 && version <= (await service.app().lake.generation())]).toEqual([path, true]);
    const key = inVersion(path, version);
    if (!answers.has(key)) answers.set(key, (await hashOf(service, key)).hash);
    // Bars that are not settled are in no version: with a moment in the past there are none.
    if (/as_of(?:_date)?=/.test(path)) expect([key, answers.get(key)]).toEqual([key, hash]);
  };
  const holds = async (asked: TestService, keys: readonly string[]) => {
    for (const key of keys) expect([key, (await hashOf(asked, key)).hash]).toEqual([key, answers.get(key)]);
  };
  const drawn = drawnFor("answers to ask again");
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(requests, ofCompany, ofFund, ofMarket, ofFiling), { minLength: 2, maxLength: 4 }),
      fc.array(steps, { minLength: 2, maxLength: 5 }),
      async (paths, changes) => {
        for (const path of paths) await ask(path);
        for (const step of changes) await change(step);
        await holds(service, [...answers.keys()].sort(() => 0.5 - drawn()).slice(0, 12));
      },
    ),
    { numRuns: drawnRuns(8, 15), endOnFailure: true },
  );
  expect(answers.size).toBeGreaterThan(15);
  expect(await service.app().lake.generation()).toBeGreaterThan(12);
  await holds(service, [...answers.keys()]);
  const env = { upstream: "http://127.0.0.1:9", clock: service.clock, env: ENV };
  // As a process leaves it that is killed: the files as they are, nothing closed.
  const crashed = join(folder, "crashed");
  await cp(service.dataDir, crashed, { recursive: true });
  const config = readConfig({ DATA_DIR: service.dataDir });
  const stores = await openStores({ config, clock: systemClock, log: captureLog() });
  await takeBackup(service.dataDir, join(folder, "backup"), {
    store: stores.sqlite,
    datasets: DATASETS,
    clock: systemClock,
  });
  await stores.lake.close();
  stores.sqlite.close();
  const restored = join(folder, "restored");
  await restoreBackup(join(folder, "backup"), restored);
  for (const dataDir of [crashed, restored]) {
    const again = await openService({ ...env, dataDir });
    await holds(again, [...answers.keys()]).finally(() => again.stop());
  }
});
