// Runs of jobs: slots, the ledger, deadlines, catch-up, and two processes on one database.
import { expect, setDefaultTimeout, test } from "bun:test";
import { captureLog } from "../../../test/support/capture-log.ts";
import {
  FIVE,
  FRIDAY,
  hanging,
  killedAt,
  ledger,
  NY,
  obedient,
  settle,
  slotsMade,
  start,
  world,
} from "../../../test/support/jobs-world.ts";
import { Busy, NotFound } from "../errors.ts";
import type { Job } from "./job.ts";
import { createJobs } from "./jobs.ts";
import { jobLedger } from "./ledger.ts";

setDefaultTimeout(1_200_000);

test("a due run has its slot, its row and its status", async () => {
  const w = world("2026-11-20T14:00:00.180Z");
  const { jobs, contexts } = start(w, {
    run: async () => {
      w.clock.advance(1_500);
      return { rows: 42 };
    },
  });
  const run = await jobs.due("ingest");
  expect(run).toMatchObject({
    job: "ingest",
    scheduled_for: "2026-11-20T14:00:00.000Z",
    started_at: "2026-11-20T14:00:00.180Z",
    finished_at: "2026-11-20T14:00:01.680Z",
    outcome: "succeeded",
    rows: 42,
    error: null,
  });
  expect(contexts.map((c) => [c.scheduledFor, c.missed])).toEqual([["2026-11-20T14:00:00.000Z", []]]);
  expect(jobs.list()).toEqual([
    {
      name: "ingest",
      says: "Ingests.",
      schedule: "0 9 * * 1-5",
      timezone: NY,
      enabled: true,
      last_run_at: "2026-11-20T14:00:00.180Z",
      last_status: "succeeded",
      last_duration_ms: 1_500,
      last_succeeded_at: "2026-11-20T14:00:01.680Z",
      last_due_at: "2026-11-20T14:00:00.000Z",
      next_run_at: "2026-11-23T14:00:00.000Z",
      fills: [],
      freshness: "current",
      after: [],
      takes_date: false,
    },
  ]);
});

test("a timer that fires slightly early, or twice, runs its slot once", async () => {
  const w = world("2026-11-20T13:59:59.990Z");
  const { jobs } = start(w);
  expect((await jobs.due("ingest"))?.scheduled_for).toBe("2026-11-20T14:00:00.000Z");
  w.clock.advance(30);
  expect(await jobs.due("ingest")).toBeNull();
  expect(ledger(w)).toEqual([["2026-11-20T14:00:00.000Z", "succeeded", 3]]);
});

test("a slot the gate refuses is not run, not missed and not in next_run_at", async () => {
  const w = world("2026-11-25T15:00:00Z");
  const thanksgiving = (at: Temporal.Instant) => !at.toString().startsWith("2026-11-26");
  expect(start(w, { gate: thanksgiving }).jobs.list()[0]?.next_run_at).toBe("2026-11-27T14:00:00.000Z");
  w.clock.set("2026-11-26T14:00:00Z");
  const { jobs, contexts } = start(w, { gate: thanksgiving });
  expect(await jobs.due("ingest")).toBeNull();
  await jobs.catchUp();
  expect([contexts, ledger(w)]).toEqual([[], []]);
});

test("a failing job writes a row and a log line without secrets, and the process lives on", async () => {
  const w = world();
  const { jobs, log } = start(w, {
    run: () => Promise.reject(new Error("GET https://h.example/?api_key=CANARY\nfailed")),
  });
  const run = await jobs.due("ingest");
  expect(run?.outcome).toBe("failed");
  expect(run?.error).toBe("GET https://h.example/?api_key=[redacted]\\nfailed");
  expect(log.lines.at(-1)).toMatchObject({ level: "error", message: "job did not succeed" });
  expect(jobs.list()[0]?.last_status).toBe("failed");
  const thrower = start(w, {
    name: "thrower",
    run: () => {
      throw new TypeError("at once");
    },
  });
  expect((await thrower.jobs.due("thrower"))?.error).toBe("at once");
});

