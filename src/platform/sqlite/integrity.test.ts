// The check of the whole database file: a damaged page is found, an intact file is not blamed.
import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { integrityProblem } from "./integrity.ts";

setDefaultTimeout(1_200_000);

test("a damaged index is found, and an intact file has no fault", async () => {
  const folder = await mkdtemp(join(tmpdir(), "asof-integrity-"));
  const path = join(folder, "ops.sqlite");
  const db = new Database(path, { create: true });
  db.run("CREATE TABLE rows (name TEXT)");
  db.run("CREATE INDEX by_name ON rows (name)");
  db.transaction(() => {
    for (let n = 0; n < 500; n++) db.run("INSERT INTO rows VALUES (?)", [`name ${n}`]);
  })();
  expect(await integrityProblem(path)).toBeNull();
  db.close();
  const bytes = await readFile(path);
  const at = bytes.lastIndexOf("name 250");
  bytes.write("name 999", at);
  await writeFile(path, bytes);
  expect(await integrityProblem(path)).toContain("by_name");
  await writeFile(path, "no database, but a text that is long enough to have pages".repeat(200));
  expect(await integrityProblem(path)).toBe("file is not a database");
  await rm(folder, { recursive: true });
});
