import { expect, test } from "bun:test";
import { fakeClock } from "../clock.ts";
import {
  Busy,
  InvalidRequest,
  NotConfigured,
  NotFound,
  UpstreamFailed,
  UpstreamRateLimited,
  UpstreamTimeout,
} from "../errors.ts";
import { captureLog } from "../log.ts";
import { openSqlite } from "../sqlite/sqlite.ts";
import { cache_entries } from "../sqlite/tables.ts";
import { type CacheOptions, createCache } from "./cache.ts";

type Value = { n: number };
const START = "2026-11-20T15:00:00Z";

function make(options: Partial<CacheOptions<Value>> = {}, shared = {}) {
  const needs = { store: openSqlite(":memory:"), clock: fakeClock(START), log: captureLog(), ...shared };
  const memory = createCache<Value>({ name: "test", ttlS: 60, ...options }, needs);
  let loads = 0;
  const load = async () => ({ n: ++loads });
  return { ...needs, memory, load, loads: () => loads };
}
const fail = (error: unknown) => () => Promise.reject(error);
const faultOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "it was answered",
    (error: unknown) => error,
  );

test("the first asks, the next remember, until the lifetime is over", async () => {
  const { memory, load, clock } = make();
  const first = await memory.get("k", load);
  expect([first.state, first.value.n, first.expiresAtMs - first.storedAtMs]).toEqual(["MISS", 1, 60_000]);
  clock.advance(59_999);
  expect(await memory.get("k", load)).toEqual({ ...first, state: "HIT" });
  clock.advance(1);
  expect(await memory.get("k", load)).toMatchObject({ state: "MISS", value: { n: 2 } });
  expect(memory.stats()).toMatchObject({ name: "test", entries: 1, hits: 1, misses: 2, stale: 0 });
});

test("the lifetime may depend on the answer, and 0 is not remembered", async () => {
  const { memory, clock } = make({ ttlS: ({ n }) => n });
  await memory.get("short", async () => ({ n: 5 }));
  clock.advance(5_000);
  expect((await memory.get("short", async () => ({ n: 0 }))).state).toBe("MISS");
  expect((await memory.get("short", async () => ({ n: 0 }))).state).toBe("MISS");
});

test("keys and names do not mix, whatever they are called", async () => {
  const a = make();
  const b = make({ name: "other" }, { store: a.store, clock: a.clock });
  await a.memory.get("__proto__", async () => ({ n: 1 }));
  await a.memory.get("constructor", async () => ({ n: 2 }));
  await b.memory.get("__proto__", async () => ({ n: 3 }));
  expect((await a.memory.get("__proto__", a.load)).value).toEqual({ n: 1 });
  expect((await a.memory.get("constructor", a.load)).value).toEqual({ n: 2 });
  expect((await b.memory.get("__proto__", b.load)).value).toEqual({ n: 3 });
});

test("an answer outlives the process, with its times, unless it is not durable", async () => {
  const before = make();
  const kept = await before.memory.get("k", async () => ({ n: 42 }));
  const after = make({}, { store: before.store, clock: before.clock });
  expect(await after.memory.get("k", after.load)).toEqual({ ...kept, state: "HIT" });
  const brief = make({ name: "brief", durable: false }, { store: before.store });
  await brief.memory.get("k", brief.load);
  expect(before.store.use((db) => db.select({ name: cache_entries.name }).from(cache_entries).all())).toEqual(
    [{ name: "test" }],
  );
});

test("fifty who ask at once load once", async () => {
  const { memory, load, loads } = make();
  const all = await Promise.all(Array.from({ length: 50 }, () => memory.get("k", load)));
  expect([loads(), new Set(all.map((r) => r.value.n)).size]).toEqual([1, 1]);
});

test("force loads anew, forced callers share one load, and the result is what is remembered", async () => {
  const { memory, load, loads } = make();
  await memory.get("k", load);
  const forced = await Promise.all([1, 2, 3].map(() => memory.get("k", load, { force: true })));
  expect(forced.map((r) => [r.state, r.value.n])).toEqual(Array(3).fill(["MISS", 2]));
  expect(await memory.get("k", load)).toMatchObject({ state: "HIT", value: { n: 2 } });
  expect(loads()).toBe(2);
});

