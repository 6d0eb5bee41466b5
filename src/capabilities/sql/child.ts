// A process of its own for one query: reads the request from stdin, writes the answer to stdout, and ends.
import { systemTimers } from "../../platform/clock.ts";
import { answerTo } from "./answer.ts";
import { type ChildRequest, MEMORY_EXIT } from "./exchange.ts";

const MEMORY_LOOK_MS = 100;
const MEGABYTE = 1024 * 1024;

/** The engine limits its own memory; texts of a result lie outside it. */
function endAt(bytes: number): void {
  systemTimers.every(MEMORY_LOOK_MS, () => {
    if (process.memoryUsage.rss() > bytes) process.exit(MEMORY_EXIT);
  });
}

const request = (await Bun.stdin.json()) as ChildRequest;
endAt(request.memory_mb * MEGABYTE);
await Bun.write(Bun.stdout, JSON.stringify(await answerTo(request)));
process.exit(0);
