// Run as a process of its own: writes to a lake with Delta logs and is killed at one act of its disk. Says
// what it was promised.
import { systemClock } from "../../src/platform/clock.ts";
import { type Disk, realDisk } from "../../src/platform/lake/disk.ts";
import { batchOf, openLake } from "../../src/platform/lake/lake.ts";
import { DATASETS, events, price, prices } from "./lake-support.ts";

const [dir = "", act = "1"] = process.argv.slice(2);
/**
 * Acts until the kill. Folders and removals hold no data: a kill before one leaves what the act before it
 * left.
 */
let left = Number.POSITIVE_INFINITY;
const counted = <T>(work: () => Promise<T>): Promise<T> => {
  left--;
  if (left === 0) process.kill(process.pid, "SIGKILL");
  return work();
};
const disk: Disk = {
  makeFolder: realDisk.makeFolder,
  write: (path, text) => counted(() => realDisk.write(path, text)),
  appendLine: (path, text) => counted(() => realDisk.appendLine(path, text)),
  sync: (path) => counted(() => realDisk.sync(path)),
  rename: (from, to) => counted(() => realDisk.rename(from, to)),
  link: (from, to) => counted(() => realDisk.link(from, to)),
  remove: realDisk.remove,
};
const lake = await openLake({
  dir,
  datasets: DATASETS,
  macros: [],
  clock: systemClock,
  threads: 1,
  disk,
  deltaLogs: true,
  // Nothing runs beside the writes below, so that their acts are the same each time.
  publishDelayMs: 3_600_000,
  verifyDelayMs: 3_600_000,
});
left = Number(act);
await lake.append([
  batchOf(prices, [price("A", "2026-01-02")]),
  batchOf(events, [{ symbol: "A", date: "2026-01-02", amount: 1, known_at: "2026-01-02T12:00:00Z" }]),
]);
process.stdout.write("appended\n");
await lake.append([batchOf(prices, [price("A", "2026-01-02", 2)], { by: ["symbol"], groups: [["A"]] })]);
process.stdout.write("replaced\n");
left = Number.POSITIVE_INFINITY;
await lake.close();
