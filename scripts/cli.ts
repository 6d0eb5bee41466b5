// `bun run cli <command>`: everything the service does that is not a request.
import { ConfigError } from "../src/config.ts";
import { AsofError } from "../src/platform/errors.ts";
import { BrokenArchive } from "../src/platform/zip.ts";
import { cliProgram } from "./program.ts";

/** A file that is missing or may not be read. */
const isOfSystem = (error: unknown): error is Error => error instanceof Error && "syscall" in error;

/** One line for an error that the operator can correct; everything known about any other. */
function explain(error: unknown): string {
  if (error instanceof BrokenArchive) return `The archive cannot be read: ${error.message}`;
  const isCorrectable =
    error instanceof AsofError ||
    error instanceof ConfigError ||
    error instanceof RangeError ||
    isOfSystem(error);
  if (!isCorrectable) return Bun.inspect(error);
  // Clients of the service must not see paths of its machine; the operator needs them.
  return isOfSystem(error.cause) ? `${error.message} ${error.cause.message}` : error.message;
}

// An SQL query may begin with a comment, which the parser would take for an option.
const words = process.argv.slice(2).map((word) => (/^--\s/.test(word) ? ` ${word}` : word));
await cliProgram()
  .parseAsync(words, { from: "user" })
  .catch((error: unknown) => {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  });
