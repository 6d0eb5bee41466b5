// A folder that the processes of one run of the tests share, for what is made once in a run.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Names the folder to the tests of a run. */
export const RUN_FOLDER = "CHECK_FOLDER";

/** How the folders of processes are named, before their id. */
const OF_PROCESS = "asof-run-";

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as { code?: unknown }).code === "ESRCH";
  }
}

/** Removes the folders of processes that have ended: under `bun test` no module sees its process end. */
function sweep(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = new RegExp(`^${OF_PROCESS}(\\d+)-`).exec(name)?.[1];
    if (pid && isGone(Number(pid))) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}

let own: string | undefined;

/**
 * The folder that `bun run check` has made for its run; where tests are run otherwise, one of this process.
 * The next run finds nothing of it, so that it judges the code as it then is.
 */
export function runFolder(): string {
  const given = process.env[RUN_FOLDER];
  if (given) return given;
  if (own === undefined) {
    sweep();
    own = mkdtempSync(join(tmpdir(), `${OF_PROCESS}${process.pid}-`));
  }
  return own;
}
