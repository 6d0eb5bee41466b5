// `bun run cli <command>`: everything the service does that is not a request.
import { ConfigError } from "../src/config.ts";
import { AsofError } from "../src/platform/errors.ts";
import { BrokenArchive } from "../src/platform/zip.ts";
import { cliProgram } from "./program.ts";

/** One line for an error that the operator can correct; everything known about any other. */
function explain(error: unknown): string {
  if (error instanceof BrokenArchive) return `The archive cannot be read: ${error.message}`;
  const isCorrectable =
    error instanceof AsofError ||
    error instanceof ConfigError ||
    error instanceof RangeError ||
    // A file that is missing or may not be read.
    (error instanceof Error && "syscall" in error);
  return isCorrectable ? error.message : Bun.inspect(error);
}

// An SQL query may begin with a comment, which the parser would take for an option.
const words = process.argv.slice(2).map((word) => (/^--\s/.test(word) ? ` ${word}` : word));
await cliProgram()
  .parseAsync(words, { from: "user" })
  .catch((error: unknown) => {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  });
