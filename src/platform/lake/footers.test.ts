// Footers are kept for reads alone, and no longer once files that are gone may hold too much memory.
import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { CONNECTIONS, duckDbOver, openDuckDb } from "./duckdb.ts";
import { footerLimit } from "./footers.ts";
import type { Manifest } from "./manifest.ts";

const ROW_GROUP_ROWS = 100;

/** A manifest with files of so many rows, of three columns each. */
const listing = (files: Readonly<Record<string, number>>) =>
  ({
    schemas: { bars: [{ symbol: "VARCHAR", date: "DATE", close: "DOUBLE" }] },
    files: Object.entries(files).map(([path, rows]) => ({ path, rows, dataset: "bars", schema: 0 })),
  }) as unknown as Manifest;

test("footers of files that are gone count by row groups and columns, those of listed files do not", () => {
  let ended = 0;
  const note = footerLimit({ keepNoFooters: () => void ended++ }, ROW_GROUP_ROWS, 9_000);
  note(listing({ a: 100, b: 101, c: 100_000 }));
  note(listing({ c: 100_000, d: 1 }));
  // a had one row group of three columns, b two.
  expect(ended).toBe(0);
  note(listing({ c: 100_000 }));
  expect(ended).toBe(1);
});

test("reads keep footers, writes and publications do not", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "asof-footers-"));
  const db = await openDuckDb({ folders: [dataDir], spillDir: join(dataDir, "spill") });
  try {
    const setting = "SELECT current_setting('parquet_metadata_cache') AS keeps";
    const keeps = async (heavy: boolean) => (await db.read(setting, {}, { heavy })).columns;
    expect(await Promise.all([1, 2, 3, 4].map(() => keeps(false)))).toEqual(Array(4).fill([[true]]));
    expect(await Promise.all([1, 2].map(() => keeps(true)))).toEqual(Array(2).fill([[true]]));
    for (const use of [db.useToWrite, db.useToPublish])
      expect((await use((connection) => connection.runAndReadAll(setting))).getRows()).toEqual([[false]]);
    db.keepNoFooters();
    expect(await Promise.all([1, 2, 3, 4].map(() => keeps(false)))).toEqual(Array(4).fill([[false]]));
    expect(await Promise.all([1, 2].map(() => keeps(true)))).toEqual(Array(2).fill([[false]]));
  } finally {
    await db.close();
    await rm(dataDir, { recursive: true, force: true });
  }
});

test("each connection of reads is switched once", async () => {
  const statements: string[] = [];
  const connections = Array.from({ length: CONNECTIONS }, (_, at) => ({
    run: async (sql: string) => void statements.push(`${at}: ${sql}`),
    interrupt() {},
    disconnectSync() {},
  }));
  const db = duckDbOver(connections as unknown as DuckDBConnection[], () => {});
  const readSome = () =>
    Promise.all(
      [1, 2, 3, 4, 5].flatMap(() => [false, true].map((heavy) => db.use(async () => {}, { heavy }))),
    );
  await readSome();
  expect(statements).toEqual([]);
  db.keepNoFooters();
  await readSome();
  await readSome();
  expect(statements.toSorted()).toEqual(
    [3, 4, 5, 6, 7, 8].map((at) => `${at}: SET SESSION parquet_metadata_cache = false`),
  );
});
