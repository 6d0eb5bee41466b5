// Runs a script of this folder as a process of its own, and kills it at one act of its disk: exactly where an
// order of writes matters, however busy the machine is.
import { readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Run {
  /** Null: killed. */
  readonly code: number | null;
  readonly stdout: string;
  /** Acts of its disk; 0 where it was killed. */
  readonly acts: number;
}

/** Runs it to its end, or, with `killAt`, to that act, or else to its end and kills it there. */
export async function runScript(
  script: string,
  args: readonly string[],
  killAt: number | null = null,
): Promise<Run> {
  const counted = join(tmpdir(), `asof-acts-${crypto.randomUUID()}`);
  const preload = join(import.meta.dir, "kill-at-act.ts");
  const child = Bun.spawn([process.execPath, "--preload", preload, join(import.meta.dir, script), ...args], {
    stdout: "pipe",
    stderr: "inherit",
    env: { ...process.env, ACTS_FILE: counted, ...(killAt === null ? {} : { KILL_AT: String(killAt) }) },
  });
  const stdout = await new Response(child.stdout).text();
  await child.exited;
  if (child.signalCode === "SIGKILL") return { code: null, stdout, acts: 0 };
  const acts = Number(readFileSync(counted, "utf8"));
  rmSync(counted);
  return { code: child.exitCode, stdout, acts };
}

/** One of the acts of a whole run. */
export const actOf = (whole: Run, drawn: () => number): number => 1 + Math.floor(drawn() * whole.acts);
