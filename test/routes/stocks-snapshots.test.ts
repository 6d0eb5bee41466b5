// Snapshots of the day gainers: taken by the job, found by time, with gaps; across days, half days and a
// restart.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { and, eq } from "drizzle-orm";
import { openSqlite } from "../../src/platform/sqlite/sqlite.ts";
import { job_runs } from "../../src/platform/sqlite/tables.ts";
import { type ApiDocument, apiDocument, faultsOfAnswer } from "../support/api-document.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

// The first requests compute a lot, sometimes on a busy machine.
setDefaultTimeout(1_200_000);

interface Snapshot {
  snapshot_at: string;
  slot: string;
  market_date: string;
  requested_at: string;
  count: number;
  data: { rank: number; symbol: string; price_time: string; change_percent: number }[];
}
interface Day {
  date: string;
  count: number;
  data: { snapshot_at: string; slot: string; count: number }[];
  missing: string[];
}

const PATH = "/api/v1/stocks/gainers/snapshots";
let service: SampleService;
let document: ApiDocument;

/** Runs the job for the slot at `at`, as the timer does a moment after it. */
async function tick(at: string) {
  service.clock.set(Temporal.Instant.from(at).add({ milliseconds: 100 }).toString());
  return service.app().jobs.due("gainer-snapshots");
}

beforeAll(async () => {
  // Tuesday before Thanksgiving week's end: Wednesday, the holiday, and the half day follow.
  service = await openSampleService({ at: "2026-11-25T14:29:00Z", env: { JOBS: "on" }, speed: 4 });
  document = await apiDocument(service);
});
afterAll(() => service.stop());

const at = async (moment?: string) => {
  const query = moment === undefined ? "" : `?at=${encodeURIComponent(moment)}`;
  const { status, body } = await service.get<Snapshot>(`${PATH}${query}`);
  return { status, ...body };
};
const day = async (date: string) => (await service.get<Day>(`${PATH}/list?date=${date}`)).body;

test("before the first snapshot there is none", async () => {
  const { status, body } = await service.get<{ code: string; detail: string }>(PATH);
  expect([status, body.code]).toEqual([404, "no_data"]);
  expect(body.detail).toStartWith("No snapshot of the gainers had been stored by 2026-11-25T14:2");
});

test("the job takes the top gainers at its slots, and skips other times", async () => {
  expect(await tick("2026-11-25T14:25:00Z")).toBeNull();
  // At the open the provider's list may still be of the day before; later it is today's.
  for (const slot of [
    "2026-11-25T14:35:00Z",
    "2026-11-25T14:40:00Z",
    "2026-11-25T20:55:00Z",
    "2026-11-25T21:00:00Z",
  ]) {
    const run = await tick(slot);
    expect([run?.outcome, run?.scheduled_for]).toEqual(["succeeded", slot.replace("Z", ".000Z")]);
    expect(run?.rows).toBeGreaterThan(3);
  }
  expect(await tick("2026-11-25T21:05:00Z")).toBeNull();
});

test("the latest snapshot, and that of a given time: the last one read by then", async () => {
  service.clock.set("2026-11-25T22:00:00Z");
  const latest = await at();
  expect(latest).toMatchObject({ status: 200, slot: "2026-11-25T21:00:00Z", market_date: "2026-11-25" });
  expect(latest.snapshot_at > "2026-11-25T21:00:00").toBe(true);
  expect(latest.requested_at).toStartWith("2026-11-25T22:00:0");
  expect(latest.data.map(({ rank }) => rank)).toEqual(latest.data.map((_, i) => i + 1));
  expect([latest.count, latest.count <= 100]).toEqual([latest.data.length, true]);
  for (const { price_time } of latest.data) expect(price_time).toStartWith("2026-11-25T");
  expect((await at("2026-11-25T14:42:00Z")).slot).toBe("2026-11-25T14:40:00Z");
  expect((await at("2026-11-25T20:30:00Z")).slot).toBe("2026-11-25T14:40:00Z");
  expect((await at("2026-11-25T15:30:00-05:00")).slot).toBe("2026-11-25T14:40:00Z");
});

test("a snapshot read after `at` is not known at `at`", async () => {
  const { snapshot_at } = await at("2026-11-25T14:42:00Z");
  expect((await at(snapshot_at)).slot).toBe("2026-11-25T14:40:00Z");
  const before = Temporal.Instant.from(snapshot_at).subtract({ milliseconds: 1 }).toString();
  expect((await at(before)).slot).toBe("2026-11-25T14:35:00Z");
  expect((await at("2026-11-25T14:35:00Z")).status).toBe(404);
});

test("without a zone it is New York time, a date is its end there", async () => {
  expect((await at("2026-11-25T09:42:00")).slot).toBe("2026-11-25T14:40:00Z");
  expect((await at("2026-11-25")).slot).toBe("2026-11-25T21:00:00Z");
  expect((await at("2026-11-24")).status).toBe(404);
  expect((await at("2026-11-25T09:42:00")).requested_at).toBe("2026-11-25T14:42:00Z");
});

test("an invalid time is refused", async () => {
  for (const moment of ["now", "2026-11-25T25:00:00Z", "2026-02-29T10:00", "2026-11-25 10:00 EST"]) {
    const { status, body } = await service.get<{ detail: { loc: string[]; type: string }[] }>(
      `${PATH}?at=${encodeURIComponent(moment)}`,
    );
    expect([status, body.detail[0]?.loc, body.detail[0]?.type]).toEqual([
      422,
      ["query", "at"],
      "value_error",
    ]);
  }
});

