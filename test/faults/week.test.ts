// A week of fake time with outages: every due run of every job stands in the ledger, and nothing is taken in
// twice.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { JobStatus } from "../../src/platform/jobs/jobs.ts";
import type { JobRun } from "../../src/platform/jobs/ledger.ts";
import { movableClock } from "../support/clock.ts";
import { openSampleService, type SampleService } from "../support/service.ts";
import {
  type Gate,
  jobsOf,
  ledgerOf,
  type Outage,
  passTime,
  type Shown,
  shownSlots,
  slotsOf,
} from "../support/week.ts";

// Thousands of runs before the first test of a week: two minutes alone, and many times that beside other
// work. Nothing is measured.
setDefaultTimeout(1_800_000);

const ENV = {
  JOBS: "on",
  SEC_USER_AGENT: "Asof tests tests@asof.example",
  MARKETFEED_API_KEY: "PKTESTKEY",
  MARKETFEED_SECRET_KEY: "SecretOfTests",
};

/** Regular sessions of the two weeks, open and close in UTC: New York's clocks go back on 1 November. */
const SESSIONS: Record<string, readonly [open: string, close: string]> = {
  "2026-10-28": ["13:30", "20:00"],
  "2026-10-29": ["13:30", "20:00"],
  "2026-10-30": ["13:30", "20:00"],
  "2026-11-02": ["14:30", "21:00"],
  "2026-11-03": ["14:30", "21:00"],
  "2026-11-04": ["14:30", "21:00"],
  "2026-11-23": ["14:30", "21:00"],
  "2026-11-24": ["14:30", "21:00"],
  "2026-11-25": ["14:30", "21:00"],
  // The 26th is Thanksgiving, the day after it ends at 13:00 in New York.
  "2026-11-27": ["14:30", "18:00"],
  "2026-11-30": ["14:30", "21:00"],
};
const dayOf = (slot: string) =>
  Temporal.Instant.from(slot).toZonedDateTimeISO("America/New_York").toPlainDate().toString();
const onSessions: Gate = (slot) => dayOf(slot) in SESSIONS;
const inSession: Gate = (slot) => {
  const [open = "", close = ""] = SESSIONS[slot.slice(0, 10)] ?? [];
  return open !== "" && slot.slice(11, 16) >= open && slot.slice(11, 16) <= close;
};

/**
 * Which slots of a job count; of those that are not named, all. In these weeks the regulator rests when the
 * exchange does.
 */
const GATES: Record<string, Gate> = {
  "gainer-snapshots": inSession,
  "overlay-scores": onSessions,
  "ownership-ingest": onSessions,
  "short-volume": onSessions,
  "universe-discover": onSessions,
  // On the first session of a month.
  "universe-snapshots": (slot) => dayOf(slot) === "2026-11-02",
  "marketfeed-backfill-pit": onSessions,
  "marketfeed-provisional": onSessions,
  "corporate-actions": onSessions,
};
/** The dataset that cannot be had again. */
const LOST = "gainer-snapshots";

/**
 * By default the hours in which something happens are stepped through, and the service is closed on the quiet
 * ones between them; WEEK=whole takes these, and the days around them.
 */
const WHOLE = process.env.WEEK === "whole";

interface Week {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly outages: readonly Outage[];
  /** Slots due, counted by hand. */
  readonly counts: Readonly<Record<string, number>>;
  readonly ingests: Readonly<Record<string, Shown>>;
  /** Slots of gainers by day that are due, and those noted as gaps. */
  readonly gainers: Readonly<Record<string, readonly [due: number, gaps: number]>>;
  /**
   * Slots before the service first began that are run, by job: the newest slot of an input before the first
   * run of a job that computes from it, where the input has no later one by then.
   */
  readonly inputs: Readonly<Record<string, string>>;
}

const hours = (n: number) => ({
  "news-poll": n * 12,
  "lake-compaction": n * 4,
  "ownership-enrichment": n * 2,
});

