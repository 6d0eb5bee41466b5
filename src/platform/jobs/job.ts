// A job as its capability declares it: what runs, when, and what becomes of slots that were missed.

/** The arguments of a run. Instants are RFC 3339 UTC text. */
export interface JobContext {
  /** Aborts at the deadline and when the process stops. */
  readonly signal: AbortSignal;
  /** The slot this run stands for; now for a run on demand. */
  readonly scheduledFor: string;
  /**
   * All slots this run stands for, `scheduledFor` included, when some of them passed without a run; else
   * empty.
   */
  readonly missed: readonly string[];
}

/**
 * Thrown by a run that has nothing to do because something is not configured: recorded as `skipped` with the
 * reason, and not tried again.
 */
export class RunSkipped extends Error {
  override readonly name = "RunSkipped";
}

export interface Job {
  readonly name: string;
  /** One sentence, shown to operators. */
  readonly description: string;
  /** Cron pattern of five fields, or six with the seconds first, in `zone`. */
  readonly schedule: string;
  readonly zone: string;
  /** Whether a slot counts, e.g. whether the exchange is open then. Default: every slot. */
  readonly gate?: (at: Temporal.Instant) => boolean;
  readonly deadlineMs: number;
  /** Datasets of the lake that it keeps up to date. */
  readonly fills?: readonly string[];
  /**
   * Jobs whose rows this one computes from. A run of a slot waits until the newest slot of each before it has
   * succeeded, runs those that no run stands for, and fails when that takes too long.
   */
  readonly after?: readonly string[];
  /** Jobs that this one runs behind when both are due, whether or not they succeed. */
  readonly afterEndOf?: readonly string[];
  /**
   * False: a failed run waits for the next slot. Default: it is tried again with growing pauses. Gaps are
   * never tried again.
   */
  readonly retry?: boolean;
  /**
   * Slots missed while no process ran: caught up in one run, caught up in one run each, or recorded as gaps.
   */
  readonly catchUp: "once" | "each" | "gap";
  /** The run for one day, for a job that has such; throws InvalidRequest for a day it cannot be run for. */
  readonly ofDay?: (date: string) => Job["run"];
  /** Throws when rows were expected and there are none: such a run has not succeeded. */
  run(context: JobContext): Promise<{ rows?: number } | undefined>;
}