test("force does not join a load that was not forced, nor is its answer lost to that older one", async () => {
  const { memory } = make();
  const slow = Promise.withResolvers<Value>();
  const plain = memory.get("k", () => slow.promise);
  const forced = await memory.get("k", async () => ({ n: 2 }), { force: true });
  expect(forced.value.n).toBe(2);
  slow.resolve({ n: 1 });
  expect((await plain).value.n).toBe(1);
  expect((await memory.get("k", fail(new Error("not asked")))).value.n).toBe(2);
});

test("one who does not force joins a forced load under way", async () => {
  const { memory } = make();
  const slow = Promise.withResolvers<Value>();
  const forced = memory.get("k", () => slow.promise, { force: true });
  const plain = memory.get("k", fail(new Error("a second load")));
  slow.resolve({ n: 9 });
  expect([(await forced).value.n, (await plain).value.n]).toEqual([9, 9]);
});

test("a provider's fault: the old answer within its window and marked, never when forced, never for other errors", async () => {
  const { memory, load, clock } = make({ staleS: 3_600 });
  await memory.get("k", load);
  clock.advance(60_000);
  const outages = [
    new UpstreamFailed("p", "down"),
    new UpstreamTimeout("p", "slow"),
    new UpstreamRateLimited("p", "too often"),
    new Busy("upstream_busy", "queue"),
  ];
  for (const outage of outages)
    expect(await memory.get("k", fail(outage))).toMatchObject({ state: "STALE", value: { n: 1 } });
  expect(memory.stats().stale).toBe(4);
  expect(await faultOf(memory.get("k", fail(outages[0]), { force: true }))).toBe(outages[0]);
  const ours = new InvalidRequest("bad_request", "wrong");
  expect(await faultOf(memory.get("k", fail(ours)))).toBe(ours);
  clock.advance(3_600_000);
  expect(await faultOf(memory.get("k", fail(outages[0])))).toBe(outages[0]);
});

test("an outage during a restart still finds the old answer in the database", async () => {
  const before = make({ staleS: 3_600 });
  await before.memory.get("k", async () => ({ n: 7 }));
  before.clock.advance(120_000);
  const after = make({ staleS: 3_600 }, { store: before.store, clock: before.clock });
  expect(await after.memory.get("k", fail(new UpstreamFailed("p", "down")))).toMatchObject({
    state: "STALE",
    value: { n: 7 },
  });
});

test("without a window a fault is a fault, and it is not remembered", async () => {
  const { memory, load } = make();
  const down = new UpstreamFailed("p", "down");
  expect(await faultOf(memory.get("k", fail(down)))).toBe(down);
  expect((await memory.get("k", load)).value.n).toBe(1);
});

test("no such thing is believed for negativeS, and ends what was known before", async () => {
  const { memory, load, clock } = make({ negativeS: 60, staleS: 3_600 });
  await memory.get("k", load);
  clock.advance(60_000);
  const gone = new NotFound("unknown_ticker", "no such ticker");
  expect(await faultOf(memory.get("k", fail(gone)))).toBe(gone);
  clock.advance(59_999);
  expect(await faultOf(memory.get("k", load))).toBe(gone);
  clock.advance(1);
  const down = new UpstreamFailed("p", "down");
  expect(await faultOf(memory.get("k", fail(down)))).toBe(down);
  expect((await memory.get("k", load)).value.n).toBe(2);
});

test("memory is bounded in entries and bytes; the database in rows", async () => {
  const { memory, store, clock, load } = make({ entriesMax: 5, bytesMax: 1_000 });
  for (let i = 0; i < 200; i++) {
    clock.advance(1);
    await memory.get(`k${i}`, async () => ({ n: i }));
  }
  expect(memory.stats().entries).toBe(5);
  expect(store.use((db) => db.select({ key: cache_entries.key }).from(cache_entries).all()).length).toBe(50);
  expect((await memory.get("k199", load)).state).toBe("HIT");
  expect((await memory.get("k160", load)).value.n).toBe(160);
  expect((await memory.get("k0", load)).state).toBe("MISS");
  await memory.get("huge", async () => ({ n: 1, text: "x".repeat(2_000) }));
  expect((await memory.get("huge", load)).state).toBe("MISS");
  expect(memory.stats().bytes).toBeLessThanOrEqual(1_000);
});

