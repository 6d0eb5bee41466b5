// The moments at which a job is due: a cron pattern in its own time zone, searched backwards and forwards.
import { Cron } from "croner";

export interface JobSlots {
  /** The newest slot at or before `ms`; null when there is none. */
  latest(ms: number): number | null;
  /** The first slot after `ms`; null when there is none. */
  next(ms: number): number | null;
  /** Slots after `fromMs` up to and including `toMs`, oldest first; of more than `countMax` the newest. */
  between(fromMs: number, toMs: number, countMax: number): number[];
}

/** Slots searched backwards at once. Mostly one or none is missing, and each costs a search. */
// For 2,000 missed slots it searches 2, 8, 32 and 128, then 250 at once.
const CHUNK_FIRST = 2;
const CHUNK_MAX = 250;

/**
 * `schedule` has five fields or six (seconds first). Where clocks go forward, a job of one fixed time in the
 * lost hour is due at the first moment after it; where they go back, it is due once. Throws on a bad pattern
 * or zone.
 */
// In New York a job of 02:30 is due at 03:00 on 8 March 2026, and one of 01:30 once on 1 November.
export function jobSlots(schedule: string, zone: string): JobSlots {
  const cron = new Cron(schedule, { timezone: zone, paused: true, mode: "5-or-6-parts" });
  // Croner works in whole seconds, and its backward search excludes the second it starts from.
  const after = (ms: number) => new Date(Math.floor(ms / 1000) * 1000 + 1000);
  const back = (ms: number, count: number) => cron.previousRuns(count, after(ms)).map((d) => d.getTime());

  return {
    latest: (ms) => back(ms, 1)[0] ?? null,
    next: (ms) => cron.nextRun(new Date(Math.floor(ms / 1000) * 1000))?.getTime() ?? null,
    between(fromMs, toMs, countMax) {
      const found: number[] = [];
      let size = CHUNK_FIRST;
      for (let untilMs = toMs; found.length < countMax; size = Math.min(size * 4, CHUNK_MAX)) {
        const chunk = back(untilMs, Math.min(size, countMax - found.length));
        const within = chunk.filter((ms) => ms > fromMs);
        found.push(...within);
        const oldest = within.at(-1);
        if (oldest === undefined || within.length < chunk.length) break;
        untilMs = oldest - 1;
      }
      return found.reverse();
    },
  };
}
