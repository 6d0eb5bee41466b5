// `bun run cli backup <folder>`: a copy of everything kept, taken beside a running server.
import { resolve } from "node:path";
import { defineCommand } from "citty";
import { openStores } from "../../src/composition/context.ts";
import { readConfig } from "../../src/config.ts";
import { takeBackup } from "../../src/platform/backup.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { createLog } from "../../src/platform/log.ts";
import { requireKept } from "../kept.ts";

export default defineCommand({
  meta: { name: "backup", description: "Copy everything kept into a new folder; the server may run" },
  args: { folder: { type: "positional", description: "A folder that is absent or empty", required: true } },
  async run({ args }) {
    const config = readConfig(process.env);
    requireKept(config.dataDir);
    const log = createLog({ level: "warn", clock: systemClock, to: "stderr" });
    const stores = await openStores({ config, clock: systemClock, log });
    try {
      const { files, migration } = await takeBackup(config.dataDir, resolve(args.folder), {
        store: stores.sqlite,
        clock: systemClock,
      });
      const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
      console.log(`${files.length} files, ${(bytes / 1e6).toFixed(1)} MB, database at ${migration}.`);
    } finally {
      await stores.lake.close();
      stores.sqlite.close();
    }
  },
});
