// Fetches the bars of the session that has just closed, which the panel serves as provisional until they are
// settled.

import { UPSTREAM_BATCH_SYMBOLS } from "../../limits.ts";
import { inBatches } from "../../market/bulk.ts";
import { newYorkDate } from "../../market/calendar.ts";
import type { Services } from "../../market/services.ts";
import { UpstreamFailed } from "../../platform/errors.ts";
import { type Job, RunSkipped } from "../../platform/jobs/job.ts";
import { SIP_DELAY_S } from "./sessions.ts";
import type { PanelProvisional, PanelSymbols } from "./sources.ts";

export const PROVISIONAL_JOB = "marketfeed-provisional";

export interface ProvisionalJobDeps extends Pick<Services, "calendar" | "clock"> {
  readonly symbols: PanelSymbols;
  readonly provisional: PanelProvisional;
  isConfigured(): boolean;
}

/** The job of each session's evening. */
export function provisionalJob({
  symbols,
  provisional,
  calendar,
  clock,
  isConfigured,
}: ProvisionalJobDeps): Job {
  /** The newest session whose bars the delayed feed has whole; null once it is settled. */
  const openSession = (): string | null => {
    const now = clock.now();
    const session = calendar.lastClosedSession(now.subtract({ seconds: SIP_DELAY_S }));
    const settles = calendar.sessionOpen(calendar.nextSession(session));
    return Temporal.Instant.compare(settles, now) <= 0 ? null : session;
  };
  return {
    name: PROVISIONAL_JOB,
    description:
      "Fetches the newest session's daily bars of the panel's symbols from the brokerage feed, when its keys are set: the panel serves them as provisional until they are settled.",
    // Behind the short-volume files, whose lines are the rows of the panel.
    schedule: "25 18,20,22 * * 1-5",
    zone: "America/New_York",
    gate: (at) => calendar.isSession(newYorkDate(at)),
    deadlineMs: 2 * 60 * 60_000,
    catchUp: "once",
    fills: ["bars_provisional"],
    after: ["short-volume"],
    async run({ signal }) {
      if (!isConfigured())
        throw new RunSkipped(
          "The brokerage feed is not configured: set MARKETFEED_API_KEY and MARKETFEED_SECRET_KEY.",
        );
      const session = openSession();
      if (session === null) return { rows: 0 };
      const { open, total } = await symbols.withoutBar(session);
      let rows = 0;
      for (const batch of inBatches(open, UPSTREAM_BATCH_SYMBOLS))
        rows += await provisional({ symbols: batch, session, signal });
      if (rows === 0 && total > 0 && open.length === total)
        throw new UpstreamFailed(
          "marketfeed",
          `The brokerage feed has no bar of ${session} for any of ${total} symbols`,
        );
      return { rows };
    },
  };
}
