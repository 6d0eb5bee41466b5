// Ingests on demand: which providers, whose news and what time is meant, under the jobs' locks.
import { endOfDay, newYorkDate, startOfDay } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import { parseTickers } from "../../market/ticker.ts";
import { resolveTimeSpan } from "../../market/time-span.ts";
import type { Clock } from "../../platform/clock.ts";
import { Busy, InvalidRequest, UpstreamTimeout } from "../../platform/errors.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import type { IngestOptions, NewsIngest, ProviderResult, TimeRange } from "./ingest.ts";
import { BACKFILL_JOB, POLL_JOB, rowsOf } from "./jobs.ts";
import type { NewsLedger } from "./ledger.ts";
import type { ProviderName } from "./sources.ts";

export interface IngestAsk {
  readonly providers?: readonly ProviderName[] | undefined;
  readonly tickers?: readonly string[] | undefined;
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
}

export interface IngestAnswered {
  readonly status: "started" | "succeeded" | "partial" | "failed";
  /** The run in the ledger of jobs. */
  readonly run_id: number;
  readonly results: readonly ProviderResult[];
}

const BACKFILL_DAYS = 7;
/** A year of everybody's news is some 5,000 pages. */
const RANGE_DAYS_MAX = 366;
/** Longer spans of everybody's news go on behind the answer. */
const SYNC_DAYS_MAX = 3;

const statusOf = (results: readonly ProviderResult[]): IngestAnswered["status"] => {
  const failed = results.filter(({ error }) => error !== null).length;
  if (failed === 0) return "succeeded";
  return failed === results.length ? "failed" : "partial";
};

export interface IngestRequestDeps {
  readonly ingest: NewsIngest;
  readonly ledger: NewsLedger;
  readonly clock: Clock;
  runNow: Jobs["runNow"];
}

export function ingestRequests({ ingest, ledger, clock, runNow }: IngestRequestDeps) {
  /** The days of a request in New York, both included, up to now; null where it names none. */
  const rangeOf = ({ start_date, end_date }: IngestAsk): { range: TimeRange; days: number } | null => {
    if (start_date === undefined && end_date === undefined) return null;
    const now = clock.now();
    const resolved = resolveTimeSpan({ start_date, end_date }, { today: newYorkDate(now) });
    if (!resolved.ok) throw new InvalidRequest(resolved.code, resolved.detail);
    const { start, end } = resolved.span;
    const first = start ?? end;
    if (addDays(first, RANGE_DAYS_MAX) <= end)
      throw new InvalidRequest("invalid_date_range", `One request takes at most ${RANGE_DAYS_MAX} days.`);
    const last = endOfDay(end);
    const range = { start: startOfDay(first), end: Temporal.Instant.compare(last, now) < 0 ? last : now };
    return { range, days: range.start.until(range.end, { largestUnit: "hours" }).hours / 24 };
  };

  const run = async (job: string, options: IngestOptions, isLong: boolean): Promise<IngestAnswered> => {
    let results: ProviderResult[] = [];
    const begun = runNow(job, async ({ signal }) => {
      results = await ingest.ingest(options, signal);
      return rowsOf(results);
    });
    if (!begun.started)
      throw new Busy("already_running", `The job ${job} is running already (run ${begun.runId}).`, {
        hint: "GET /api/v1/scheduler/runs shows it.",
      });
    if (isLong) return { status: "started", run_id: begun.runId, results: [] };
    const ended = await begun.done;
    // It ended before any provider was done: the store refused, or the process stops.
    if (results.length === 0)
      throw new UpstreamTimeout(
        "service",
        `The ingest ended before any provider was done: ${ended?.error ?? "its end was not recorded"}.`,
        { hint: "What was collected so far is kept; GET /api/v1/scheduler/runs shows the run." },
      );
    return { status: statusOf(results), run_id: begun.runId, results };
  };

  const symbolsOf = ({ tickers }: IngestAsk): string[] | null => {
    if (tickers === undefined) return null;
    const symbols = parseTickers(tickers).tickers.map(({ symbol }) => symbol);
    ledger.follow(symbols, ingest.feeds());
    return symbols;
  };

  const isLongFor = (providers: readonly ProviderName[], symbols: readonly string[] | null, days: number) =>
    symbols === null && days > SYNC_DAYS_MAX && ingest.hasHistory(providers);

  return {
    /** The newest articles now. Throws Busy `already_running`, InvalidRequest. */
    async ingest(ask: IngestAsk): Promise<IngestAnswered> {
      const chosen = rangeOf(ask);
      const symbols = symbolsOf(ask);
      const providers = ask.providers ?? ingest.enabled();
      const isLong = isLongFor(providers, symbols, chosen?.days ?? 0);
      return run(POLL_JOB, { providers, symbols, range: chosen?.range ?? null, history: false }, isLong);
    },

    /** History, of the providers that have it. Throws as `ingest`. */
    async backfill(ask: IngestAsk): Promise<IngestAnswered> {
      const now = clock.now();
      const preset = { start: now.subtract({ hours: 24 * BACKFILL_DAYS }), end: now };
      const chosen = rangeOf(ask) ?? { range: preset, days: BACKFILL_DAYS };
      const symbols = symbolsOf(ask);
      const providers = ask.providers ?? ingest.enabled();
      const isLong = isLongFor(providers, symbols, chosen.days);
      return run(BACKFILL_JOB, { providers, symbols, range: chosen.range, history: true }, isLong);
    },
  };
}

export type IngestRequests = ReturnType<typeof ingestRequests>;
