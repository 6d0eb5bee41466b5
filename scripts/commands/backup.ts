// `bun run cli backup <folder>`: copies everything stored; the server may run meanwhile.
import { join, resolve } from "node:path";
import { readConfig } from "../../src/config.ts";
import { DATASETS } from "../../src/datasets/index.ts";
import { takeBackup } from "../../src/platform/backup.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { openSqlite } from "../../src/platform/sqlite/sqlite.ts";
import { requireData } from "../arguments.ts";

export async function run(folder: string): Promise<void> {
  const { dataDir } = readConfig(process.env);
  requireData(dataDir);
  const store = openSqlite(join(dataDir, "ops.sqlite"));
  const needs = { store, datasets: DATASETS, clock: systemClock };
  const taken = await takeBackup(dataDir, resolve(folder), needs).finally(() => store.close());
  const { files, migration, damaged = [] } = taken;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  console.log(`${files.length} files, ${(bytes / 1e6).toFixed(1)} MB, database at ${migration}.`);
  for (const { path, description } of damaged)
    console.error(`${path} ${description}: the backup is without it.`);
  if (damaged.length > 0) process.exitCode = 1;
}
