// `bun run cli restore <folder>`: restores a backup into DATA_DIR, which must be empty.
import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { version_names } from "../../src/capabilities/versions/tables.ts";
import { readConfig } from "../../src/config.ts";
import { checkBackup, restoreBackup } from "../../src/platform/backup.ts";
import { lineOf } from "../../src/platform/lake/lineage.ts";
import { readManifest } from "../../src/platform/lake/manifest.ts";
import { openSqlite } from "../../src/platform/sqlite/sqlite.ts";
import { lineWords } from "./store.ts";

type Named = typeof version_names.$inferSelect;

/** The named versions of a data folder. */
function namesIn(dataDir: string): Named[] {
  const path = join(dataDir, "ops.sqlite");
  if (!existsSync(path)) return [];
  using database = new Database(path, { readonly: true });
  return database.query("SELECT * FROM version_names ORDER BY generation").all() as Named[];
}

/**
 * Notes the names of the folder that was replaced, and says which are lost: with the line that each is of,
 * one of a version that this store does not have is refused as such.
 */
async function bringNames(former: string, dataDir: string): Promise<void> {
  const listIn = (folder: string) => readManifest(join(folder, "lake", "manifest.json"));
  const [before, now] = [await listIn(former), await listIn(dataDir)];
  console.log(`The newest version of ${former} is ${before.generation}.`);
  const kept = new Set(namesIn(dataDir).map(({ name }) => name));
  const sqlite = openSqlite(join(dataDir, "ops.sqlite"));
  for (const named of namesIn(former)) {
    const { name, generation } = named;
    if (kept.has(name)) continue;
    const store = named.store ?? lineOf(before, generation);
    sqlite.write((db) =>
      db
        .insert(version_names)
        .values({ ...named, store })
        .run(),
    );
    const isHere = lineOf(now, generation) === store;
    console.log(`The name ${name} of version ${generation} is ${isHere ? "kept" : "lost"}.`);
  }
  sqlite.close();
}

export interface RestoreOptions {
  readonly check: boolean;
  /** Whether what is damaged may be left out. */
  readonly partial: boolean;
  /** The data folder that the restored one replaces. */
  readonly former?: string;
}

export async function run(folder: string, { check, partial, former }: RestoreOptions): Promise<void> {
  const { dataDir } = readConfig(process.env);
  const from = resolve(folder);
  if (check) {
    const { files, made_at } = await checkBackup(from);
    console.log(`${files.length} files of ${made_at} are as they were written.`);
    return;
  }
  const { files, damaged, made_at, lines } = await restoreBackup(from, dataDir, { isPartEnough: partial });
  console.log(`${files.length} files of ${made_at} are in ${dataDir}. ${lineWords(lines)}`);
  if (former) await bringNames(former, dataDir);
  for (const { path, description } of damaged ?? []) console.log(`Missing: ${path} ${description}.`);
  if (damaged?.length) console.log("`doctor --repair` has lost rows of the lake read again.");
}
