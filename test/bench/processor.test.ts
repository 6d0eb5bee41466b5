import { expect, test } from "bun:test";
import { processorMs } from "./processor.ts";

/** Counts for a while, then prints the milliseconds of processor that this took. */
const COUNT = `let sum = 0; for (let i = 0; i < 3e7; i++) sum += i;
const { user, system } = process.cpuUsage(); console.log((user + system) / 1000);`;
/** Two numbers in ticks of 10 ms, each of two counters rounded down. */
const ROUNDED_MS = 40;

if (processorMs() === null) test.skip("skipped: no /proc on this machine", () => {});
else
  test("the processor time of a child counts while it runs, and after it has ended", async () => {
    const before = processorMs() ?? Number.NaN;
    const child = Bun.spawn([process.execPath, "-e", `${COUNT} for await (const _ of Bun.stdin.stream());`], {
      stdin: "pipe",
      stdout: "pipe",
    });
    const { value } = await child.stdout.getReader().read();
    const took = Number(new TextDecoder().decode(value));
    expect((processorMs() ?? 0) - before).toBeGreaterThan(took - ROUNDED_MS);
    await child.stdin.end();
    await child.exited;
    expect((processorMs() ?? 0) - before).toBeGreaterThan(took - ROUNDED_MS);
    expect(took).toBeGreaterThan(ROUNDED_MS);
  });
