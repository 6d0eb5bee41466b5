// Which slots of a job have passed without a run: since the newest that was dealt with, and of runs that were interrupted.

import type { Job } from "./job.ts";
import type { MissedSlots } from "./ledger.ts";
import type { JobSlots } from "./schedule.ts";

/** A job with its slots. */
export interface Known {
  readonly job: Job;
  readonly slots: JobSlots;
  /** The answer of `next_run_at` until that moment has passed. */
  next: { atMs: number | null; foundMs: number } | null;
}

/** Most missed slots made good or noted at once; of older ones only the first is told, where one run stands for all. */
const MISSED_MAX = 2_000;
/** Slots tried in search of one that the gate lets through. */
const GATE_TRIES_MAX = 2_000;

/** Whether a slot counts. */
export const isAllowed = ({ job }: Known, ms: number): boolean =>
  job.gate?.(Temporal.Instant.fromEpochMilliseconds(ms)) ?? true;

/** The first slot after `ms` that counts. */
export function firstAllowedSlot(known: Known, ms: number): number | null {
  let atMs = known.slots.next(ms);
  for (let tries = 1; atMs !== null && !isAllowed(known, atMs); tries++)
    atMs = tries < GATE_TRIES_MAX ? known.slots.next(atMs) : null;
  return atMs;
}

/** Slots up to `untilMs` that count and that nothing stands for, oldest first. */
export function missedSlots(known: Known, { afterMs, interrupted }: MissedSlots, untilMs: number): number[] {
  const late = known.slots.between(afterMs, untilMs, MISSED_MAX);
  const again = interrupted.flatMap(({ fromMs, toMs }) => known.slots.between(fromMs - 1, toMs, MISSED_MAX));
  const counting = [...new Set([...again, ...late])]
    .filter((slot) => isAllowed(known, slot))
    .sort((a, b) => a - b);
  if (late.length < MISSED_MAX || known.job.catchUp !== "once") return counting;
  const first = firstAllowedSlot(known, afterMs);
  return first === null || counting.includes(first) ? counting : [first, ...counting].sort((a, b) => a - b);
}
