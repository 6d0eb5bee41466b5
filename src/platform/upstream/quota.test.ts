import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fakeClock } from "../../../test/support/fake-clock.ts";
import { openSqlite } from "../sqlite/sqlite.ts";
import { quota } from "./quota.ts";

setDefaultTimeout(1_200_000);

const CHICAGO = { upstream: "fred", limit: 3, zone: "America/Chicago" };

test("calls are counted up to the limit, then refused without being counted", () => {
  const store = openSqlite(":memory:");
  const clock = fakeClock("2026-11-20T15:00:00Z");
  const calls = quota(CHICAGO, { store, clock });
  expect([1, 2, 3, 4, 5].map(() => calls.take()).map((s) => [s.allowed, s.used])).toEqual([
    [true, 1],
    [true, 2],
    [true, 3],
    [false, 3],
    [false, 3],
  ]);
  expect(calls.peek()).toMatchObject({ allowed: false, day: "2026-11-20", used: 3, limit: 3 });
  expect(calls.take({ unchecked: true })).toMatchObject({ allowed: true, used: 4 });
  store.close();
});

test("the day ends at midnight in Chicago, also when its clocks change", () => {
  const store = openSqlite(":memory:");
  const clock = fakeClock("2026-11-21T05:59:59Z");
  const calls = quota({ ...CHICAGO, limit: 1 }, { store, clock });
  expect(calls.take().resetsAt.toString()).toBe("2026-11-21T06:00:00Z");
  expect(calls.take().allowed).toBe(false);
  clock.advance(1_000);
  expect(calls.take()).toMatchObject({ allowed: true, used: 1 });
  expect(calls.history(10)).toEqual([
    { date: "2026-11-21", calls: 1 },
    { date: "2026-11-20", calls: 1 },
  ]);
  clock.set("2026-03-08T05:59:00Z");
  expect(calls.peek().resetsAt.toString()).toBe("2026-03-08T06:00:00Z");
  clock.set("2026-03-08T06:00:00Z");
  expect(calls.peek().resetsAt.toString()).toBe("2026-03-09T05:00:00Z");
  clock.set("2026-11-01T05:00:00Z");
  expect(calls.peek().resetsAt.toString()).toBe("2026-11-02T06:00:00Z");
  store.close();
});

test("providers do not share a quota; a limit of 0 allows no call", () => {
  const store = openSqlite(":memory:");
  const clock = fakeClock("2026-11-20T15:00:00Z");
  quota({ ...CHICAGO, upstream: "other" }, { store, clock }).take();
  expect(quota(CHICAGO, { store, clock }).peek().used).toBe(0);
  expect(quota({ ...CHICAGO, limit: 0 }, { store, clock }).take()).toMatchObject({ allowed: false, used: 0 });
  store.close();
});

test("processes share the count, a restart preserves it, and together they never exceed the limit", async () => {
  const folder = mkdtempSync(join(tmpdir(), "quota-test-"));
  const path = join(folder, "ops.sqlite");
  openSqlite(path).close();
  const script = join(folder, "taker.ts");
  const from = (file: string) => JSON.stringify(join(import.meta.dir, file));
  await Bun.write(
    script,
    `import { openSqlite } from ${from("../sqlite/sqlite.ts")}; import { quota } from ${from("quota.ts")};
     import { fakeClock } from ${from("../../../test/support/fake-clock.ts")};
     const q = quota({ upstream: "fred", limit: 100, zone: "America/Chicago" },
       { store: openSqlite(process.argv[2]), clock: fakeClock("2026-11-20T15:00:00Z") });
     let n = 0; for (let i = 0; i < 60; i++) if (q.take().allowed) n++; console.log(n);`,
  );
  const takers = [1, 2].map(() => Bun.spawn([process.execPath, script, path], { stdout: "pipe" }));
  const taken = await Promise.all(takers.map(async (t) => Number(await new Response(t.stdout).text())));
  expect((taken[0] ?? 0) + (taken[1] ?? 0)).toBe(100);
  const store = openSqlite(path);
  const clock = fakeClock("2026-11-20T16:00:00Z");
  expect(quota({ ...CHICAGO, limit: 100 }, { store, clock }).peek()).toMatchObject({
    used: 100,
    allowed: false,
  });
  store.close();
  rmSync(folder, { recursive: true });
});
