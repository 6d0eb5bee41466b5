// A full disk shows in /health with its reason, and is over as soon as there is space again.
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { healthOf } from "../../src/capabilities/health/index.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { StorageUnavailable } from "../../src/platform/errors.ts";
import { openSqlite } from "../../src/platform/sqlite/sqlite.ts";
import { fullDisk, type Space, unwritable, writeFailures } from "../../src/platform/write-failures.ts";

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

test("the first answer after there is space again is healthy, although nothing was written since", async () => {
  const [database, lake] = [writeFailures(), writeFailures()];
  const noSpace = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  const damaged = Object.assign(new Error("input/output error"), { code: "EIO" });
  const failed = (cause: Error) =>
    new StorageUnavailable("database_unavailable", "The data store cannot be written.", { cause });
  let free = 0;
  let refuses = false;
  const files = new Set<string>();
  const disk: Space = {
    freeBytes: async () => free,
    async write(path, bytes) {
      expect(bytes.length).toBeGreaterThan(10_000);
      files.add(path);
      if (refuses || free < bytes.length) throw noSpace;
    },
    remove: async (path) => void files.delete(path),
  };
  const ask = () => unwritable("/data", { database, lake }, disk);
  expect(await ask()).toEqual({ database: "the disk is full", lake: "the disk is full" });
  lake.note(failed(noSpace));
  database.note(failed(damaged));
  // Room for the trial, and none for the write that failed.
  free = 20_000_000;
  expect(await ask()).toEqual({ database: "the latest write failed", lake: "the disk is full" });
  // A quota leaves the free space of the file system as it is.
  [free, refuses] = [10_000_000_000, true];
  expect((await ask()).lake).toBe("the disk is full");
  refuses = false;
  // Space says nothing about a write that failed for another reason.
  expect(await ask()).toEqual({ database: "the latest write failed", lake: null });
  database.clear();
  expect(await ask()).toEqual({ database: null, lake: null });
  expect([...files]).toEqual([]);
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
      databaseDamage: () => null,
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