test("a slot that comes due while the job is running is skipped, not queued", async () => {
  const w = world("2026-11-20T15:00:00Z");
  const work = hanging();
  const { jobs } = start(w, { schedule: "*/5 * * * *", run: work.run });
  const first = jobs.due("ingest");
  await settle();
  w.clock.advance(300_000);
  expect(await jobs.due("ingest")).toMatchObject({
    outcome: "skipped",
    scheduled_for: "2026-11-20T15:05:00.000Z",
  });
  work.end({ rows: 1 });
  await first;
  w.clock.advance(300_000);
  expect((await jobs.due("ingest"))?.outcome).toBe("succeeded");
  expect(ledger(w).map(([slot, outcome]) => [slot?.slice(11, 16), outcome])).toEqual([
    ["15:00", "succeeded"],
    ["15:05", "skipped"],
    ["15:10", "succeeded"],
  ]);
});

test("the deadline ends a run as failed; a run that ignores it keeps the lock until it ends", async () => {
  const w = world();
  const work = hanging();
  const { jobs } = start(w, { run: work.run });
  const first = jobs.due("ingest");
  await settle();
  w.clock.advance(600_000);
  expect(await first).toMatchObject({ outcome: "failed", error: "not finished within 600 s" });
  expect(jobs.runNow("ingest").started).toBe(false);
  w.clock.advance(300_000);
  expect(jobs.runNow("ingest").started).toBe(false);
  work.end({ rows: 1 });
  await settle();
  const again = jobs.runNow("ingest");
  expect([again.started, (await again.done)?.outcome]).toEqual([true, "succeeded"]);
});

test("on demand: outside the schedule, never twice at once; the second call returns the first run", async () => {
  const w = world();
  const work = hanging();
  const { jobs, contexts } = start(w, { run: work.run });
  const first = jobs.runNow("ingest");
  const second = jobs.runNow("ingest");
  expect([first.started, second.started, second.runId]).toEqual([true, false, first.runId]);
  expect(await second.done).toMatchObject({ id: first.runId, outcome: "running" });
  expect(jobs.list()[0]).toMatchObject({ last_status: "running", last_duration_ms: null });
  work.end({ rows: 5 });
  expect(await first.done).toMatchObject({ outcome: "succeeded", rows: 5, scheduled_for: null });
  expect(contexts.map((c) => c.scheduledFor)).toEqual(["2026-11-20T14:00:00.000Z"]);
});

test("two processes on one database: a slot runs once, and never two runs at once", async () => {
  const w = world();
  const work = hanging();
  const a = start(w, { run: work.run });
  const b = start(w, { run: work.run });
  const first = a.jobs.due("ingest");
  expect(await b.jobs.due("ingest")).toBeNull();
  expect(b.jobs.runNow("ingest").started).toBe(false);
  await settle();
  for (let i = 0; i < 20; i++) {
    w.clock.advance(10_000);
    await settle();
    expect(b.jobs.runNow("ingest").started).toBe(false);
  }
  work.end({ rows: 1 });
  await first;
  expect([a.contexts.length, b.contexts.length]).toEqual([1, 0]);
  const now = b.jobs.runNow("ingest");
  expect([now.started, (await now.done)?.outcome]).toEqual([true, "succeeded"]);
});

test("a job whose process was killed runs again at once, and the dead run becomes interrupted", async () => {
  const w = world();
  killedAt(w, FRIDAY);
  const { jobs } = start(w);
  const run = jobs.runNow("ingest");
  expect(run.started).toBe(true);
  await run.done;
  expect(ledger(w).map(([slot, outcome]) => [slot, outcome])).toEqual([
    ["2026-11-20T14:00:00.000Z", "interrupted"],
    [null, "succeeded"],
  ]);
});

test("after a crash and a quick restart the interrupted slot is caught up at once", async () => {
  const w = world("2026-11-20T14:00:05Z");
  killedAt(w, FRIDAY);
  const { jobs, contexts } = start(w);
  await jobs.catchUp();
  expect(contexts.map((c) => [c.scheduledFor, c.missed])).toEqual([
    ["2026-11-20T14:00:00.000Z", ["2026-11-20T14:00:00.000Z"]],
  ]);
  expect(ledger(w).map(([, outcome]) => outcome)).toEqual(["interrupted", "succeeded"]);
});

