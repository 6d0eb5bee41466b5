// `bun run cli restore <folder>`: puts a backup into DATA_DIR, which must hold nothing yet.
import { resolve } from "node:path";
import { defineCommand } from "citty";
import { readConfig } from "../../src/config.ts";
import { checkBackup, restoreBackup } from "../../src/platform/backup.ts";

export default defineCommand({
  meta: { name: "restore", description: "Put a backup into DATA_DIR, which must hold nothing yet" },
  args: {
    folder: { type: "positional", description: "What `cli backup` wrote", required: true },
    check: { type: "boolean", default: false, description: "Only hold every file against its hash" },
  },
  async run({ args }) {
    const { dataDir } = readConfig(process.env);
    const from = resolve(args.folder);
    const { files, made_at } = args.check ? await checkBackup(from) : await restoreBackup(from, dataDir);
    const done = args.check ? "are as they were written" : `are in ${dataDir}`;
    console.log(`${files.length} files of ${made_at} ${done}.`);
  },
});
