// Preloaded into a process that is to be killed: kills it at the act KILL_AT, or at its end where it has
// fewer. Acts are the moment before and the moment after each file that the lake puts in place.
import { realDisk } from "../../src/platform/lake/disk.ts";

const die = () => process.kill(process.pid, "SIGKILL");

/** Calls `act` at each act of the disk with the file's path, until the function that it returns is called. */
export function atEachAct(act: (to: string) => void): () => void {
  const { rename } = realDisk;
  realDisk.rename = async (from, to) => {
    act(to);
    await rename(from, to);
    act(to);
  };
  return () => {
    realDisk.rename = rename;
  };
}

const { KILL_AT } = process.env;
if (KILL_AT !== undefined) {
  let acts = 0;
  atEachAct(() => {
    if (++acts === Number(KILL_AT)) die();
  });
  process.on("exit", die);
}
