// `bun run engines`: reads the lake with every engine that is tested, each in an environment of its own; the
// last line is "N passed, N failed".
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ENGINES, runPython } from "./check-python.ts";

const folder = mkdtempSync(join(tmpdir(), "asof-engines-"));
const { passed, failed, skipped } = await runPython(ENGINES, folder);
rmSync(folder, { recursive: true, force: true });
for (const why of skipped) process.stdout.write(`Skipped: ${why}\n`);
process.stdout.write(
  `\n${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ""}\n`,
);
process.exit(failed === 0 ? 0 : 1);
