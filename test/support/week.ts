// Days of a service's scheduled work, stepped through slot by slot: timers that fire, outages, and what the
// ledger has to show.
import { Cron } from "croner";
import type { JobStatus } from "../../src/platform/jobs/jobs.ts";
import type { JobRun } from "../../src/platform/jobs/ledger.ts";
import type { SampleService } from "./service.ts";

/** Whether a slot of a job counts. */
export type Gate = (slot: string) => boolean;

export interface Outage {
  readonly from: string;
  readonly to: string;
  /**
   * closed: the process ends and is started again. asleep: the machine sleeps, and its timers fire when it
   * wakes.
   */
  readonly kind: "closed" | "asleep";
}

/**
 * How a slot is shown: run at its time, caught up by a later run, or recorded as a gap; else what is wrong
 * with it.
 */
export type Shown = "run" | "caught up" | "gap" | `wrong: ${string}`;

/** A timer fires a moment after its slot. */
const LATE_MS = 40;
/** Missed jobs run this long after the start. */
const CATCH_UP_MS = 2_000;

const msOf = (at: string) => Temporal.Instant.from(at).epochMilliseconds;
const textOf = (ms: number) => new Date(ms).toISOString();

interface Timer {
  readonly name: string;
  readonly cron: Cron;
  nextMs: number;
}

const after = (cron: Cron, ms: number): number =>
  cron.nextRun(new Date(ms))?.getTime() ?? Number.POSITIVE_INFINITY;

/** Returns the slots that the patterns alone make due after `from` and up to `to`. */
export function slotsOf({ schedule, timezone }: JobStatus, from: string, to: string): string[] {
  const cron = new Cron(schedule, { timezone, paused: true });
  const found: string[] = [];
  for (let ms = after(cron, msOf(from)); ms <= msOf(to); ms = after(cron, ms)) found.push(textOf(ms));
  return found;
}

export const jobsOf = async (service: SampleService): Promise<JobStatus[]> =>
  (await service.get<{ data: JobStatus[] }>("/api/v1/scheduler/jobs")).body.data;

/** Every row of the ledger, oldest first. */
export async function ledgerOf(service: SampleService): Promise<JobRun[]> {
  const rows: JobRun[] = [];
  for (;;) {
    const path = `/api/v1/scheduler/runs?limit=1000&offset=${rows.length}`;
    const { body } = await service.get<{ data: JobRun[]; has_more: boolean }>(path);
    rows.push(...body.data);
    if (!body.has_more) return rows.reverse();
  }
}

/** Nothing runs any more: jobs that a job asked for are waited for, too. */
async function quiet(service: SampleService) {
  while (service.app().jobs.runs({ outcome: "running" }, { limit: 1, offset: 0 }).total > 0)
    await new Promise((resolve) => setTimeout(resolve, 2));
}

/** Fires every timer whose moment has come by `ms`, as the process's do: once, however long ago that was. */
async function fire(service: SampleService, timers: readonly Timer[], ms: number) {
  const ripe = timers.filter(({ nextMs }) => nextMs <= ms);
  for (const timer of ripe) timer.nextMs = after(timer.cron, ms);
  await Promise.all(ripe.map(({ name }) => service.app().jobs.due(name)));
  await quiet(service);
}

/**
 * Lets the timers of all jobs fire from `from` to `to`, but in the outages, after which the service takes up
 * its work.
 */
export async function passTime(
  service: SampleService,
  { from, to, outages }: { from: string; to: string; outages: readonly Outage[] },
): Promise<void> {
  const timers: Timer[] = (await jobsOf(service)).map(({ name, schedule, timezone }) => {
    const cron = new Cron(schedule, { timezone, paused: true });
    return { name, cron, nextMs: after(cron, msOf(from)) };
  });
  const ahead = [...outages];
  for (;;) {
    const nextMs = Math.min(...timers.map((timer) => timer.nextMs));
    const [outage] = ahead;
    if (outage && nextMs > msOf(outage.from)) {
      ahead.shift();
      const wakeMs = msOf(outage.to);
      if (outage.kind === "closed") {
        await service.reopen(outage.to);
        for (const timer of timers) timer.nextMs = after(timer.cron, wakeMs);
        service.clock.set(textOf(wakeMs + CATCH_UP_MS));
        await service.app().jobs.catchUp();
        await quiet(service);
      } else {
        service.clock.set(outage.to);
        await fire(service, timers, wakeMs);
      }
      continue;
    }
    if (nextMs > msOf(to)) break;
    service.clock.set(textOf(nextMs + LATE_MS));
    await fire(service, timers, nextMs);
  }
  service.clock.set(to);
}

function shownOf(run: JobRun): Shown {
  if (run.outcome === "gap") return "gap";
  if (run.outcome !== "succeeded") return `wrong: ${run.outcome} ${run.error ?? ""}`;
  return run.missed_since === null ? "run" : "caught up";
}

/**
 * For every slot that is due or that the ledger names, how the ledger shows it. Runs on demand are left out.
 */
export function shownSlots(runs: readonly JobRun[], due: readonly string[]): Record<string, Shown> {
  const shown: Record<string, Shown> = Object.fromEntries(due.map((slot) => [slot, "wrong: missing"]));
  const seen = new Set<string>();
  for (const run of runs) {
    const last = run.scheduled_for;
    if (last === null) continue;
    const first = run.missed_since ?? last;
    for (const slot of new Set([first, ...due.filter((at) => first <= at && at <= last), last])) {
      const known = slot in shown;
      shown[slot] = seen.has(slot) ? "wrong: twice" : known ? shownOf(run) : "wrong: not due";
      seen.add(slot);
    }
  }
  return shown;
}
