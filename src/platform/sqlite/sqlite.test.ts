import { Database } from "bun:sqlite";
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { StorageUnavailable } from "../errors.ts";
import { instantMs, instantText } from "../instant-text.ts";
import { migrate, migrationState } from "./migrate.ts";
import journal from "./migrations/meta/_journal.json";
import { openSqlite } from "./sqlite.ts";
import * as tables from "./tables.ts";

setDefaultTimeout(1_200_000);

const folder = mkdtempSync(join(tmpdir(), "sqlite-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
/** The last migration of a new database. */
const newest = journal.entries.at(-1)?.tag ?? "";
let count = 0;
const fresh = () => join(folder, `db${count++}`, "ops.sqlite");

const caught = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  return "nothing was thrown";
};
const item = (name: string) => ({ backfill: "b", item: name, status: "done" });

test("a new file: durable settings, readable by its owner only, all migrations applied", () => {
  const path = fresh();
  const store = openSqlite(path);
  const pragma = (name: string) =>
    store.use((db) => Object.values(db.get(sql.raw(`PRAGMA ${name}`)) ?? {})[0]);
  expect(pragma("journal_mode")).toBe("wal");
  expect(pragma("synchronous")).toBe(2);
  expect(pragma("foreign_keys")).toBe(1);
  expect(pragma("busy_timeout")).toBe(5000);
  expect(store.migrations()).toEqual({ current: newest, pending: [] });
  store.use((db) => db.insert(tables.backfill_items).values(item("a")).run());
  for (const file of [path, `${path}-wal`, `${path}-shm`]) expect(statSync(file).mode & 0o777).toBe(0o600);
  store.close();
});

test("rows survive closing and opening, and closing leaves no write-ahead log", () => {
  const path = fresh();
  const first = openSqlite(path);
  first.use((db) => db.insert(tables.backfill_items).values(item("a")).run());
  first.close();
  first.close();
  expect(statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
  const second = openSqlite(path);
  expect(second.use((db) => db.select().from(tables.backfill_items).all())).toEqual([
    { backfill: "b", item: "a", status: "done", error: null, finished_at: null },
  ]);
  second.close();
});

test("a write that throws is rolled back and passes its own error on", () => {
  const store = openSqlite(":memory:");
  const error = caught(() =>
    store.write((db) => {
      db.insert(tables.backfill_items).values(item("a")).run();
      throw new TypeError("mine");
    }),
  );
  expect(error).toEqual(new TypeError("mine"));
  expect(store.use((db) => db.select().from(tables.backfill_items).all())).toEqual([]);
  store.close();
});

test("a write that can wait is left where another process holds the lock, and is no failure of the disk", () => {
  const path = fresh();
  const store = openSqlite(path);
  const other = new Database(path);
  const add = (name: string) =>
    store.writeUnlessLocked((db) => db.insert(tables.backfill_items).values(item(name)).run());
  const busyTimeout = () => store.use((db) => Object.values(db.get(sql.raw("PRAGMA busy_timeout")) ?? {})[0]);
  other.run("BEGIN IMMEDIATE");
  expect(add("left")).toBe(false);
  expect(store.writeFailure()).toBeNull();
  other.run("ROLLBACK");
  other.close();
  expect(add("written")).toBe(true);
  expect(store.use((db) => db.select().from(tables.backfill_items).all()).map((row) => row.item)).toEqual([
    "written",
  ]);
  // Other statements wait as long as before; while the process stops, for the shorter time.
  expect(busyTimeout()).toBe(5_000);
  store.stopWaiting();
  expect(add("later")).toBe(true);
  expect(busyTimeout()).toBe(250);
  expect(() => add("later")).toThrow("UNIQUE");
  store.close();
});

test("a duplicate key is not an error of the disk", () => {
  const store = openSqlite(":memory:");
  const insert = () => store.use((db) => db.insert(tables.backfill_items).values(item("a")).run());
  insert();
  const error = caught(insert);
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(StorageUnavailable);
  store.close();
});

test("a full disk is StorageUnavailable, keeps existing rows, and recovers when there is room again", () => {
  const store = openSqlite(fresh());
  store.use((db) => db.insert(tables.backfill_items).values(item("kept")).run());
  store.use((db) => db.run(sql`PRAGMA max_page_count = 1`));
  const big = { ...item("big"), error: "x".repeat(1_000_000) };
  const error = caught(() => store.use((db) => db.insert(tables.backfill_items).values(big).run()));
  expect(error).toBeInstanceOf(StorageUnavailable);
  expect((error as StorageUnavailable).message).toBe("The database cannot be used: the disk is full");
  expect(
    store.use((db) => db.select({ item: tables.backfill_items.item }).from(tables.backfill_items).all()),
  ).toEqual([{ item: "kept" }]);
  store.use((db) => db.run(sql`PRAGMA max_page_count = 100000`));
  store.use((db) => db.insert(tables.backfill_items).values(big).run());
  store.close();
});

test("no folder, no database, damaged file, closed: each has a clear message without the path", () => {
  const file = join(folder, "a-file");
  writeFileSync(file, "x");
  const damaged = join(folder, "damaged.sqlite");
  writeFileSync(damaged, "this is no database at all ".repeat(500));
  const directory = join(folder, "directory.sqlite");
  mkdirSync(directory);
  const closed = openSqlite(":memory:");
  closed.close();
  const errors = [
    caught(() => openSqlite(join(file, "ops.sqlite"))),
    caught(() => openSqlite(damaged)),
    caught(() => openSqlite(directory)),
    caught(() => openSqlite(join(folder, "x".repeat(300), "ops.sqlite"))),
    caught(() => closed.use((db) => db.select().from(tables.job_leases).all())),
  ];
  for (const error of errors) expect(error).toBeInstanceOf(StorageUnavailable);
  expect(errors.map((f) => (f as Error).message)).toEqual([
    "The database cannot be used: its folder is not a folder",
    "The database cannot be used: its file is not a database",
    "The database cannot be used: its file is a folder",
    "The database cannot be used: its path is too long",
    "The database cannot be used: it is closed",
  ]);
});

test("a database of a newer version is refused with what to do, and stays unchanged", () => {
  const path = fresh();
  openSqlite(path).close();
  const raw = new Database(path);
  raw.run("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('future', 9999999999999)");
  raw.close();
  for (let i = 0; i < 2; i++) {
    const error = caught(() => openSqlite(path));
    expect(error).toBeInstanceOf(StorageUnavailable);
    expect((error as Error).message).toContain("written by a newer version");
    expect((error as Error).message).toContain(newest);
  }
});

test("a migration changed after it was applied is refused", () => {
  const path = fresh();
  openSqlite(path).close();
  const raw = new Database(path);
  raw.run("UPDATE __drizzle_migrations SET hash = 'other'");
  raw.close();
  expect((caught(() => openSqlite(path)) as Error).message).toContain(
    "another form of the migration 0000_operations",
  );
});

function migrationsOf(entries: Record<string, string>): string {
  const at = mkdtempSync(join(folder, "migrations-"));
  mkdirSync(join(at, "meta"));
  const journal = Object.keys(entries).map((tag, idx) => ({ idx, tag, when: 1000 + idx }));
  writeFileSync(join(at, "meta", "_journal.json"), JSON.stringify({ entries: journal }));
  for (const [tag, text] of Object.entries(entries)) writeFileSync(join(at, `${tag}.sql`), text);
  return at;
}

test("migrations run one by one and keep rows; a broken one changes nothing", () => {
  const client = new Database(":memory:");
  const one = { "0000_a": "CREATE TABLE t (a text);\n--> statement-breakpoint\nINSERT INTO t VALUES ('x');" };
  migrate(client, migrationsOf(one));
  const two = { ...one, "0001_b": "ALTER TABLE t ADD b text;" };
  const broken = { ...two, "0002_c": "CREATE TABLE u (a text);--> statement-breakpoint\nNONSENSE;" };
  expect(caught(() => migrate(client, migrationsOf(broken)))).toBeInstanceOf(Error);
  expect(migrationState(client, migrationsOf(broken))).toEqual({
    current: "0000_a",
    pending: ["0001_b", "0002_c"],
  });
  migrate(client, migrationsOf(two));
  migrate(client, migrationsOf(two));
  expect(client.query("SELECT * FROM t").all()).toEqual([{ a: "x", b: null }]);
  expect(client.query("SELECT name FROM sqlite_master WHERE name = 'u'").all()).toEqual([]);
  client.close();
});

test("two processes may start on one new file at the same moment", async () => {
  const path = fresh();
  const script = join(folder, "opener.ts");
  writeFileSync(
    script,
    `import { openSqlite } from ${JSON.stringify(join(import.meta.dir, "sqlite.ts"))};
     const store = openSqlite(process.argv[2]); console.log(store.migrations().current); store.close();`,
  );
  const runs = [1, 2, 3].map(() =>
    Bun.spawn([process.execPath, script, path], { stdout: "pipe", stderr: "pipe" }),
  );
  const said = await Promise.all(runs.map((run) => new Response(run.stdout).text()));
  expect(said.map((s) => s.trim())).toEqual(Array(3).fill(newest));
  const store = openSqlite(path);
  expect(store.use((db) => db.get(sql`SELECT count(*) AS n FROM __drizzle_migrations`))).toEqual([
    journal.entries.length,
  ]);
  store.close();
});

test("rows are found by the tables' own columns", () => {
  const store = openSqlite(":memory:");
  const row = {
    name: "quote",
    key: "BRK.B",
    body: Buffer.from("{}"),
    meta: "{}",
    stored_at: instantText(0),
    expires_at: instantText(1),
  };
  store.use((db) => db.insert(tables.cache_entries).values(row).run());
  expect(
    store.use((db) =>
      db.select().from(tables.cache_entries).where(eq(tables.cache_entries.key, "BRK.B")).get(),
    ),
  ).toEqual(row);
  store.close();
});

test("instants: three decimals always, so that text order is time order", () => {
  const at = Temporal.Instant.from("2026-11-20T15:00:00Z").epochMilliseconds;
  expect([at - 1, at, at + 1].map(instantText)).toEqual([
    "2026-11-20T14:59:59.999Z",
    "2026-11-20T15:00:00.000Z",
    "2026-11-20T15:00:00.001Z",
  ]);
  expect(instantMs("2026-11-20T15:00:00.001Z")).toBe(at + 1);
});