test("rows whose time is over are swept out", async () => {
  const { memory, store, clock, load } = make({ staleS: 60 });
  await memory.get("old", load);
  clock.advance(120_001);
  for (let i = 0; i < 99; i++) await memory.get(`k${i}`, load);
  expect(store.use((db) => db.select({ key: cache_entries.key }).from(cache_entries).all()).length).toBe(99);
});

test("a database that is gone costs only the memory, and is reported", async () => {
  const { memory, store, load, log } = make();
  store.close();
  expect((await memory.get("k", load)).value.n).toBe(1);
  expect((await memory.get("k", load)).state).toBe("HIT");
  expect(log.lines.map((l) => l.level)).toEqual(["warn", "warn"]);
});

test("a row that cannot be read is as good as none", async () => {
  const before = make();
  await before.memory.get("k", before.load);
  before.store.use((db) =>
    db
      .update(cache_entries)
      .set({ body: Buffer.from("{broken") })
      .run(),
  );
  const after = make({}, { store: before.store });
  expect(await after.memory.get("k", async () => ({ n: 8 }))).toMatchObject({
    state: "MISS",
    value: { n: 8 },
  });
  const again = make({}, { store: before.store });
  expect(await again.memory.get("k", again.load)).toMatchObject({ state: "HIT", value: { n: 8 } });
});

test("an old answer also serves when a key is missing by now", async () => {
  const { memory, load, clock } = make({ staleS: 60 });
  const missing = new NotConfigured("not_configured", "no key");
  expect(await faultOf(memory.get("k", fail(missing)))).toBe(missing);
  await memory.get("k", load);
  clock.advance(90_000);
  expect(await memory.get("k", fail(missing))).toMatchObject({ state: "STALE", value: { n: 1 } });
});

test("jitter moves the lifetime both ways and is off by default", async () => {
  const lifetime = async (random: number, jitter?: number) => {
    const { memory, load } = make(jitter === undefined ? {} : { jitter }, { random: () => random });
    const { storedAtMs, expiresAtMs } = await memory.get("k", load);
    return expiresAtMs - storedAtMs;
  };
  expect(await Promise.all([lifetime(0, 0.1), lifetime(1, 0.1), lifetime(0.9)])).toEqual([
    54_000, 66_000, 60_000,
  ]);
});

test("one who goes harms nobody; forget makes the next load anew", async () => {
  const { memory, load } = make();
  const client = new AbortController();
  const slow = Promise.withResolvers<Value>();
  const gone = faultOf(memory.get("k", () => slow.promise, { signal: client.signal }));
  const stays = memory.get("k", () => slow.promise);
  client.abort(new Error("client went"));
  expect(await gone).toEqual(new Error("client went"));
  slow.resolve({ n: 3 });
  expect((await stays).value.n).toBe(3);
  memory.forget("k");
  expect(await memory.get("k", load)).toMatchObject({ state: "MISS", value: { n: 1 } });
});

test("an answer from the future is no answer: a machine clock set back makes nothing good for longer", async () => {
  const { memory, load, clock } = make();
  await memory.get("k", load);
  clock.set("2026-11-20T14:00:00Z");
  const again = await memory.get("k", load);
  expect([again.state, again.value.n]).toEqual(["MISS", 2]);
  expect((await memory.get("k", load)).state).toBe("HIT");
  clock.advance(60_000);
  expect((await memory.get("k", load)).value.n).toBe(3);
});

test("a signal that is to be made is made only where there is something to wait for, and then counts", async () => {
  const { memory, load, loads } = make();
  const stop = new AbortController();
  let made = 0;
  const signal = () => {
    made++;
    return stop.signal;
  };
  await memory.get("k", load, { signal });
  await memory.get("k", load, { signal });
  expect([made, loads()]).toEqual([1, 1]);
  stop.abort(new Error("gone"));
  expect(await faultOf(memory.get("other", load, { signal }))).toMatchObject({ message: "gone" });
  expect([(await memory.get("k", load, { signal })).state, made, loads()]).toEqual(["HIT", 2, 1]);
});
