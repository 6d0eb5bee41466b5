// Processor time beside the time on the clock: what a side takes from the machine, on however many cores.
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Milliseconds of one tick of /proc. */
const TICK_MS = 10;

/** The numbers of /proc/PID/stat behind the name: own ticks at 11 and 12, of ended children at 13 and 14. */
function statOf(pid: number): readonly number[] {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return [];
  const text = readFileSync(path, "utf8");
  return text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .map(Number);
}

const ticks = (stat: readonly number[], from: number) => (stat[from] ?? 0) + (stat[from + 1] ?? 0);

/** The processes that one started, by any of its threads, and that still run. */
function childrenOf(pid: number): number[] {
  const threads = `/proc/${pid}/task`;
  if (!existsSync(threads)) return [];
  return readdirSync(threads).flatMap((thread) => {
    const path = `${threads}/${thread}/children`;
    return existsSync(path) ? (readFileSync(path, "utf8").match(/\d+/g) ?? []).map(Number) : [];
  });
}

function ticksBelow(pid: number): number {
  return childrenOf(pid).reduce((sum, child) => {
    const stat = statOf(child);
    return sum + ticks(stat, 11) + ticks(stat, 13) + ticksBelow(child);
  }, 0);
}

/** Processor time of this process and all that it started, in milliseconds; null where there is no /proc. */
export function processorMs(): number | null {
  if (!existsSync("/proc/self/stat")) return null;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + (ticks(statOf(process.pid), 13) + ticksBelow(process.pid)) * TICK_MS;
}
