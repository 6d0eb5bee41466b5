// A full disk shows in /health with its reason, and is over as soon as there is space again.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { healthOf } from "../../src/capabilities/health/index.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { StorageUnavailable } from "../../src/platform/errors.ts";
import { openSqlite } from "../../src/platform/sqlite/sqlite.ts";
import { fullDisk } from "../../src/platform/write-failures.ts";

test("a write that found no space gives the reason, until one succeeds", () => {
  const store = openSqlite(":memory:");
  const [{ page_count } = { page_count: 0 }] = store.use((db) =>
    db.all<{ page_count: number }>(sql`PRAGMA page_count`),
  );
  store.use((db) => db.all(sql.raw(`PRAGMA max_page_count = ${page_count}`)));
  const fill = () =>
    store.write((db) => db.run(sql`CREATE TABLE filler AS SELECT zeroblob(100000) AS bytes`));
  expect(fill).toThrow(StorageUnavailable);
  expect(store.writeFailure()).toBe("the disk is full");
  store.use((db) => db.all(sql.raw(`PRAGMA max_page_count = ${page_count + 1_000}`)));
  fill();
  expect(store.writeFailure()).toBeNull();
  store.close();
});

test.skipIf(process.platform !== "linux")("a file system without free space is full", async () => {
  // The file system of the kernel's tables has none.
  expect(await fullDisk("/proc")).toBe("the disk is full");
  expect(await fullDisk("/proc/no/such/folder")).toBeNull();
});

test("/health is degraded with the reason while nothing can be stored, and healthy afterwards", async () => {
  const unwritable = { database: null as string | null, lake: "the disk is full" as string | null };
  const ask = () =>
    healthOf({
      clock: systemClock,
      version: "1.0.0",
      environment: "test",
      startedAtMs: systemClock.nowMs(),
      pingDatabase: () => {},
      lakeProblems: () => [],
      unwritable: async () => unwritable,
      caches: () => [],
      upstreams: () => [],
      scheduler: () => ({ running: false, jobs: [] }),
    });
  const full = await ask();
  expect(full.status).toBe("degraded");
  expect(full.dependencies.lake).toEqual({
    status: "degraded",
    detail: "Nothing can be stored: the disk is full.",
  });
  expect(full.dependencies.database?.status).toBe("healthy");
  unwritable.lake = null;
  expect((await ask()).status).toBe("healthy");
});
