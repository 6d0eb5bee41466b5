// A data version with a moment after its commit: the same rows for ever, before that moment has come and
// after it.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { openSampleService, type SampleService } from "../support/service.ts";
import { ingest } from "../support/short-volume-world.ts";

setDefaultTimeout(1_200_000);

/** A Friday. */
const STORED = "2026-09-11T21:00:00Z";
const SUNDAY = "2026-09-13T16:00:00Z";
const LATER = "2026-12-02T15:00:00Z";
/** Each counts days back from its moment, or shows what was known at it. */
const PATHS = [
  "/price/data/ZORP?period=7d",
  "/price/data?tickers=ZORP,KRONK&start_date=2026-09-01&end_date=2026-09-11&format=csv",
  "/shortvolume/summary/ZORP?days=10",
  "/filings/events/ZORP?days=60",
  "/insider/transactions/ZORP?days=60",
  "/insider/form4/ZORP?window_days=90",
  "/financial/data/ZORP?period=1y",
  "/etf/ZTEKF/holdings?limit=3",
  "/etf/exposure/ZORP?limit=3",
  "/filings/documents?accession_number=0009079327-25-900001",
];

let service: SampleService;
beforeAll(async () => {
  service = await openSampleService({ at: STORED, env: { SEC_USER_AGENT: "Test test@example.com" } });
});
afterAll(() => service.stop());

const withField = (path: string, field: string) => `${path}${path.includes("?") ? "&" : "?"}${field}`;
/** Returns an answer without the fields that say how it came about. */
async function ask(
  path: string,
): Promise<{ status: number; version: number; asOf: string | null; shown: unknown }> {
  const { status, headers, text } = await service
    .fetch(`/api/v1${path}`)
    .then(async (answer) => ({ status: answer.status, headers: answer.headers, text: await answer.text() }));
  const version = Number(headers.get("x-data-version") ?? -1);
  const asOf = headers.get("x-as-of");
  if (!text.startsWith("{")) return { status, version, asOf, shown: text };
  const { metadata, last_updated, cached, request_id, instance, ...body } = JSON.parse(text);
  return { status, version, asOf, shown: body };
}

let version = -1;
/** Asks until no answer stores anything more. */
async function settle(field: string): Promise<void> {
  for (let round = 0, before = -1; round < 6 && version !== before; round++) {
    before = version;
    for (const path of PATHS) await ask(withField(path, field));
    version = await service.app().lake.generation();
  }
}

test("an answer on a day without commits is said again by the version of the day before", async () => {
  await ingest(service, { start_date: "2026-08-31", end_date: "2026-09-10" });
  await service.get("/api/v1/price/data/KRONK?period=1m");
  await settle("as_of=2026-09-11");
  service.clock.set(SUNDAY);
  const moments = ["as_of=2026-09-12", "as_of=2026-09-13T15:00:00Z"];
  for (const moment of moments) await settle(moment);
  const said = new Map<string, Awaited<ReturnType<typeof ask>>>();
  for (const path of PATHS)
    for (const moment of moments) {
      const one = withField(path, moment);
      let answer = await ask(one);
      // No version is named while filings are parsed in the background, which ends when the service closes.
      for (let tries = 0; answer.version < 0 && tries < 5; tries++) {
        await service.reopen();
        answer = await ask(one);
      }
      said.set(one, answer);
    }
  version = await service.app().lake.generation();
  service.clock.set(LATER);
  for (const path of PATHS) await ask(withField(path, "as_of=2026-12-01"));
  await service.reopen();
  const before = [service.sample.traffic().total, await service.app().lake.generation()];
  for (const [path, then] of said) {
    expect([path, then.status, then.version > 0 && then.version <= version]).toEqual([path, 200, true]);
    expect([path, (await ask(`${path}&data_version=${then.version}`)).shown]).toEqual([path, then.shown]);
  }
  expect([service.sample.traffic().total, await service.app().lake.generation()]).toEqual(before);
});

test("a moment that has not come gives the same before it and after it, and is not taken for now", async () => {
  const early = new Map<string, Awaited<ReturnType<typeof ask>>>();
  for (const path of PATHS)
    for (const moment of ["as_of=2026-12-02", "as_of=2027-03-01", "as_of=2027-03-01T15:00:00Z"]) {
      const one = withField(path, `${moment}&data_version=${version}`);
      early.set(one, await ask(one));
    }
  // A window of days that the version does not have is empty: of prices, which need a row, that is a 404.
  for (const [path, { status, asOf, version: of }] of early)
    expect([path, status, asOf, of]).toEqual([
      path,
      path.startsWith("/price/data/") ? 404 : 200,
      null,
      version,
    ]);
  service.clock.set("2027-03-02T15:00:00Z");
  await service.reopen();
  for (const [path, then] of early) expect([path, (await ask(path)).shown]).toEqual([path, then.shown]);
});
