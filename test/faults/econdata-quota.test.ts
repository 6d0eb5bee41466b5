// The daily quota of the economic-data provider: never exceeded, across restarts, processes and clock
// changes.
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Econ, type EconProvider, openEcon, openEconProvider } from "../support/econdata-world.ts";
import { type FakeClock, fakeClock } from "../support/fake-clock.ts";

setDefaultTimeout(1_200_000);

let dir: string;
let database: string;
let provider: EconProvider;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "econ-quota-"));
  database = join(dir, "ops.sqlite");
  provider = openEconProvider();
});
afterEach(async () => {
  await provider.stop();
  await rm(dir, { recursive: true, force: true });
});

/** Requests `count` different answers, some concurrently, and counts the outcomes. */
async function askMany(econ: Econ, from: number, count: number): Promise<Record<string, number>> {
  const said: Record<string, number> = {};
  for (let at = from; at < from + count; at += 20) {
    const ids = Array.from({ length: Math.min(20, from + count - at) }, (_, i) => at + i);
    const outcomes = await Promise.all(ids.map((category_id) => econ.get("category", { category_id })));
    for (const outcome of outcomes) said[outcome.said] = (said[outcome.said] ?? 0) + 1;
  }
  return said;
}

/** Counts calls as the proxy does, without making them. */
function count(econ: Econ, calls: number): void {
  for (let n = 0; n < calls; n++) {
    const request = { url: "https://api.stlouisfed.org/fred/category" };
    econ.meter.beforeAttempt(request);
    econ.meter.answered(request, 0);
  }
}

const open = (clock: FakeClock) => openEcon({ provider, database, clock });

for (const { name, counted, day, before, changed, lastSecond, next } of [
  {
    name: "the day of 23 hours",
    counted: 0,
    day: "2026-03-08T06:00:00Z",
    before: "2026-03-06T12:00:00Z",
    changed: "2026-03-08T12:00:00Z",
    lastSecond: "2026-03-09T04:59:59Z",
    next: "2026-03-09T05:00:00Z",
  },
  {
    name: "the day of 25 hours",
    counted: 560,
    day: "2026-11-01T05:00:00Z",
    before: "2026-10-30T12:00:00Z",
    changed: "2026-11-01T12:00:00Z",
    lastSecond: "2026-11-02T05:59:59Z",
    next: "2026-11-02T06:00:00Z",
  },
])
  test(`1,001 requests on ${name}, across a restart, make exactly 1000 calls`, async () => {
    const clock = fakeClock(before);
    let econ = open(clock);
    expect((await econ.get("category", { category_id: 7 })).said).toBe("upstream");
    clock.set(day);
    provider.asked.length = 0;
    count(econ, counted);
    expect(await askMany(econ, 1_000, 600 - counted)).toEqual({ upstream: 600 - counted });
    econ.close();
    econ = open(clock);
    clock.set(changed);
    const late = counted === 0 ? 400 : 40;
    count(econ, 400 - late);
    expect(await askMany(econ, 2_000, late + 1)).toEqual({ upstream: late, daily_limit_reached: 1 });
    const made = 600 - counted + late;
    expect(provider.asked.length).toBe(made);

    // Today's answers are cached, earlier ones are expired but served, the rest waits for midnight.
    expect((await econ.get("category", { category_id: 1_000 })).said).toBe("cache");
    const old = await econ.get("category", { category_id: 7 });
    expect([old.said, old.cache]).toEqual(["stale_cache", "STALE"]);
    expect(old.body._metadata).toMatchObject({
      cached_at: `${before.slice(0, -1)}.000Z`,
      used_today: 1_000,
      remaining_today: 0,
    });
    const refused = await econ.get("category", { category_id: 9_999 });
    expect(refused.said).toBe("daily_limit_reached");
    expect(refused.fault?.facts.retryAfterS).toBe((Date.parse(next) - Date.parse(changed)) / 1000);
    clock.set(lastSecond);
    expect((await econ.get("category", { category_id: 9_999 })).said).toBe("daily_limit_reached");
    expect((await econ.get("category", { category_id: 9_999 })).fault?.facts.retryAfterS).toBe(1);
    expect(provider.asked.length).toBe(made);
    clock.set(next);
    expect((await econ.get("category", { category_id: 9_999 })).said).toBe("upstream");
    expect(provider.asked.length).toBe(made + 1);
    expect(econ.usage(2, true).data.daily_stats.map((d) => [d.total_calls, d.successful_calls])).toEqual([
      [1, 1],
      [1_000, 1_000],
    ]);
    econ.close();
  });