test("catch-up waits for a run of another process, and then finds its slot done", async () => {
  const w = world();
  const work = hanging();
  const other = start(w, { run: work.run });
  const first = other.jobs.due("ingest");
  await settle();
  const { jobs, contexts } = start(w);
  const caught = jobs.catchUp();
  await settle();
  work.end({ rows: 1 });
  await first;
  w.clock.advance(10_000);
  await caught;
  expect(contexts).toEqual([]);
  expect(ledger(w).map(([, outcome]) => outcome)).toEqual(["succeeded"]);
});

test("catch-up once: all missed slots in one run, across a weekend and a change of clocks", async () => {
  const w = world("2026-10-30T13:00:00Z");
  await start(w).jobs.due("ingest");
  w.clock.set("2026-11-03T14:30:00Z");
  const { jobs, contexts } = start(w);
  await jobs.catchUp();
  await jobs.catchUp();
  expect(contexts.map((c) => [c.scheduledFor, c.missed])).toEqual([
    ["2026-11-03T14:00:00.000Z", ["2026-11-02T14:00:00.000Z", "2026-11-03T14:00:00.000Z"]],
  ]);
});

test("catch-up each: one run per slot, in order; the night in March with the lost hour has one slot", async () => {
  const w = world("2026-03-06T12:00:00Z");
  start(w, { schedule: "30 2 * * *", catchUp: "each" });
  w.clock.set("2026-03-09T12:00:00Z");
  const { jobs, contexts } = start(w, { schedule: "30 2 * * *", catchUp: "each" });
  await jobs.catchUp();
  expect(contexts.map((c) => [c.scheduledFor, c.missed])).toEqual(
    ["2026-03-07T07:30:00.000Z", "2026-03-08T07:00:00.000Z", "2026-03-09T06:30:00.000Z"].map((s) => [s, [s]]),
  );
  expect(ledger(w).map(([, outcome]) => outcome)).toEqual(["succeeded", "succeeded", "succeeded"]);
});

test("catch-up gap: missed slots are recorded and not run", async () => {
  const w = world("2026-11-20T14:30:00Z");
  const five = { schedule: "*/5 9-15 * * 1-5", catchUp: "gap" as const };
  await start(w, five).jobs.due("ingest");
  w.clock.set("2026-11-20T14:46:00Z");
  const { jobs, contexts } = start(w, five);
  await jobs.catchUp();
  await jobs.catchUp();
  expect(contexts).toEqual([]);
  expect(ledger(w)).toEqual([
    ["2026-11-20T14:30:00.000Z", "succeeded", 3],
    ["2026-11-20T14:35:00.000Z", "gap", null],
    ["2026-11-20T14:40:00.000Z", "gap", null],
    ["2026-11-20T14:45:00.000Z", "gap", null],
  ]);
  expect(jobs.list()[0]?.last_status).toBe("succeeded");
});

test("a first start has missed nothing; a long absence is bounded", async () => {
  const w = world();
  const first = start(w, { schedule: "* * * * *", catchUp: "gap" });
  await first.jobs.catchUp();
  expect(ledger(w)).toEqual([]);
  w.clock.advance(10 * 86_400_000);
  await start(w, { schedule: "* * * * *", catchUp: "gap" }).jobs.catchUp();
  expect(ledger(w).length).toBe(2_000);
});

test("a stop interrupts running jobs and starts no more; the next start catches up", async () => {
  const w = world("2026-11-20T13:00:00Z");
  const first = start(w, { run: obedient });
  w.clock.set(FRIDAY);
  const run = first.jobs.due("ingest");
  await settle();
  await first.jobs.stop();
  expect(await run).toMatchObject({ outcome: "interrupted", error: "the process stopped" });
  expect(await first.jobs.due("ingest")).toBeNull();
  expect(() => first.jobs.runNow("ingest")).toThrow(Busy);
  const second = start(w);
  await second.jobs.catchUp();
  expect(second.contexts.map((c) => c.scheduledFor)).toEqual(["2026-11-20T14:00:00.000Z"]);
});

test("disabled jobs are listed and run only on demand", async () => {
  const w = world();
  const { jobs, contexts } = start(w, { enabled: false });
  expect(await jobs.due("ingest")).toBeNull();
  await jobs.catchUp();
  expect(contexts).toEqual([]);
  expect(jobs.list()[0]).toMatchObject({ enabled: false, next_run_at: null });
  expect((await jobs.runNow("ingest").done)?.outcome).toBe("succeeded");
});

