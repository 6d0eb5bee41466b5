// `bun run cli <command>`: every act of the service that is not a request.
import { defineCommand, runCommand, runMain } from "citty";
import { ConfigError } from "../src/config.ts";
import { AsofError } from "../src/platform/errors.ts";
import { BrokenArchive } from "../src/platform/zip.ts";
import { checkArguments } from "./known-arguments.ts";

const main = defineCommand({
  meta: { name: "bun run cli", description: "Commands of the Asof market-data service" },
  subCommands: {
    sql: () => import("./commands/sql.ts").then((m) => m.default),
    compact: () => import("./commands/compact.ts").then((m) => m.default),
    doctor: () => import("./commands/doctor.ts").then((m) => m.default),
    backfill: () => import("./commands/backfill.ts").then((m) => m.default),
    ingest: () => import("./commands/ingest.ts").then((m) => m.default),
    index: () => import("./commands/index-filings.ts").then((m) => m.default),
    universe: () => import("./commands/universe.ts").then((m) => m.default),
    parse: () => import("./commands/parse.ts").then((m) => m.default),
    backup: () => import("./commands/backup.ts").then((m) => m.default),
    restore: () => import("./commands/restore.ts").then((m) => m.default),
    catalogue: () => import("./commands/catalogue.ts").then((m) => m.default),
    examples: () => import("./commands/examples.ts").then((m) => m.default),
    replay: () => import("./commands/replay.ts").then((m) => m.default),
    sample: () => import("./commands/sample.ts").then((m) => m.default),
  },
});

/** A fault the person at the keyboard can mend is told in one line; anything else with all it has. */
function explain(error: unknown): string {
  if (error instanceof BrokenArchive) return `The archive cannot be read: ${error.message}`;
  const isTheirs =
    error instanceof AsofError ||
    error instanceof ConfigError ||
    error instanceof RangeError ||
    // A file that is not there, or may not be read.
    (error instanceof Error && ("syscall" in error || error.name === "CLIError"));
  return isTheirs ? error.message : Bun.inspect(error);
}

// A query may begin with a comment, which is no option.
const rawArgs = process.argv.slice(2).map((word) => (/^--\s/.test(word) ? ` ${word}` : word));
if (rawArgs.length === 0 || rawArgs.includes("--help") || rawArgs.includes("-h")) await runMain(main);
else
  await checkArguments(main, rawArgs)
    .then(() => runCommand(main, { rawArgs }))
    .catch((error: unknown) => {
      process.stderr.write(`${explain(error)}\n`);
      process.exit(1);
    });
