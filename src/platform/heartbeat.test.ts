import { expect, test } from "bun:test";
import { captureLog } from "../../test/support/capture-log.ts";
import { fakeClock } from "../../test/support/fake-clock.ts";
import { heartbeat } from "./heartbeat.ts";

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

test("a beat that fails is logged, the next ones come, and none after the end", async () => {
  const clock = fakeClock("2026-11-20T14:00:00Z");
  const log = captureLog();
  const over = new AbortController();
  let beats = 0;
  const done = heartbeat({ clock, log }, { of: "a build", everyMs: 10_000, signal: over.signal }, () => {
    beats += 1;
    if (beats === 1) throw new Error("disk full");
  });
  for (let i = 0; i < 3; i++) {
    clock.advance(10_000);
    await settle();
  }
  expect(beats).toBe(3);
  expect(log.lines.map(({ level, message, fields }) => [level, message, fields.of])).toEqual([
    ["warn", "a heartbeat could not be written", "a build"],
  ]);
  over.abort();
  await done;
  clock.advance(10_000);
  await settle();
  expect(beats).toBe(3);
});
