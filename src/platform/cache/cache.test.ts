import { expect, setDefaultTimeout, test } from "bun:test";
import { captureLog } from "../../../test/support/capture-log.ts";
import { fakeClock } from "../../../test/support/fake-clock.ts";
import {
  Busy,
  InvalidRequest,
  NotConfigured,
  NotFound,
  UpstreamFailed,
  UpstreamRateLimited,
  UpstreamTimeout,
} from "../errors.ts";
import { openSqlite } from "../sqlite/sqlite.ts";
import { cache_entries } from "../sqlite/tables.ts";
import { type CacheOptions, createCache } from "./cache.ts";

setDefaultTimeout(1_200_000);

type Value = { n: number };
const START = "2026-11-20T15:00:00Z";

function make(options: Partial<CacheOptions<Value>> = {}, shared = {}) {
  const deps = { store: openSqlite(":memory:"), clock: fakeClock(START), log: captureLog(), ...shared };
  const cache = createCache<Value>({ name: "test", ttlS: 60, ...options }, deps);
  let loads = 0;
  const load = async () => ({ n: ++loads });
  return { ...deps, cache, load, loads: () => loads };
}
const fail = (error: unknown) => () => Promise.reject(error);
const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "it was answered",
    (error: unknown) => error,
  );

test("the first call loads, later ones are hits until the entry expires", async () => {
  const { cache, load, clock } = make();
  const first = await cache.get("k", load);
  expect([first.state, first.value.n, first.expiresAtMs - first.storedAtMs]).toEqual(["MISS", 1, 60_000]);
  clock.advance(59_999);
  expect(await cache.get("k", load)).toEqual({ ...first, state: "HIT" });
  clock.advance(1);
  expect(await cache.get("k", load)).toMatchObject({ state: "MISS", value: { n: 2 } });
  expect(cache.stats()).toMatchObject({ name: "test", entries: 1, hits: 1, misses: 2, stale: 0 });
});

test("the lifetime may depend on the value; with 0 it is not cached", async () => {
  const { cache, clock } = make({ ttlS: ({ n }) => n });
  await cache.get("short", async () => ({ n: 5 }));
  clock.advance(5_000);
  expect((await cache.get("short", async () => ({ n: 0 }))).state).toBe("MISS");
  expect((await cache.get("short", async () => ({ n: 0 }))).state).toBe("MISS");
});

test("keys and cache names do not mix, not even __proto__", async () => {
  const a = make();
  const b = make({ name: "other" }, { store: a.store, clock: a.clock });
  await a.cache.get("__proto__", async () => ({ n: 1 }));
  await a.cache.get("constructor", async () => ({ n: 2 }));
  await b.cache.get("__proto__", async () => ({ n: 3 }));
  expect((await a.cache.get("__proto__", a.load)).value).toEqual({ n: 1 });
  expect((await a.cache.get("constructor", a.load)).value).toEqual({ n: 2 });
  expect((await b.cache.get("__proto__", b.load)).value).toEqual({ n: 3 });
});

test("a durable entry outlives the process with its times", async () => {
  const before = make();
  const kept = await before.cache.get("k", async () => ({ n: 42 }));
  const after = make({}, { store: before.store, clock: before.clock });
  expect(await after.cache.get("k", after.load)).toEqual({ ...kept, state: "HIT" });
  const brief = make({ name: "brief", durable: false }, { store: before.store });
  await brief.cache.get("k", brief.load);
  expect(before.store.use((db) => db.select({ name: cache_entries.name }).from(cache_entries).all())).toEqual(
    [{ name: "test" }],
  );
});

test("fifty concurrent calls load once", async () => {
  const { cache, load, loads } = make();
  const all = await Promise.all(Array.from({ length: 50 }, () => cache.get("k", load)));
  expect([loads(), new Set(all.map((r) => r.value.n)).size]).toEqual([1, 1]);
});

test("force always loads, forced calls share one load, and its result is cached", async () => {
  const { cache, load, loads } = make();
  await cache.get("k", load);
  const forced = await Promise.all([1, 2, 3].map(() => cache.get("k", load, { force: true })));
  expect(forced.map((r) => [r.state, r.value.n])).toEqual(Array(3).fill(["MISS", 2]));
  expect(await cache.get("k", load)).toMatchObject({ state: "HIT", value: { n: 2 } });
  expect(loads()).toBe(2);
});

