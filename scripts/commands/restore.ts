// `bun run cli restore <folder>`: restores a backup into DATA_DIR, which must be empty.
import { resolve } from "node:path";
import { readConfig } from "../../src/config.ts";
import { checkBackup, restoreBackup } from "../../src/platform/backup.ts";

export async function run(folder: string, { check }: { check: boolean }): Promise<void> {
  const { dataDir } = readConfig(process.env);
  const from = resolve(folder);
  const { files, made_at } = check ? await checkBackup(from) : await restoreBackup(from, dataDir);
  const result = check ? "are as they were written" : `are in ${dataDir}`;
  console.log(`${files.length} files of ${made_at} ${result}.`);
}
