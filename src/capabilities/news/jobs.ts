// Scheduled work: the poll of all providers every five minutes, and the daily backfill of those with history.
import type { Services } from "../../market/services.ts";
import type { Job } from "../../platform/jobs/job.ts";
import type { NewsIngest } from "./ingest.ts";
import type { ProviderStates } from "./provider-states.ts";
import type { TimeRange } from "./read-source.ts";
import type { NewsSource } from "./sources.ts";
import type { ProviderResult } from "./tally.ts";

/** Ingests on demand run under the same names, so only one runs at a time. */
export const POLL_JOB = "news-poll";
export const BACKFILL_JOB = "news-backfill";

const ZONE = "America/New_York";
const DAY_S = 24 * 3600;
/** How far back the daily backfill reads, for late changes and articles that polls missed. */
const BACK_S = 3 * DAY_S;
/** How far back the first backfill reads. */
const FIRST_BACK_S = 7 * DAY_S;
/** How far back a backfill reads at most, after a long downtime. */
// Run yesterday, it reads three days back; after ten days off eleven days, after sixty days off thirty.
const BACK_S_MAX = 30 * DAY_S;

/** The rows of a run. Throws when every provider failed. */
export function storedCount(results: readonly ProviderResult[]): { rows: number } {
  const [first] = results;
  if (first && results.every(({ error }) => error !== null))
    throw new Error(`${first.provider}: ${first.error}`);
  return { rows: results.reduce((sum, { inserted, updated }) => sum + inserted + updated, 0) };
}

/**
 * The range of a daily backfill: the last three days, or back to the end of the last backfill when that is
 * earlier.
 */
export function backfillRange(until: string | null, now: Temporal.Instant): TimeRange {
  const back = (seconds: number) => now.subtract({ seconds });
  if (until === null) return { start: back(FIRST_BACK_S), end: now };
  const unread = Temporal.Instant.from(until).subtract({ seconds: DAY_S });
  const [start] = [unread, back(BACK_S)].sort(Temporal.Instant.compare);
  const earliest = back(BACK_S_MAX);
  return { start: start && Temporal.Instant.compare(start, earliest) > 0 ? start : earliest, end: now };
}

export interface NewsJobDeps extends Pick<Services, "clock"> {
  readonly ingest: NewsIngest;
  readonly providers: ProviderStates;
  readonly sources: readonly NewsSource[];
}

export function newsJobs({ ingest, providers, sources, clock }: NewsJobDeps): Job[] {
  return [
    {
      name: POLL_JOB,
      description:
        "Reads the newest articles of the news providers, and the feeds of up to 20 tickers: those whose news was requested, the most active, and in turn every listed stock.",
      schedule: "*/5 * * * *",
      zone: ZONE,
      deadlineMs: 4 * 60_000,
      // One poll reads everything the feeds still hold; polls for older slots would find nothing more.
      catchUp: "once",
      fills: ["news_headlines"],
      run: async ({ signal }) =>
        storedCount(
          await ingest.ingest(
            { providers: ingest.enabled(), symbols: null, range: null, history: false, others: true },
            signal,
          ),
        ),
    },
    {
      name: BACKFILL_JOB,
      description:
        "Reads the last days of the news providers that have history again, or everything since the last backfill.",
      schedule: "35 3 * * *",
      zone: ZONE,
      deadlineMs: 4 * 3_600_000,
      catchUp: "once",
      fills: ["news_headlines"],
      run: async ({ signal }) => {
        const results: ProviderResult[] = [];
        for (const { name, kind, enabled } of sources) {
          if (kind !== "archive" || !enabled) continue;
          const range = backfillRange(providers.state(name).backfilled_until, clock.now());
          const [result] = await ingest.ingest(
            { providers: [name], symbols: null, range, history: true },
            signal,
          );
          if (!result) continue;
          results.push(result);
          if (result.error === null) providers.noteBackfill(name, range.end);
        }
        return storedCount(results);
      },
    },
  ];
}