test("two processes with one data folder share the quota", async () => {
  const clock = fakeClock("2026-09-09T15:00:00Z");
  const [one, two] = [open(clock), open(clock)];
  for (const econ of [one, two]) count(econ, 460);
  const [a, b] = await Promise.all([askMany(one, 10_000, 60), askMany(two, 20_000, 60)]);
  expect((a.upstream ?? 0) + (b.upstream ?? 0)).toBe(80);
  expect((a.daily_limit_reached ?? 0) + (b.daily_limit_reached ?? 0)).toBe(40);
  expect(provider.asked.length).toBe(80);
  expect([one.meter.state().used, two.meter.state().used]).toEqual([1_000, 1_000]);
  one.close();
  two.close();
});

test("every attempt counts, and the last call of the day is not repeated", async () => {
  const clock = fakeClock("2026-09-09T15:00:00Z");
  const econ = open(clock);
  provider.answer(() => ({ status: 500, body: "<html>" }));
  expect((await econ.get("category")).said).toBe("upstream_error");
  expect(provider.asked.length).toBe(3);
  expect(econ.meter.state().used).toBe(3);
  provider.answer(null);
  count(econ, 956);
  expect(await askMany(econ, 1_000, 40)).toEqual({ upstream: 40 });
  provider.answer(() => ({ status: 500, body: "<html>" }));
  expect((await econ.get("sources")).said).toBe("daily_limit_reached");
  expect(provider.asked.length).toBe(44);
  expect(econ.usage(1, true).data).toMatchObject({
    used_today: 1_000,
    can_make_requests: false,
    daily_stats: [{ total_calls: 1_000, successful_calls: 996, total_records: 0, success_rate: 99.6 }],
    endpoint_stats: [
      { endpoint: "category", call_count: 999 },
      { endpoint: "sources", call_count: 1 },
    ],
  });
  econ.close();
});

test("the admin may exceed the limit, which is counted; cached answers of others are not fetched again", async () => {
  const clock = fakeClock("2026-09-09T15:00:00Z");
  const econ = open(clock);
  count(econ, 960);
  await askMany(econ, 1_000, 40);
  expect((await econ.get("category", { category_id: 1 })).said).toBe("daily_limit_reached");
  const over = await econ.get("category", { category_id: 1, bypass_limit_check: true });
  expect(over.said).toBe("upstream");
  expect(over.body._metadata).toMatchObject({ used_today: 1_001, remaining_today: 0 });
  expect((await econ.get("category", { category_id: 1 })).said).toBe("cache");
  // A fresh answer is requested but not available.
  expect((await econ.get("category", { category_id: 1, force_refresh: true })).said).toBe("cache");
  clock.set("2026-09-10T03:00:00Z");
  expect((await econ.get("category", { category_id: 2, force_refresh: true })).said).toBe(
    "daily_limit_reached",
  );
  expect(provider.asked.length).toBe(41);
  econ.close();
});

test("concurrent requests share one call, a forced one makes its own", async () => {
  const econ = open(fakeClock("2026-09-09T15:00:00Z"));
  const same = await Promise.all(Array.from({ length: 8 }, () => econ.get("sources")));
  expect(provider.asked.length).toBe(1);
  expect(new Set(same.map((o) => o.said))).toEqual(new Set(["upstream"]));
  await econ.get("sources", { force_refresh: true });
  await econ.get("sources");
  expect(provider.asked.length).toBe(2);
  econ.close();
});

test("a refusal is cached for a minute, so that a repeated mistake does not use up the day's calls", async () => {
  const clock = fakeClock("2026-09-09T15:00:00Z");
  const econ = open(clock);
  const error_message = "Bad Request.  The series does not exist.";
  provider.answer(() => ({ status: 400, body: { error_code: 400, error_message } }));
  const ask = (query = {}) => econ.get("series", { series_id: "NOPE", ...query });
  for (let i = 0; i < 5; i++) {
    const { fault: error } = await ask();
    expect([error?.message, error?.facts.upstreamErrorCode]).toEqual([error_message, 400]);
  }
  expect(provider.asked.length).toBe(1);
  await ask({ force_refresh: true });
  expect(provider.asked.length).toBe(2);
  clock.advance(61_000);
  provider.answer(() => ({ body: { seriess: [{ id: "NOPE" }] } }));
  expect((await ask()).said).toBe("upstream");
  // A later refusal does not remove the good copy.
  provider.answer(() => ({ status: 400, body: { error_code: 400, error_message } }));
  expect((await ask({ force_refresh: true })).said).toBe("bad_request");
  clock.advance(61_000);
  expect((await ask()).said).toBe("cache");
  econ.close();
});
