// An open breaker with its back-off, and the spacing of requests, survive a restart.
import { expect, setDefaultTimeout, test } from "bun:test";
import { fakeClock } from "../../../test/support/fake-clock.ts";
import { openSqlite } from "../sqlite/sqlite.ts";
import { BreakerOpen, breaker } from "./breaker.ts";
import { persistentLimits } from "./persistent-limits.ts";

setDefaultTimeout(1_200_000);

const POLICY = { name: "archive", spacingMsMin: 10_000 };
const LIMITS = { failuresMax: 5, openMs: [30_000, 60_000, 120_000, 1_800_000] };

/** A new process on the same database: its memory is empty. */
function restarts() {
  const clock = fakeClock("2026-09-09T12:00:00Z");
  const store = openSqlite(":memory:");
  const start = () => {
    const limits = persistentLimits(POLICY, { store, clock });
    return { limits, guard: breaker(LIMITS, clock, limits.breakerStore) };
  };
  return { clock, start };
}

test("the breaker is still open after a restart, and the next refusal opens it for the next step", () => {
  const { clock, start } = restarts();
  const steps: number[] = [];
  for (let i = 0; i < 5; i++) {
    start().guard.acquire().refuse();
    const { guard } = start();
    expect(() => guard.check()).toThrow(BreakerOpen);
    expect(guard.state()).toBe("open");
    const until = guard.openUntil();
    steps.push(((until?.epochMilliseconds ?? 0) - clock.nowMs()) / 1000);
    clock.set(until?.toString() ?? "");
  }
  expect(steps).toEqual([30, 60, 120, 1800, 1800]);
  const { guard } = start();
  expect(guard.state()).toBe("half_open");
  guard.acquire().succeed();
  expect(start().guard.state()).toBe("closed");
  start().guard.acquire().refuse();
  expect(start().guard.openUntil()?.toString()).toBe(clock.now().add({ seconds: 30 }).toString());
});

test("the spacing holds across a restart and between two processes", async () => {
  const { clock, start } = restarts();
  const [one, two] = [start().limits, start().limits];
  const turns: string[] = [];
  const took = (who: string) => () => void turns.push(`${who} ${clock.now().toString()}`);
  await one.beforeAttempt({}).then(took("one"));
  const waiting = [two.beforeAttempt({}).then(took("two")), one.beforeAttempt({}).then(took("one"))];
  for (let s = 0; s < 25; s++) {
    await Bun.sleep(0);
    clock.advance(1_000);
  }
  await Promise.all(waiting);
  expect(turns).toEqual(["one 2026-09-09T12:00:00Z", "two 2026-09-09T12:00:10Z", "one 2026-09-09T12:00:20Z"]);
});

test("a clock set back makes no request wait longer than the queue", async () => {
  const { clock, start } = restarts();
  await start().limits.beforeAttempt({});
  clock.set("2026-09-09T06:00:00Z");
  let done = false;
  const turn = start()
    .limits.beforeAttempt({})
    .then(() => {
      done = true;
    });
  clock.advance(100_000);
  await turn;
  expect(done).toBe(true);
});
