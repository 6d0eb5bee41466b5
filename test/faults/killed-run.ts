// Runs work of this folder as a process of its own, and kills it at one act of its disk: exactly where an
// order of writes matters, however busy the machine is.
import { join } from "node:path";
import { atEachAct } from "./kill-at-act.ts";

/** Runs a script to its end; gives what it wrote. Throws where it fails. */
export async function runScript(script: string, args: readonly string[]): Promise<string> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, script), ...args], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const stdout = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`${script} failed: ${stdout}`);
  return stdout;
}

/** Runs a script to an act of its disk, or to its end where it has fewer, and kills it there. */
export async function killScript(script: string, args: readonly string[], act: number): Promise<void> {
  const preload = join(import.meta.dir, "kill-at-act.ts");
  const child = Bun.spawn([process.execPath, "--preload", preload, join(import.meta.dir, script), ...args], {
    stdout: "ignore",
    stderr: "inherit",
    env: { ...process.env, KILL_AT: String(act) },
  });
  await child.exited;
  if (child.signalCode !== "SIGKILL") throw new Error(`${script} was not killed: ${child.exitCode}`);
}

/**
 * Does work in this process; gives the number of acts of its disk until the last manifest is in place. The
 * catalogue, which may come later, is made again at every start.
 */
export async function actsOf(work: () => Promise<unknown>): Promise<number> {
  let [acts, last] = [0, 0];
  const end = atEachAct((to) => {
    acts++;
    if (to.endsWith("/manifest.json")) last = acts;
  });
  await work().finally(end);
  return last;
}

/** One of so many acts. */
export const actOf = (acts: number, drawn: () => number): number => 1 + Math.floor(drawn() * acts);
