// A job as its capability declares it: what runs, when, and what becomes of slots that were missed.

/** What a run receives. Instants are RFC 3339 UTC text. */
export interface JobContext {
  /** Aborts at the deadline, when the process stops, and when another process takes the job over. */
  readonly signal: AbortSignal;
  /** The slot this run stands for; now for a run on demand. */
  readonly scheduledFor: string;
  /** All slots this run stands for, `scheduledFor` included, when some of them passed without a run; else empty. */
  readonly missed: readonly string[];
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
  /** Slots missed while no process ran: caught up in one run, caught up in one run each, or recorded as gaps. */
  readonly catchUp: "once" | "each" | "gap";
  run(context: JobContext): Promise<{ rows?: number } | undefined>;
}