const WEEKS: readonly Week[] = [
  {
    name: "clocks go back; that night and the morning after it missed",
    outages: [
      // Midnight to five in New York, one o'clock being there twice; by default until Monday at five.
      { kind: "closed", from: "2026-11-01T04:01:00Z", to: `2026-11-0${WHOLE ? 1 : 2}T10:01:00Z` },
      // Six to noon.
      { kind: "asleep", from: "2026-11-02T11:01:00Z", to: "2026-11-02T17:01:00Z" },
    ],
    ...(WHOLE
      ? {
          from: "2026-10-28T16:00:30Z",
          to: "2026-11-04T16:00:30Z",
          counts: hours(7 * 24),
          ingests: {
            "2026-10-29T13:00:00.000Z": "run",
            "2026-10-30T13:00:00.000Z": "run",
            "2026-11-02T14:00:00.000Z": "run",
            "2026-11-03T14:00:00.000Z": "run",
            "2026-11-04T14:00:00.000Z": "run",
          },
          gainers: {
            "2026-10-28": [48, 0],
            "2026-10-29": [79, 0],
            "2026-10-30": [79, 0],
            "2026-11-02": [79, 30],
            "2026-11-03": [79, 0],
            "2026-11-04": [19, 0],
          },
          // The first job that needs a file runs in the evening, behind that evening's file.
          inputs: {},
        }
      : {
          from: "2026-11-01T02:00:30Z",
          to: "2026-11-02T22:00:30Z",
          counts: hours(44),
          ingests: { "2026-11-02T14:00:00.000Z": "run" },
          gainers: { "2026-11-02": [79, 30] },
          // Monday's back-fill of the panel needs Friday's last file.
          inputs: { "short-volume": "2026-10-31T02:15:00.000Z" },
        }),
  },
  {
    name: "a holiday and a half day; a session and an ingest missed",
    outages: [
      // Ten to four in New York.
      { kind: "closed", from: "2026-11-25T15:01:00Z", to: "2026-11-25T21:01:00Z" },
      // Of the holiday by default the usual open alone.
      ...(WHOLE
        ? []
        : [{ kind: "closed", from: "2026-11-26T08:01:00Z", to: "2026-11-26T14:01:00Z" } as const]),
      // Until ten on the half day, from four or from the holiday's usual open on.
      {
        kind: "closed",
        from: WHOLE ? "2026-11-27T09:01:00Z" : "2026-11-26T15:01:00Z",
        to: "2026-11-27T15:01:00Z",
      },
    ],
    ...(WHOLE
      ? {
          from: "2026-11-23T11:00:30Z",
          to: "2026-11-30T11:00:30Z",
          counts: hours(7 * 24),
          ingests: {
            "2026-11-23T14:00:00.000Z": "run",
            "2026-11-24T14:00:00.000Z": "run",
            "2026-11-25T14:00:00.000Z": "run",
            "2026-11-27T14:00:00.000Z": "caught up",
          },
          gainers: {
            "2026-11-23": [79, 0],
            "2026-11-24": [79, 0],
            "2026-11-25": [79, 72],
            "2026-11-27": [43, 7],
          },
          inputs: { "short-volume": "2026-11-21T03:15:00.000Z" },
        }
      : {
          from: "2026-11-25T12:00:30Z",
          to: "2026-11-27T19:00:30Z",
          counts: hours(2 * 24 + 7),
          ingests: { "2026-11-25T14:00:00.000Z": "run", "2026-11-27T14:00:00.000Z": "caught up" },
          gainers: { "2026-11-25": [79, 72], "2026-11-27": [43, 7] },
          inputs: { "short-volume": "2026-11-25T03:15:00.000Z" },
        }),
  },
];

/** The last day of these weeks before `day` on which the regulator worked. */
function dayBefore(day: string): string {
  let date = Temporal.PlainDate.from(day).subtract({ days: 1 });
  while (date.dayOfWeek > 5 || date.toString() === "2026-11-26") date = date.subtract({ days: 1 });
  return date.toString();
}

/**
 * Filings of insiders and large holders in the regulator's index of a day: its lines name a filing once a
 * party, each in a folder of its own.
 */
async function filedOn(upstream: string, date: string): Promise<number> {
  const path = `www.sec.gov/Archives/edgar/daily-index/2026/QTR4/master.${date.replaceAll("-", "")}.idx`;
  const answer = await fetch(`${upstream}/${path}`, { headers: { "user-agent": ENV.SEC_USER_AGENT } });
  expect([date, answer.status]).toEqual([date, 200]);
  const lines = (await answer.text()).split("\n").map((line) => line.split("|"));
  const wanted = lines.filter(([, , form = ""]) => FORMS.test(form));
  return new Set(wanted.map(([, , , , file]) => file?.split("/").at(-1))).size;
}
const FORMS = /^([345]|SC 13[DG]|SCHEDULE 13[DG])(\/A)?$/;

/** How the slots of a job have to be shown. */
function wanted(job: string, due: readonly string[], outages: readonly Outage[]): Record<string, Shown> {
  const shown: Record<string, Shown> = Object.fromEntries(due.map((slot) => [slot, "run"]));
  for (const { kind, from, to } of outages) {
    const missed = due.filter((slot) => slot > from && slot <= to);
    for (const slot of missed) shown[slot] = job === LOST ? "gap" : "caught up";
    const newest = missed.at(-1);
    // One who wakes runs the newest slot as such, late as it is.
    if (kind === "asleep" && newest !== undefined && (job === LOST || missed.length === 1))
      shown[newest] = "run";
  }
  return shown;
}