test("an unknown name, a name used twice and a bad schedule are refused", async () => {
  const w = world();
  const { jobs } = start(w);
  expect(() => jobs.runNow("nope")).toThrow(NotFound);
  expect(await jobs.due("nope").catch((e: unknown) => e)).toBeInstanceOf(NotFound);
  expect(() => start(w, { schedule: "now and then" })).toThrow();
  const job: Job = {
    name: "twice",
    description: "",
    schedule: "* * * * *",
    zone: NY,
    deadlineMs: 1,
    catchUp: "gap",
    run: async () => undefined,
  };
  expect(() => createJobs({ jobs: [job, job], ...w, log: captureLog() })).toThrow(
    "Two jobs have the name twice",
  );
});

test("a ledger that cannot be written is logged and breaks nothing else", async () => {
  const w = world();
  const work = hanging();
  const { jobs, log } = start(w, { run: work.run });
  const run = jobs.due("ingest");
  await settle();
  w.store.close();
  work.end({ rows: 1 });
  expect(await run).toBeNull();
  expect(await jobs.due("ingest")).toBeNull();
  expect(log.lines.filter((l) => l.level === "error").map((l) => l.message)).toEqual([
    "job ledger could not be written",
    "job ledger could not be written",
    "job could not be started",
  ]);
});

test("old rows are deleted, but each job's newest stays", async () => {
  const w = world("2025-01-10T14:00:00Z");
  await start(w).jobs.due("ingest");
  w.clock.set("2025-01-13T14:00:00Z");
  await start(w).jobs.due("ingest");
  w.clock.set("2026-11-20T14:00:00Z");
  jobLedger(w.store, { holder: "x", host: "h", pid: 1 }).tidy(w.clock.nowMs());
  expect(ledger(w).map(([slot]) => slot)).toEqual(["2025-01-13T14:00:00.000Z"]);
});

test.each([
  ["once", [["14:05", "15:00", "succeeded"]]],
  [
    "gap",
    [
      ...[5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55].map((m) => [
        null,
        `14:${`${m}`.padStart(2, "0")}`,
        "gap",
      ]),
      [null, "15:00", "succeeded"],
    ],
  ],
] as const)(
  "a machine that slept an hour, catch-up %s: the next run covers every slot",
  async (catchUp, made) => {
    const w = world(FRIDAY);
    const { jobs } = start(w, { ...FIVE, catchUp });
    await jobs.due("ingest");
    w.clock.set("2026-11-20T15:00:00.100Z");
    expect((await jobs.due("ingest"))?.outcome).toBe("succeeded");
    expect(await jobs.due("ingest")).toBeNull();
    expect(slotsMade(w)).toEqual([[null, "14:00", "succeeded"], ...made.map((row) => [...row])]);
  },
);

test("a timer that fires right after the start covers the missed slots too", async () => {
  const w = world(FRIDAY);
  await start(w, FIVE).jobs.due("ingest");
  w.clock.set("2026-11-20T14:30:00Z");
  const { jobs, contexts } = start(w, FIVE);
  await jobs.due("ingest");
  await jobs.catchUp();
  expect(contexts.map(({ missed }) => missed.length)).toEqual([6]);
});

test("the slot of an interrupted run stays missed, whatever was skipped while it ran", async () => {
  const w = world("2026-11-20T13:58:00Z");
  const first = start(w, { ...FIVE, deadlineMs: 3_600_000, run: obedient });
  for (const at of ["14:00", "14:05", "14:10"]) {
    w.clock.set(`2026-11-20T${at}:00Z`);
    void first.jobs.due("ingest");
    await settle();
  }
  await first.jobs.stop();
  w.clock.set("2026-11-20T14:12:00Z");
  const second = start(w, FIVE);
  await second.jobs.catchUp();
  await second.jobs.catchUp();
  expect(slotsMade(w)).toEqual([
    [null, "14:00", "interrupted"],
    [null, "14:05", "skipped"],
    [null, "14:10", "skipped"],
    ["14:00", "14:00", "succeeded"],
  ]);
  w.clock.set("2026-11-20T14:15:00Z");
  await second.jobs.due("ingest");
  expect(slotsMade(w).at(-1)).toEqual([null, "14:15", "succeeded"]);
});
