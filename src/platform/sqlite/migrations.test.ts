// A database of every earlier migration comes up to date and keeps its rows.
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { migrate } from "./migrate.ts";
import journal from "./migrations/meta/_journal.json";
import { openSqlite } from "./sqlite.ts";

setDefaultTimeout(1_200_000);

const HERE = join(import.meta.dir, "migrations");
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "asof-migrations-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A folder with only the first `count` migrations. */
function earlier(count: number): string {
  const at = join(folder, `first-${count}`);
  cpSync(HERE, at, { recursive: true });
  const meta = { ...journal, entries: journal.entries.slice(0, count) };
  writeFileSync(join(at, "meta", "_journal.json"), JSON.stringify(meta));
  return at;
}

/** Names and definitions of all objects of a database. */
const schemaOf = (client: Database) =>
  client
    .query("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name")
    .all();

for (let count = 1; count <= journal.entries.length; count++)
  test(`from ${journal.entries[count - 1]?.tag}`, () => {
    const path = join(folder, `from-${count}.sqlite`);
    const old = new Database(path, { create: true });
    migrate(old, earlier(count));
    old.run(
      "INSERT INTO request_log (request_id, timestamp, method, path, status_code, duration_ms) VALUES ('kept', '2026-01-02T03:04:05.000Z', 'GET', '/x', 500, 7)",
    );
    old.run("INSERT INTO quota_counts (upstream, day, calls) VALUES ('fred', '2026-01-02', 999)");
    old.close();
    const store = openSqlite(path);
    expect(store.migrations()).toEqual({ current: journal.entries.at(-1)?.tag ?? null, pending: [] });
    const [row] = store.use((db) =>
      db.all(sql`SELECT request_id, status_code, duration_ms FROM request_log`),
    );
    expect(row).toEqual({ request_id: "kept", status_code: 500, duration_ms: 7 });
    expect(store.use((db) => db.all(sql`SELECT calls FROM quota_counts`))).toEqual([{ calls: 999 }]);
    store.close();
    const fresh = new Database(join(folder, `fresh-${count}.sqlite`), { create: true });
    migrate(fresh);
    const came = new Database(path, { readonly: true });
    expect(schemaOf(came)).toEqual(schemaOf(fresh));
    came.close();
    fresh.close();
  });

test("tables renamed by 0017_plain_names keep their rows", () => {
  const path = join(folder, "renamed.sqlite");
  const old = new Database(path, { create: true });
  migrate(old, earlier(journal.entries.findIndex(({ tag }) => tag === "0017_plain_names")));
  const at = "2026-01-02T03:04:05.000Z";
  const rows = [
    ["remembered", "cache_entries", ["quote", "AAPL", "{}", '{"n":1}', at, at]],
    ["upstream_manners", "upstream_limits", ["gdelt", at, 2, at, "rate_limit"]],
    ["price_absences", "price_known_gaps", ["AAPL", "1d", "2026-01-02", "null", at, at]],
  ] as const;
  for (const [name, , values] of rows)
    old.query(`INSERT INTO ${name} VALUES (${values.map(() => "?").join(", ")})`).run(...values);
  old.close();
  openSqlite(path).close();
  const renamed = new Database(path, { readonly: true });
  for (const [, name, values] of rows)
    expect(renamed.query(`SELECT * FROM ${name}`).values()).toEqual([[...values]]);
  const names = renamed.query("SELECT name FROM sqlite_schema").values().flat();
  for (const [name] of rows) expect(names).not.toContain(name);
  expect(names).toContain("cache_entries_by_age");
  expect(names).not.toContain("remembered_by_age");
  renamed.close();
});