describe.each(WEEKS)("$name", ({ from, to, outages, counts, ingests, gainers, inputs }) => {
  let service: SampleService;
  let jobs: JobStatus[];
  let runs: JobRun[];
  let due: Map<string, string[]>;

  beforeAll(async () => {
    service = await openSampleService({
      clock: movableClock(from),
      env: ENV,
      symbols: 30,
      years: 2,
    });
    // Something is followed, so that the daily readings have work.
    for (const path of ["earnings/surprise/ZORP", "dividends/history/ZORP", "news?ticker=ZORP"])
      await service.get(`/api/v1/${path}`);
    jobs = await jobsOf(service);
    await passTime(service, { from, to, outages });
    runs = await ledgerOf(service);
    due = new Map(
      jobs.map((job) => [job.name, slotsOf(job, from, to).filter(GATES[job.name] ?? (() => true))]),
    );
  });
  afterAll(() => service.stop());

  /**
   * Whether a run is for a slot before the service first began: only inputs of other jobs have such, once.
   */
  const isInputOfStart = ({ scheduled_for }: JobRun) =>
    scheduled_for !== null && Temporal.Instant.compare(scheduled_for, from) < 0;

  /**
   * Whether a run found nothing to compute from before any run of its job did: then it waits, which is no
   * success.
   */
  const isWaiting = (run: JobRun) =>
    run.job === "overlay-scores" &&
    run.outcome === "skipped" &&
    run.error?.startsWith("Waiting for its inputs: ") === true &&
    !runs.some(({ job, outcome, id }) => job === run.job && outcome === "succeeded" && id < run.id);

  const shown = (job: string) =>
    shownSlots(
      runs
        .filter((run) => run.job === job && !isInputOfStart(run))
        .map((run) => (isWaiting(run) ? { ...run, outcome: "succeeded" } : run)),
      due.get(job) ?? [],
    );

  test("every due slot of every job is run, caught up or a gap, and none is twice", () => {
    expect(
      runs.filter(isInputOfStart).map(({ job, scheduled_for, outcome }) => [job, scheduled_for, outcome]),
    ).toEqual(Object.entries(inputs).map(([job, slot]) => [job, slot, "succeeded"]));
    for (const { name } of jobs)
      expect({ job: name, slots: shown(name) }).toEqual({
        job: name,
        slots: wanted(name, due.get(name) ?? [], outages),
      });
  });
  test("as counted by hand", () => {
    for (const [job, count] of Object.entries(counts))
      expect([job, due.get(job)?.length]).toEqual([job, count]);
    expect(shown("ownership-ingest")).toEqual({ ...ingests });
    const byDay = Object.entries(
      Object.groupBy(Object.entries(shown(LOST)), ([slot]) => slot.slice(0, 10)),
    ).map(([day, slots = []]) => [day, [slots.length, slots.filter(([, how]) => how === "gap").length]]);
    expect(Object.fromEntries(byDay)).toEqual(gainers);
  });

  test("gainers are stored in sessions only, and missing slots of a day are listed", async () => {
    for (const [day, [, gaps]] of Object.entries(gainers)) {
      const { body } = await service.get<{ data: { slot: string }[]; missing: string[] }>(
        `/api/v1/stocks/gainers/snapshots/list?date=${day}`,
      );
      const [open = "", close = ""] = SESSIONS[day] ?? [];
      const stored = body.data.map(({ slot }) => slot.slice(11, 16));
      expect(stored.every((time) => time >= open && time <= close)).toBe(true);
      const ran = Object.entries(shown(LOST)).filter(([slot, how]) => slot.startsWith(day) && how === "run");
      // Right after the open the provider still lists the day before: then there is nothing to store.
      expect(ran.length - stored.length).toBeLessThanOrEqual(1);
      const afterOpen = ran.map(([slot]) => slot.slice(11, 16)).filter((time) => time !== open);
      expect(stored.filter((time) => time !== open)).toEqual(afterOpen);
      expect(body.missing.length).toBeGreaterThanOrEqual(gaps);
    }
  });

  test("nothing is stored twice, and the filings of every missed day are there", async () => {
    const report = await service.app().lake.check();
    expect(report.findings).toEqual([]);
    expect(report.rows).toBeGreaterThan(100);
    // Each run takes in the sessions since the one before, those of an outage among them; the first the last
    // session alone.
    const ingested = runs.filter(({ job }) => job === "ownership-ingest");
    let before = "";
    for (const { started_at, rows } of ingested) {
      const day = dayOf(started_at);
      const past = Object.keys(SESSIONS).filter((date) => date < day);
      const days = before === "" ? [dayBefore(day)] : past.filter((date) => date >= before);
      const counts = await Promise.all(days.map((date) => filedOn(service.sample.url, date)));
      expect([started_at, rows]).toEqual([started_at, counts.reduce((sum, n) => sum + n, 0)]);
      before = day;
    }
    expect(ingested.length).toBe(Object.keys(ingests).length);
  });

  test("catching up once more does nothing", async () => {
    const { lake, jobs: all } = service.app();
    const before = await lake.stats();
    const asked = service.sample.traffic().total;
    await all.catchUp();
    for (const { name } of jobs)
      if (due.get(name)?.length) expect([name, await all.due(name)]).toEqual([name, null]);
    expect(await ledgerOf(service)).toEqual(runs);
    expect(service.sample.traffic().total).toBe(asked);
    expect(await lake.stats()).toEqual(before);
  });
});
