// Preloaded into a process that is to be killed: counts its acts, which are the moment before and the moment
// after each file that the lake puts in place. Kills the process at the act KILL_AT, or at its end where it
// has fewer; without KILL_AT writes to ACTS_FILE how many it had.
import { writeFileSync } from "node:fs";
import { realDisk } from "../../src/platform/lake/disk.ts";

const { KILL_AT, ACTS_FILE = "" } = process.env;
const die = () => process.kill(process.pid, "SIGKILL");
let acts = 0;
const act = () => {
  acts++;
  if (acts === Number(KILL_AT)) die();
};
const { rename } = realDisk;
realDisk.rename = async (from, to) => {
  act();
  await rename(from, to);
  act();
};
process.on("exit", () => {
  if (KILL_AT !== undefined) die();
  else writeFileSync(ACTS_FILE, String(acts));
});