test("the holiday has no slots; the half day ends at 13:00 in New York", async () => {
  expect(await tick("2026-11-26T15:00:00Z")).toBeNull();
  const { jobs } = service.app();
  const next = () => jobs.list().find(({ name }) => name === "gainer-snapshots")?.next_run_at;
  expect(next()).toBe("2026-11-27T14:30:00.000Z");
  expect((await at()).market_date).toBe("2026-11-25");
  expect((await tick("2026-11-27T14:40:00Z"))?.outcome).toBe("succeeded");
  expect((await tick("2026-11-27T18:00:00Z"))?.outcome).toBe("succeeded");
  expect(await tick("2026-11-27T18:05:00Z")).toBeNull();
  expect(next()).toBe("2026-11-30T14:30:00.000Z");
  expect(await at("2026-11-28T12:00:00Z")).toMatchObject({
    market_date: "2026-11-27",
    slot: "2026-11-27T18:00:00Z",
  });
  expect(await day("2026-11-26")).toMatchObject({ date: "2026-11-26", count: 0, data: [], missing: [] });
});

test("the snapshots of a day, and the missed times", async () => {
  const half = await day("2026-11-27");
  expect(half.data.map(({ slot }) => slot)).toEqual(["2026-11-27T14:40:00Z", "2026-11-27T18:00:00Z"]);
  expect(half.data.every(({ count }) => count > 0)).toBe(true);
  expect(half.missing).toHaveLength(41);
  expect([half.missing[0], half.missing.at(-1)]).toEqual([
    "2026-11-27T14:30:00.000Z",
    "2026-11-27T17:55:00.000Z",
  ]);
  const full = await day("2026-11-25");
  expect([full.count, full.missing.length]).toEqual([4, 75]);
  expect((await service.get<Day>(`${PATH}/list`)).body.date).toBe("2026-11-27");
  expect((await day("2026-12-01")).missing).toEqual([]);
});

test("after downtime the missed slots are gaps in the ledger, and nothing is invented for them", async () => {
  service.clock.set("2026-11-30T16:01:00Z");
  await service.reopen();
  await service.app().jobs.catchUp();
  const store = openSqlite(join(service.dataDir, "ops.sqlite"));
  const gaps = store.use((db) =>
    db
      .select({ slot: job_runs.scheduled_for })
      .from(job_runs)
      .where(and(eq(job_runs.job, "gainer-snapshots"), eq(job_runs.outcome, "gap")))
      .orderBy(job_runs.scheduled_for)
      .all(),
  );
  store.close();
  // The slots of the 25th and the 27th at which no timer fired are recorded too: the lists above miss as
  // many.
  expect([gaps.length, gaps[0]?.slot, gaps.at(-1)?.slot]).toEqual([
    75 + 41 + 19,
    "2026-11-25T14:30:00.000Z",
    "2026-11-30T16:00:00.000Z",
  ]);
  const rows = await service
    .app()
    .lake.query<{ n: number }>(
      "SELECT count(*) AS n FROM gainer_snapshots WHERE market_date = DATE '2026-11-30'",
    );
  expect(rows[0]?.n).toBe(0);
  expect((await tick("2026-11-30T16:05:00Z"))?.outcome).toBe("succeeded");
  const monday = await day("2026-11-30");
  expect(monday.data.map(({ slot }) => slot)).toEqual(["2026-11-30T16:05:00Z"]);
  // 09:30 to 11:00 in New York.
  expect(monday.missing).toHaveLength(19);
  expect(await at("2026-11-30T15:00:00Z")).toMatchObject({ market_date: "2026-11-27" });
});

test("a failing provider leaves a gap, and the run has the reason", async () => {
  service.sample.dials.set([{ fault: "status", status: 503, match: "screener" }]);
  const run = await tick("2026-11-30T16:10:00Z");
  expect(run?.outcome).toBe("failed");
  expect(run?.error).toContain("503");
  service.sample.dials.clear();
  expect((await at("2026-11-30T16:12:00Z")).slot).toBe("2026-11-30T16:05:00Z");
});

test("the macro, the route and the rows in the lake agree", async () => {
  const { lake } = service.app();
  const rows = await lake.query<{ symbol: string; rank: number }>(
    "SELECT symbol, rank FROM gainers_at('2026-11-25T14:42:00Z') ORDER BY rank",
  );
  const { data, snapshot_at } = await at("2026-11-25T14:42:00Z");
  expect(rows.map(({ symbol }) => symbol)).toEqual(data.map(({ symbol }) => symbol));
  const [kept] = await lake.query<{ known_at: string }>(
    "SELECT DISTINCT known_at FROM gainer_snapshots WHERE slot = '2026-11-25T14:40:00Z'",
  );
  expect(kept?.known_at).toBe(snapshot_at);
});

test("answers match the API document, also as csv", async () => {
  const snapshot = document.operation("GET", PATH);
  const list = document.operation("GET", `${PATH}/list`);
  for (const [operation, url, status] of [
    [snapshot, PATH, 200],
    [snapshot, `${PATH}?at=2026-11-25&format=csv`, 200],
    [snapshot, `${PATH}?at=2020-01-01`, 404],
    [list, `${PATH}/list?date=2026-11-27`, 200],
    [list, `${PATH}/list?date=2026-11-27&format=ndjson`, 200],
    [list, `${PATH}/list?date=27.11.2026`, 422],
  ] as const) {
    const response = await service.fetch(url);
    expect([url, response.status]).toEqual([url, status]);
    expect(await faultsOfAnswer(document, operation, response)).toEqual([]);
  }
  const csv = await (await service.fetch(`${PATH}?at=2026-11-25&format=csv`)).text();
  expect(csv).toStartWith("rank,symbol,name,exchange,");
});
