// The lock has one holder at a time, a bounded wait, and is always released.

import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { lakeYard } from "../../../test/faults/lake-support.ts";
import { StorageUnavailable } from "../errors.ts";
import { acquireForLifetime, lakeLock } from "./lock.ts";

const yard = lakeYard();
afterEach(yard.clear);

test("holders of two locks on one file, and of one lock, never overlap", async () => {
  const path = join(await yard.folder(), "lock.sqlite");
  const locks = [lakeLock(path), lakeLock(path)];
  let inside = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++inside);
    await Bun.sleep(1);
    inside--;
  };
  await Promise.all(Array.from({ length: 20 }, (_, n) => locks[n % 2]?.hold(work)));
  expect([most, inside]).toEqual([1, 0]);
  for (const lock of locks) lock.close();
});

test("a failure releases the lock and reaches the caller", async () => {
  const lock = lakeLock(join(await yard.folder(), "lock.sqlite"));
  await expect(lock.hold(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await lock.hold(async () => 7)).toBe(7);
  lock.close();
});

test("waiting for another process is bounded and the error says when to retry", async () => {
  const path = join(await yard.folder(), "lock.sqlite");
  const other = acquireForLifetime(path);
  const lock = lakeLock(path, 60);
  const failure = await lock.hold(async () => 7).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StorageUnavailable);
  expect((failure as StorageUnavailable).facts.retryAfterS).toBe(5);
  other?.release();
  expect(await lock.hold(async () => 7)).toBe(7);
  lock.close();
});

test("a lifetime lock has one holder; in a missing folder it throws a storage error", async () => {
  const folder = await yard.folder();
  const first = acquireForLifetime(join(folder, "alive.lock"));
  expect(first).toBeDefined();
  expect(acquireForLifetime(join(folder, "alive.lock"))).toBeUndefined();
  first?.release();
  expect(acquireForLifetime(join(folder, "alive.lock"))).toBeDefined();
  await expect(lakeLock(join(folder, "none", "lock.sqlite")).hold(async () => 7)).rejects.toBeInstanceOf(
    StorageUnavailable,
  );
});
