// `bun run cli compact`: merges the lake's small files now. Safe beside a running server.
import { defineCommand } from "citty";
import { openStores } from "../../src/composition/context.ts";
import { readConfig } from "../../src/config.ts";
import { DATASETS } from "../../src/datasets/index.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { createLog } from "../../src/platform/log.ts";
import { requireKept } from "../kept.ts";

export default defineCommand({
  meta: { name: "compact", description: "Merge the lake's small files" },
  args: {
    dataset: { type: "string", description: "Only this dataset" },
    force: { type: "boolean", default: false, description: "Merge everything, however small" },
  },
  async run({ args }) {
    const config = readConfig(process.env);
    requireKept(config.dataDir);
    if (args.dataset !== undefined && !DATASETS.some(({ name }) => name === args.dataset))
      throw new RangeError(`--dataset is "${args.dataset}"; docs/catalogue.md names them all`);
    const { lake, sqlite } = await openStores({
      config,
      clock: systemClock,
      log: createLog({ level: "warn", clock: systemClock, to: "stderr" }),
    });
    const done = await lake.compact({
      ...(args.dataset ? { dataset: args.dataset } : {}),
      force: args.force,
    });
    for (const c of done)
      console.log(`${c.dataset} ${c.partition}: ${c.inputs} files, ${c.rows} rows → one ${c.kind}`);
    if (done.length === 0) console.log("Nothing to merge.");
    await lake.close();
    sqlite.close();
  },
});
