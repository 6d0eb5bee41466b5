// Whether what a job fills is as new as its schedule allows.
import type { JobLedger } from "./ledger.ts";

/**
 * `current`: the newest due run has succeeded. `running`: a run is under way. `behind`: the newest due run
 * has failed, was interrupted, or has not begun. `skipped`: the newest due run was skipped, for example
 * because a setting is missing. `not_due`: no run was due since this installation has the job. `off`: jobs
 * are off in this process.
 */
export const FRESHNESS = ["current", "running", "behind", "skipped", "not_due", "off"] as const;
export type Freshness = (typeof FRESHNESS)[number];

/** The freshness of a job that is on; `dueMs` is its newest slot. */
// Due at 18:00, failed at 18:02, and asked at 18:05: `behind`, whatever succeeded the day before.
export function freshnessOf(
  ledger: Pick<JobLedger, "lastStarted" | "hasSucceeded" | "ofSlot" | "firstSeenMs">,
  job: string,
  dueMs: number | null,
): Exclude<Freshness, "off"> {
  if (ledger.lastStarted(job)?.outcome === "running") return "running";
  if (dueMs === null) return "not_due";
  if (ledger.hasSucceeded(job, dueMs)) return "current";
  const run = ledger.ofSlot(job, dueMs);
  if (run) return run.outcome === "skipped" ? "skipped" : "behind";
  return dueMs <= ledger.firstSeenMs(job) ? "not_due" : "behind";
}
