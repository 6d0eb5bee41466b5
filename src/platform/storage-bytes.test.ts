// The bytes of the data folder by part, counted at most every ten seconds.
import { afterEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storageBytes } from "./storage-bytes.ts";

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function dataFolder() {
  const dataDir = await mkdtemp(join(tmpdir(), "bytes-"));
  folders.push(dataDir);
  const write = (path: string, bytes: number) => Bun.write(join(dataDir, path), new Uint8Array(bytes));
  return { dataDir, write };
}

test("every byte counts once: served, replaced, vault, database, and all else", async () => {
  const { dataDir, write } = await dataFolder();
  await write("lake/prices/base-2.parquet", 1_000);
  await write("lake/prices/base-1.parquet", 300);
  await write("lake/manifest.json", 70);
  await write("vault/ab/cd", 20_000);
  await write("ops.sqlite", 4_096);
  await write("ops.sqlite-wal", 512);
  await write("catalog.duckdb", 50);
  const lake = { liveBytes: () => 1_000, retired: () => [{ bytes: 300 }] };
  expect(await storageBytes({ dataDir, lake, nowMs: () => 0 })()).toEqual({
    lake: 1_000,
    replaced: 300,
    vault: 20_000,
    database: 4_608,
    other: 120,
  });
});

test("a count serves for ten seconds, then the folder is counted again", async () => {
  const { dataDir, write } = await dataFolder();
  const lake = { liveBytes: () => 0, retired: () => [] };
  let nowMs = 5_000;
  const count = storageBytes({ dataDir, lake, nowMs: () => nowMs });
  await write("vault/a", 10);
  expect((await count()).vault).toBe(10);
  await write("vault/b", 5);
  nowMs += 9_999;
  expect((await count()).vault).toBe(10);
  nowMs += 1;
  expect((await count()).vault).toBe(15);
  // A clock that went back counts again too.
  await write("vault/c", 1);
  nowMs = 0;
  expect((await count()).vault).toBe(16);
});
