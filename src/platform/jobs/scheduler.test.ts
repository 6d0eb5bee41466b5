// Jobs that run after others, and runs that are tried again.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { captureLog } from "../../../test/support/capture-log.ts";
import {
  FIVE,
  hanging,
  ledger,
  NY,
  pass,
  slotsMade,
  start,
  type World,
  world,
} from "../../../test/support/jobs-world.ts";
import type { Job } from "./job.ts";
import { createJobs } from "./jobs.ts";

setDefaultTimeout(1_200_000);

describe("a failed run", () => {
  const flaky = (failures: number): Job["run"] => {
    let left = failures;
    return async () => {
      if (left-- > 0) throw new Error("no answer");
      return { rows: 1 };
    };
  };
  test("is tried again after one, two and four minutes, until it succeeds", async () => {
    const w = world();
    const { jobs, contexts } = start(w, { run: flaky(3) });
    expect((await jobs.due("ingest"))?.outcome).toBe("failed");
    const runs: number[] = [];
    for (const ms of [59_999, 1, 119_999, 1, 239_999, 1, 86_400_000]) {
      await pass(w, ms);
      runs.push(contexts.length);
    }
    expect(runs).toEqual([1, 2, 2, 3, 3, 4, 4]);
    expect(contexts.at(-1)).toMatchObject({
      scheduledFor: "2026-11-20T14:00:00.000Z",
      missed: ["2026-11-20T14:00:00.000Z"],
    });
    expect(ledger(w).map(([, outcome]) => outcome)).toEqual(["failed", "failed", "failed", "succeeded"]);
  });

  test("is taken over by the next slot, which also stands for it", async () => {
    const w = world();
    const { jobs } = start(w, { ...FIVE, retry: false, run: flaky(1) });
    await jobs.due("ingest");
    await pass(w, 300_000);
    await jobs.due("ingest");
    expect(slotsMade(w)).toEqual([
      [null, "14:00", "failed"],
      [null, "14:05", "succeeded"],
    ]);
    const again = world();
    const retried = start(again, { ...FIVE, run: flaky(2) });
    await retried.jobs.due("ingest");
    await pass(again, 60_000);
    await pass(again, 119_000);
    again.clock.set("2026-11-20T14:05:00Z");
    await retried.jobs.due("ingest");
    expect(slotsMade(again).at(-1)).toEqual(["14:00", "14:05", "succeeded"]);
  });

  test("is tried again after a restart, when its pause has passed", async () => {
    const w = world();
    const before = start(w, { run: flaky(1) });
    await before.jobs.due("ingest");
    await before.jobs.stop();
    const { jobs, contexts } = start(w);
    w.clock.advance(30_000);
    await jobs.catchUp();
    expect(contexts).toEqual([]);
    await pass(w, 30_000);
    expect(contexts.length).toBe(1);
    expect(ledger(w).map(([, outcome]) => outcome)).toEqual(["failed", "succeeded"]);
  });

  test("of a list that cannot be read later is not tried again", async () => {
    const w = world();
    const { jobs, contexts } = start(w, { catchUp: "gap", run: flaky(1) });
    await jobs.due("ingest");
    await pass(w, 86_400_000);
    expect(contexts.length).toBe(1);
  });

  test("is not tried again once the process stops", async () => {
    const w = world();
    const { jobs, contexts } = start(w, { run: flaky(1) });
    await jobs.due("ingest");
    await jobs.stop();
    await pass(w, 86_400_000);
    expect(contexts.length).toBe(1);
  });
});

describe("a job that runs after another", () => {
  /** Two jobs: `files` at 18:15 New York and `scores` at 22:50, which computes from the files. */
  function pair(w: World, files: Job["run"]) {
    const order: string[] = [];
    const job = (name: string, schedule: string, run: Job["run"], after: string[]): Job => ({
      name,
      description: "Made up.",
      schedule,
      zone: NY,
      deadlineMs: 86_400_000,
      catchUp: "once",
      after,
      run: async (context) => {
        order.push(`${name} begins`);
        const result = await run(context);
        order.push(`${name} ends`);
        return result;
      },
    });
    const { store, clock, locks } = w;
    const log = captureLog();
    const scores = job("scores", "50 22 * * 1-5", async () => ({ rows: 1 }), ["files"]);
    const jobs = createJobs({
      jobs: [scores, job("files", "15 18 * * 1-5", files, [])],
      store,
      clock,
      locks,
      log,
    });
    return { jobs, order };
  }
  test("is caught up behind it, however long that takes", async () => {
    const w = world("2026-11-19T12:00:00Z");
    pair(w, async () => undefined);
    w.clock.set("2026-11-20T12:00:00Z");
    const work = hanging();
    const { jobs, order } = pair(w, work.run);
    const caught = jobs.catchUp();
    await pass(w, 1_200_000);
    expect(order).toEqual(["files begins"]);
    work.end({ rows: 1 });
    await caught;
    expect(order).toEqual(["files begins", "files ends", "scores begins", "scores ends"]);
  });

  test("waits in the evening for the run that is still active", async () => {
    const w = world("2026-11-20T23:15:00Z");
    const work = hanging();
    const { jobs, order } = pair(w, work.run);
    const files = jobs.due("files");
    w.clock.set("2026-11-21T03:50:00Z");
    const scores = jobs.due("scores");
    await pass(w, 300_000);
    expect(order).toEqual(["files begins"]);
    work.end({ rows: 1 });
    await files;
    expect((await scores)?.outcome).toBe("succeeded");
    expect(order).toEqual(["files begins", "files ends", "scores begins", "scores ends"]);
  });

  test("fails when its input does not come, and runs as soon as it has come", async () => {
    const w = world("2026-11-20T23:15:00Z");
    let isOut = false;
    const { jobs, order } = pair(w, async () => {
      if (!isOut) throw new Error("not published");
      return { rows: 1 };
    });
    expect((await jobs.due("files"))?.outcome).toBe("failed");
    w.clock.set("2026-11-21T03:50:00Z");
    const run = jobs.due("scores");
    for (let i = 0; i < 12; i++) await pass(w, 60_000);
    expect(await run).toMatchObject({
      outcome: "failed",
      error: "The run of files for 2026-11-20T23:15:00.000Z has not succeeded, and this job needs it",
    });
    expect(order.includes("scores begins")).toBe(false);
    isOut = true;
    for (let i = 0; i < 30; i++) await pass(w, 600_000);
    expect(order.slice(-2)).toEqual(["scores begins", "scores ends"]);
    expect(jobs.list().map(({ last_status }) => last_status)).toEqual(["succeeded", "succeeded"]);
  });

  test("runs the input itself when no run stands for it, as on a new installation", async () => {
    const w = world("2026-11-21T03:00:00Z");
    const { jobs, order } = pair(w, async () => ({ rows: 1 }));
    w.clock.set("2026-11-21T03:50:00Z");
    await jobs.due("scores");
    expect(order).toEqual(["files begins", "files ends", "scores begins", "scores ends"]);
    expect(ledger(w)).toEqual([
      ["2026-11-21T03:50:00.000Z", "succeeded", 1],
      ["2026-11-20T23:15:00.000Z", "succeeded", 1],
    ]);
  });

  test("jobs that run after each other are refused", () => {
    const w = world();
    expect(() => start(w, { after: ["ingest"] })).toThrow("Jobs run after each other: ingest, ingest");
  });
});