test("force does not join a plain load, and that older load does not replace its value", async () => {
  const { cache } = make();
  const slow = Promise.withResolvers<Value>();
  const plain = cache.get("k", () => slow.promise);
  const forced = await cache.get("k", async () => ({ n: 2 }), { force: true });
  expect(forced.value.n).toBe(2);
  slow.resolve({ n: 1 });
  expect((await plain).value.n).toBe(1);
  expect((await cache.get("k", fail(new Error("not asked")))).value.n).toBe(2);
});

test("a plain call joins a forced load under way", async () => {
  const { cache } = make();
  const slow = Promise.withResolvers<Value>();
  const forced = cache.get("k", () => slow.promise, { force: true });
  const plain = cache.get("k", fail(new Error("a second load")));
  slow.resolve({ n: 9 });
  expect([(await forced).value.n, (await plain).value.n]).toEqual([9, 9]);
});

test("an outage: the expired value within its window as STALE, never when forced, never for other errors", async () => {
  const { cache, load, clock } = make({ staleS: 3_600 });
  await cache.get("k", load);
  clock.advance(60_000);
  const outages = [
    new UpstreamFailed("p", "down"),
    new UpstreamTimeout("p", "slow"),
    new UpstreamRateLimited("p", "too often"),
    new Busy("upstream_busy", "queue"),
  ];
  for (const outage of outages)
    expect(await cache.get("k", fail(outage))).toMatchObject({ state: "STALE", value: { n: 1 } });
  expect(cache.stats().stale).toBe(4);
  expect(await errorOf(cache.get("k", fail(outages[0]), { force: true }))).toBe(outages[0]);
  const ours = new InvalidRequest("bad_request", "wrong");
  expect(await errorOf(cache.get("k", fail(ours)))).toBe(ours);
  clock.advance(3_600_000);
  expect(await errorOf(cache.get("k", fail(outages[0])))).toBe(outages[0]);
});

test("an outage after a restart still finds the expired value in the database", async () => {
  const before = make({ staleS: 3_600 });
  await before.cache.get("k", async () => ({ n: 7 }));
  before.clock.advance(120_000);
  const after = make({ staleS: 3_600 }, { store: before.store, clock: before.clock });
  expect(await after.cache.get("k", fail(new UpstreamFailed("p", "down")))).toMatchObject({
    state: "STALE",
    value: { n: 7 },
  });
});

test("without a window an outage is an error, which is not cached", async () => {
  const { cache, load } = make();
  const down = new UpstreamFailed("p", "down");
  expect(await errorOf(cache.get("k", fail(down)))).toBe(down);
  expect((await cache.get("k", load)).value.n).toBe(1);
});

test("NotFound is cached for negativeS and ends the former value", async () => {
  const { cache, load, clock } = make({ negativeS: 60, staleS: 3_600 });
  await cache.get("k", load);
  clock.advance(60_000);
  const gone = new NotFound("unknown_ticker", "no such ticker");
  expect(await errorOf(cache.get("k", fail(gone)))).toBe(gone);
  clock.advance(59_999);
  expect(await errorOf(cache.get("k", load))).toBe(gone);
  clock.advance(1);
  const down = new UpstreamFailed("p", "down");
  expect(await errorOf(cache.get("k", fail(down)))).toBe(down);
  expect((await cache.get("k", load)).value.n).toBe(2);
});

test("memory is bounded in entries and bytes, the database in rows", async () => {
  const { cache, store, clock, load } = make({ entriesMax: 5, bytesMax: 1_000 });
  for (let i = 0; i < 200; i++) {
    clock.advance(1);
    await cache.get(`k${i}`, async () => ({ n: i }));
  }
  expect(cache.stats().entries).toBe(5);
  expect(store.use((db) => db.select({ key: cache_entries.key }).from(cache_entries).all()).length).toBe(50);
  expect((await cache.get("k199", load)).state).toBe("HIT");
  expect((await cache.get("k160", load)).value.n).toBe(160);
  expect((await cache.get("k0", load)).state).toBe("MISS");
  await cache.get("huge", async () => ({ n: 1, text: "x".repeat(2_000) }));
  expect((await cache.get("huge", load)).state).toBe("MISS");
  expect(cache.stats().bytes).toBeLessThanOrEqual(1_000);
});

