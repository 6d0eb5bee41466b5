// `bun run cli restore <folder>`: restores a backup into DATA_DIR, which must be empty.
import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { readConfig } from "../../src/config.ts";
import { checkBackup, restoreBackup } from "../../src/platform/backup.ts";
import { readManifest } from "../../src/platform/lake/manifest.ts";
import { lineWords } from "./store.ts";

type Named = [name: string, version: number];

/** The named versions of a data folder. */
function namesIn(dataDir: string): Named[] {
  const path = join(dataDir, "ops.sqlite");
  if (!existsSync(path)) return [];
  using database = new Database(path, { readonly: true });
  return database.query("SELECT name, generation FROM version_names ORDER BY generation").values() as Named[];
}

/** Says what the folder that was replaced had beyond the restored one. */
async function printLost(former: string, dataDir: string): Promise<void> {
  const { generation } = await readManifest(join(former, "lake", "manifest.json"));
  console.log(`The newest version of ${former} is ${generation}.`);
  const kept = new Set(namesIn(dataDir).map(([name]) => name));
  for (const [name, version] of namesIn(former))
    if (!kept.has(name)) console.log(`The name ${name} of version ${version} is lost.`);
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
  if (former) await printLost(former, dataDir);
  for (const { path, description } of damaged ?? []) console.log(`Missing: ${path} ${description}.`);
  if (damaged?.length) console.log("`doctor --repair` has lost rows of the lake read again.");
}
