// Attention around a day from an earlier data version: the same views and articles, and of the archive only
// what was collected by then.
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { ARCHIVE_PACE_MS_MAX } from "../support/clock.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

interface Event {
  readonly pageviews: readonly { readonly views: number | null }[];
  readonly news: { readonly newsarchive_status: string; readonly count: number | null };
  readonly code?: string;
  readonly hint?: string;
}
interface Said {
  readonly status: number;
  readonly version: number;
  readonly body: Event;
}

const EVENT = "/api/v1/attention/event/ZORP?event_date=2026-09-08";
const PAST = `${EVENT}&as_of=2026-09-09`;
const SESSIONS = "/api/v1/stocks/sessions?start_date=2026-09-01&end_date=2026-09-11&as_of=2026-09-05";

let service: SampleService;
beforeAll(async () => {
  service = await openSampleService({
    paceMsMax: ARCHIVE_PACE_MS_MAX,
    env: { SEC_USER_AGENT: "Test test@example.com" },
  });
});
afterAll(() => service.stop());

async function ask(path: string, version?: number): Promise<Said> {
  const { status, headers, body } = await service.get<Event>(
    version === undefined ? path : `${path}&data_version=${version}`,
  );
  return { status, version: Number(headers.get("x-data-version") ?? -1), body };
}
const collect = (event_date: string) =>
  service.post("/api/v1/attention/admin/collect/newsarchive/ZORP", { event_date });
const generation = () => service.app().lake.generation();

test("an event of a version has what was collected by then, and asks and stores nothing", async () => {
  await ask(EVENT);
  await ask(PAST);
  const uncollected = await ask(PAST);
  expect(uncollected.version).toBe(await generation());
  expect(uncollected.body.news).toMatchObject({ newsarchive_status: "not_collected", count: null });
  expect(uncollected.body.pageviews.filter(({ views }) => views !== null).length).toBeGreaterThan(20);

  expect((await collect("2026-09-08")).status).toBe(200);
  await ask(PAST);
  const collected = await ask(PAST);
  expect(collected.body.news.newsarchive_status).toBe("collected");
  expect(collected.version).toBeGreaterThan(uncollected.version);

  const db = new Database(join(service.dataDir, "ops.sqlite"));
  for (const table of ["page_view_fetches", "news_archive_fetches"]) db.run(`DELETE FROM ${table}`);
  db.close();
  await service.reopen();
  const before = [service.sample.traffic().total, await generation()];
  for (const then of [uncollected, collected]) expect(await ask(PAST, then.version)).toEqual(then);
  expect([service.sample.traffic().total, await generation()]).toEqual(before);
});

test("a version that does not know what was collected, and an event without a moment, are refused", async () => {
  const newest = await generation();
  const early = await ask(PAST, 0);
  expect([early.status, early.body.code]).toEqual([400, "not_replayable"]);
  const now = await ask(EVENT, newest);
  expect([now.status, now.body.code, now.body.hint]).toEqual([
    400,
    "not_replayable",
    "Give as_of, or leave out data_version.",
  ]);
});

test("the calendar is the same in every version", async () => {
  const now = await ask(SESSIONS);
  const then = await ask(SESSIONS, 0);
  expect([then.status, then.body]).toEqual([200, now.body]);
});
