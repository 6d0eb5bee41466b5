// `bun run cli backup <folder>`: copies everything stored; the server may run meanwhile.
import { resolve } from "node:path";
import { DATASETS } from "../../src/datasets/index.ts";
import { takeBackup } from "../../src/platform/backup.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { withService } from "../session.ts";

export async function run(folder: string): Promise<void> {
  await withService(
    async ({ stores, config }) => {
      const { files, migration } = await takeBackup(config.dataDir, resolve(folder), {
        store: stores.sqlite,
        datasets: DATASETS,
        clock: systemClock,
      });
      const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
      console.log(`${files.length} files, ${(bytes / 1e6).toFixed(1)} MB, database at ${migration}.`);
    },
    { existing: true },
  );
}
