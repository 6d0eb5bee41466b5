// Ingests on demand: resolves the requested providers, tickers and days, and runs under the locks of the
// jobs.
import { endOfDay, newYorkDate, startOfDay } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import type { Services } from "../../market/services.ts";
import { parseTickers } from "../../market/ticker.ts";
import { resolveTimeSpan } from "../../market/time-span.ts";
import { Busy, InvalidRequest, UpstreamTimeout } from "../../platform/errors.ts";
import type { FollowedTickers } from "./followed-tickers.ts";
import type { NewsIngest } from "./ingest.ts";
import { BACKFILL_JOB, POLL_JOB, storedCount } from "./jobs.ts";
import type { IngestOptions, TimeRange } from "./read-source.ts";
import type { ProviderName } from "./sources.ts";
import type { ProviderResult } from "./tally.ts";

export interface IngestRequest {
  readonly providers?: readonly ProviderName[] | undefined;
  readonly tickers?: readonly string[] | undefined;
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
}

export interface IngestOutcome {
  readonly status: "started" | "succeeded" | "partial" | "failed";
  /** The run in the job ledger. */
  readonly run_id: number;
  readonly results: readonly ProviderResult[];
}

const BACKFILL_DAYS = 7;
/** Most days of one request: a year of news of all tickers is about 5,000 pages. */
const RANGE_DAYS_MAX = 366;
/** Longer spans of news of all tickers continue in the background after the answer. */
// Three days are answered when they are read; four days are answered with 202 at once.
const SYNC_DAYS_MAX = 3;

const statusOf = (results: readonly ProviderResult[]): IngestOutcome["status"] => {
  const failed = results.filter(({ error }) => error !== null).length;
  if (failed === 0) return "succeeded";
  return failed === results.length ? "failed" : "partial";
};

export interface IngestRequestDeps extends Pick<Services, "clock" | "runNow"> {
  readonly ingest: NewsIngest;
  readonly followed: FollowedTickers;
}

export function ingestRequests({ ingest, followed, clock, runNow }: IngestRequestDeps) {
  /** The New York days of a request, both inclusive, up to now; null when it has no dates. */
  const rangeOf = ({ start_date, end_date }: IngestRequest): { range: TimeRange; days: number } | null => {
    if (start_date === undefined && end_date === undefined) return null;
    if (start_date === undefined || end_date === undefined)
      throw new InvalidRequest("invalid_date_range", "Give start_date and end_date together.");
    const now = clock.now();
    const resolved = resolveTimeSpan({ start_date, end_date }, { today: newYorkDate(now) });
    if (!resolved.ok) throw new InvalidRequest(resolved.code, resolved.detail);
    const { start, end } = resolved.span;
    const first = start ?? end;
    if (addDays(first, RANGE_DAYS_MAX) <= end)
      throw new InvalidRequest("invalid_date_range", `A request may span at most ${RANGE_DAYS_MAX} days.`);
    const last = endOfDay(end);
    const range = { start: startOfDay(first), end: Temporal.Instant.compare(last, now) < 0 ? last : now };
    return { range, days: range.start.until(range.end, { largestUnit: "hours" }).hours / 24 };
  };

  const run = async (job: string, options: IngestOptions, isLong: boolean): Promise<IngestOutcome> => {
    let results: ProviderResult[] = [];
    const started = runNow(job, async ({ signal }) => {
      results = await ingest.ingest(options, signal);
      return storedCount(results);
    });
    if (!started.started)
      throw new Busy("already_running", `The job ${job} is already running (run ${started.runId}).`, {
        hint: "GET /api/v1/scheduler/runs shows the run.",
      });
    if (isLong) return { status: "started", run_id: started.runId, results: [] };
    const ended = await started.done;
    // The run ended before any provider finished: storage failed, or the process is stopping.
    if (results.length === 0)
      throw new UpstreamTimeout(
        "service",
        `The ingest ended before any provider finished: ${ended?.error ?? "its end was not recorded"}.`,
        { hint: "What was collected so far is stored; GET /api/v1/scheduler/runs shows the run." },
      );
    return { status: statusOf(results), run_id: started.runId, results };
  };

  const symbolsOf = ({ tickers }: IngestRequest): string[] | null => {
    if (tickers === undefined) return null;
    const symbols = parseTickers(tickers).tickers.map(({ symbol }) => symbol);
    followed.follow(symbols, ingest.feeds());
    return symbols;
  };

  const isLongFor = (providers: readonly ProviderName[], symbols: readonly string[] | null, days: number) =>
    symbols === null && days > SYNC_DAYS_MAX && ingest.hasHistory(providers);

  return {
    /** Reads the newest articles now. Throws Busy `already_running`, InvalidRequest. */
    async ingest(request: IngestRequest): Promise<IngestOutcome> {
      const chosen = rangeOf(request);
      const symbols = symbolsOf(request);
      const providers = request.providers ?? ingest.enabled();
      const isLong = isLongFor(providers, symbols, chosen?.days ?? 0);
      return run(POLL_JOB, { providers, symbols, range: chosen?.range ?? null, history: false }, isLong);
    },

    /** Reads the history of the providers that have one. Throws as `ingest`. */
    async backfill(request: IngestRequest): Promise<IngestOutcome> {
      const now = clock.now();
      const preset = { start: now.subtract({ hours: 24 * BACKFILL_DAYS }), end: now };
      const chosen = rangeOf(request) ?? { range: preset, days: BACKFILL_DAYS };
      const symbols = symbolsOf(request);
      const providers = request.providers ?? ingest.enabled();
      const isLong = isLongFor(providers, symbols, chosen.days);
      return run(BACKFILL_JOB, { providers, symbols, range: chosen.range, history: true }, isLong);
    },
  };
}

export type IngestRequests = ReturnType<typeof ingestRequests>;