test("expired rows are deleted", async () => {
  const { cache, store, clock, load } = make({ staleS: 60 });
  await cache.get("old", load);
  clock.advance(120_001);
  for (let i = 0; i < 99; i++) await cache.get(`k${i}`, load);
  expect(store.use((db) => db.select({ key: cache_entries.key }).from(cache_entries).all()).length).toBe(99);
});

test("a closed database costs only the durable cache, and is logged", async () => {
  const { cache, store, load, log } = make();
  store.close();
  expect((await cache.get("k", load)).value.n).toBe(1);
  expect((await cache.get("k", load)).state).toBe("HIT");
  expect(log.lines.map((l) => l.level)).toEqual(["warn", "warn"]);
});

test("a row that cannot be read counts as none", async () => {
  const before = make();
  await before.cache.get("k", before.load);
  before.store.use((db) =>
    db
      .update(cache_entries)
      .set({ body: Buffer.from("{broken") })
      .run(),
  );
  const after = make({}, { store: before.store });
  expect(await after.cache.get("k", async () => ({ n: 8 }))).toMatchObject({
    state: "MISS",
    value: { n: 8 },
  });
  const again = make({}, { store: before.store });
  expect(await again.cache.get("k", again.load)).toMatchObject({ state: "HIT", value: { n: 8 } });
});

test("an expired value also serves when the API key is missing", async () => {
  const { cache, load, clock } = make({ staleS: 60 });
  const missing = new NotConfigured("not_configured", "no key");
  expect(await errorOf(cache.get("k", fail(missing)))).toBe(missing);
  await cache.get("k", load);
  clock.advance(90_000);
  expect(await cache.get("k", fail(missing))).toMatchObject({ state: "STALE", value: { n: 1 } });
});

test("jitter moves the lifetime both ways and is off by default", async () => {
  const lifetime = async (random: number, jitter?: number) => {
    const { cache, load } = make(jitter === undefined ? {} : { jitter }, { random: () => random });
    const { storedAtMs, expiresAtMs } = await cache.get("k", load);
    return expiresAtMs - storedAtMs;
  };
  expect(await Promise.all([lifetime(0, 0.1), lifetime(1, 0.1), lifetime(0.9)])).toEqual([
    54_000, 66_000, 60_000,
  ]);
});

test("a caller that aborts affects no other; after forget the next call loads", async () => {
  const { cache, load } = make();
  const client = new AbortController();
  const slow = Promise.withResolvers<Value>();
  const gone = errorOf(cache.get("k", () => slow.promise, { signal: client.signal }));
  const stays = cache.get("k", () => slow.promise);
  client.abort(new Error("client went"));
  expect(await gone).toEqual(new Error("client went"));
  slow.resolve({ n: 3 });
  expect((await stays).value.n).toBe(3);
  cache.forget("k");
  expect(await cache.get("k", load)).toMatchObject({ state: "MISS", value: { n: 1 } });
});

test("an entry from the future is ignored: a clock set back makes no entry live longer", async () => {
  const { cache, load, clock } = make();
  await cache.get("k", load);
  clock.set("2026-11-20T14:00:00Z");
  const again = await cache.get("k", load);
  expect([again.state, again.value.n]).toEqual(["MISS", 2]);
  expect((await cache.get("k", load)).state).toBe("HIT");
  clock.advance(60_000);
  expect((await cache.get("k", load)).value.n).toBe(3);
});

test("a lazy signal is made only when there is something to wait for, and then it counts", async () => {
  const { cache, load, loads } = make();
  const stop = new AbortController();
  let made = 0;
  const signal = () => {
    made++;
    return stop.signal;
  };
  await cache.get("k", load, { signal });
  await cache.get("k", load, { signal });
  expect([made, loads()]).toEqual([1, 1]);
  stop.abort(new Error("gone"));
  expect(await errorOf(cache.get("other", load, { signal }))).toMatchObject({ message: "gone" });
  expect([(await cache.get("k", load, { signal })).state, made, loads()]).toEqual(["HIT", 2, 1]);
});
