// Which slots of a job passed without a run: those after its newest row, and those of interrupted and failed
// runs.
import type { Job } from "./job.ts";
import type { MissedSlots } from "./ledger.ts";
import type { JobSlots } from "./schedule.ts";

/** A job with the slots of its schedule. */
export interface ScheduledJob {
  readonly job: Job;
  readonly slots: JobSlots;
  /** Cached slots around `foundMs`: the newest at or before it, and the first after it. */
  around: { dueMs: number | null; nextMs: number | null; foundMs: number } | null;
}

/**
 * Most missed slots caught up or recorded at once. Where one run stands for all, it also names the first of
 * any older ones.
 */
// A job of every five minutes, after ten days without a process, missed 2,880 slots: the newest 2,000 count.
const MISSED_MAX = 2_000;
/** Most slots of one failed run that are tried again, the newest. */
// A failed run that stood for 120 missed slots is tried again for the newest 100.
const FAILED_MAX = 100;
/** Most slots tried in the search for one that the gate lets through. */
// For a job of every five minutes that is almost seven days; the exchange's longest closure, of September
// 2001, took six.
const GATE_TRIES_MAX = 2_000;

/** Whether a slot counts. */
export const isAllowed = ({ job }: ScheduledJob, ms: number): boolean =>
  job.gate?.(Temporal.Instant.fromEpochMilliseconds(ms)) ?? true;

/** The newest slot at or before `ms` that counts. */
export function latestAllowedSlot(scheduled: ScheduledJob, ms: number): number | null {
  let atMs = scheduled.slots.latest(ms);
  for (let tries = 1; atMs !== null && !isAllowed(scheduled, atMs); tries++)
    atMs = tries < GATE_TRIES_MAX ? scheduled.slots.latest(atMs - 1) : null;
  return atMs;
}

/** The first slot after `ms` that counts. */
export function firstAllowedSlot(scheduled: ScheduledJob, ms: number): number | null {
  let atMs = scheduled.slots.next(ms);
  for (let tries = 1; atMs !== null && !isAllowed(scheduled, atMs); tries++)
    atMs = tries < GATE_TRIES_MAX ? scheduled.slots.next(atMs) : null;
  return atMs;
}

/**
 * Slots up to `untilMs` that count and that no run stands for, oldest first; with `retryFailed` also those
 * whose run has failed.
 */
export function missedSlots(
  scheduled: ScheduledJob,
  { afterMs, interrupted, failed }: MissedSlots,
  untilMs: number,
  retryFailed: boolean,
): number[] {
  const late = scheduled.slots.between(afterMs, untilMs, MISSED_MAX);
  const again = interrupted.flatMap(({ fromMs, toMs }) =>
    scheduled.slots.between(fromMs - 1, toMs, MISSED_MAX),
  );
  const retried = (retryFailed ? failed : []).flatMap(({ fromMs, toMs }) =>
    scheduled.slots.between(fromMs - 1, toMs, FAILED_MAX),
  );
  const counting = [...new Set([...again, ...retried, ...late])]
    .filter((slot) => isAllowed(scheduled, slot))
    .sort((a, b) => a - b);
  if (late.length < MISSED_MAX || scheduled.job.catchUp !== "once") return counting;
  const first = firstAllowedSlot(scheduled, afterMs);
  return first === null || counting.includes(first) ? counting : [first, ...counting].sort((a, b) => a - b);
}
