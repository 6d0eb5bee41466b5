// `bun run cli <command>`: every act of the service that is not a request.
import { defineCommand, runMain } from "citty";
import { ConfigFault } from "../src/config.ts";
import { AsofError } from "../src/platform/errors.ts";

const main = defineCommand({
  meta: { name: "asof", description: "Commands of the Asof market-data service" },
  subCommands: {
    sql: () => import("./commands/sql.ts").then((m) => m.default),
    compact: () => import("./commands/compact.ts").then((m) => m.default),
    doctor: () => import("./commands/doctor.ts").then((m) => m.default),
    backfill: () => import("./commands/backfill.ts").then((m) => m.default),
    index: () => import("./commands/index-filings.ts").then((m) => m.default),
    parse: () => import("./commands/parse.ts").then((m) => m.default),
    replay: () => import("./commands/replay.ts").then((m) => m.default),
    sample: () => import("./commands/sample.ts").then((m) => m.default),
  },
});

process.on("unhandledRejection", (error) => {
  const foreseen = error instanceof AsofError || error instanceof ConfigFault || error instanceof RangeError;
  process.stderr.write(`${foreseen ? error.message : Bun.inspect(error)}\n`);
  process.exit(1);
});

await runMain(main);
