// The tables of all layers against the database that the migrations make.
import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { openSqlite } from "../src/platform/sqlite/sqlite.ts";

setDefaultTimeout(1_200_000);

const ROOT = join(import.meta.dir, "..");
/** As drizzle.config.ts lists them. */
const FILES = [
  "src/platform/sqlite/tables.ts",
  "src/datasets/tables.ts",
  ...new Bun.Glob("src/capabilities/*/tables.ts").scanSync({ cwd: ROOT }),
];

const tables: SQLiteTable[] = [];
for (const file of FILES)
  for (const value of Object.values(await import(join(ROOT, file))))
    if (is(value, SQLiteTable)) tables.push(value);

test("the migrations make every table with every column that the code names", () => {
  const store = openSqlite(":memory:");
  for (const table of tables) expect(store.use((db) => db.select().from(table).limit(1).all())).toEqual([]);
  expect(tables.length).toBeGreaterThan(30);
  store.close();
});

test("no two files declare one table", () => {
  const names = tables.map((table) => getTableConfig(table).name);
  expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
});
