// What runs by itself: the poll of all providers every five minutes, and once a day the history of those that have one.
import type { Clock } from "../../platform/clock.ts";
import type { Job } from "../../platform/jobs/job.ts";
import type { NewsIngest, ProviderResult, TimeRange } from "./ingest.ts";
import type { NewsLedger } from "./ledger.ts";
import type { NewsSource } from "./sources.ts";

/** Also the names under which ingests on demand run, so that there is one at a time. */
export const POLL_JOB = "news-poll";
export const BACKFILL_JOB = "news-backfill";

const ZONE = "America/New_York";
const DAY_S = 24 * 3600;
/** Read again each day: what polls missed, and late changes. */
const BACK_S = 3 * DAY_S;
/** The first time. */
const FIRST_BACK_S = 7 * DAY_S;
/** After a long stop. */
const BACK_S_MAX = 30 * DAY_S;

/** A run in which every provider failed has failed itself. */
export function rowsOf(results: readonly ProviderResult[]): { rows: number } {
  const [first] = results;
  if (first && results.every(({ error }) => error !== null))
    throw new Error(`${first.provider}: ${first.error}`);
  return { rows: results.reduce((sum, { inserted, updated }) => sum + inserted + updated, 0) };
}

/** What a provider's daily backfill reads: three days, or back to where the last one ended. */
export function backfillRange(until: string | null, now: Temporal.Instant): TimeRange {
  const back = (seconds: number) => now.subtract({ seconds });
  if (until === null) return { start: back(FIRST_BACK_S), end: now };
  const owed = Temporal.Instant.from(until).subtract({ seconds: DAY_S });
  const [start] = [owed, back(BACK_S)].sort(Temporal.Instant.compare);
  const earliest = back(BACK_S_MAX);
  return { start: start && Temporal.Instant.compare(start, earliest) > 0 ? start : earliest, end: now };
}

export function newsJobs(needs: {
  readonly ingest: NewsIngest;
  readonly ledger: NewsLedger;
  readonly sources: readonly NewsSource[];
  readonly clock: Clock;
}): Job[] {
  const { ingest, ledger, sources, clock } = needs;
  return [
    {
      name: POLL_JOB,
      description:
        "Reads the newest articles of the news providers, and the feeds of up to 20 tickers whose news was asked for.",
      schedule: "*/5 * * * *",
      zone: ZONE,
      deadlineMs: 4 * 60_000,
      // One poll reads what the feeds still hold; older slots hold nothing more.
      catchUp: "once",
      run: async ({ signal }) =>
        rowsOf(
          await ingest.ingest(
            { providers: ingest.enabled(), symbols: null, range: null, history: false },
            signal,
          ),
        ),
    },
    {
      name: BACKFILL_JOB,
      description:
        "Reads the last days of the news providers that have history again, or all since the last time.",
      schedule: "35 3 * * *",
      zone: ZONE,
      deadlineMs: 4 * 3_600_000,
      catchUp: "once",
      run: async ({ signal }) => {
        const results: ProviderResult[] = [];
        for (const { name, kind, enabled } of sources) {
          if (kind !== "archive" || !enabled) continue;
          const range = backfillRange(ledger.state(name).backfilled_until, clock.now());
          const [result] = await ingest.ingest(
            { providers: [name], symbols: null, range, history: true },
            signal,
          );
          if (!result) continue;
          results.push(result);
          if (result.error === null) ledger.backfilled(name, range.end);
        }
        return rowsOf(results);
      },
    },
  ];
}
