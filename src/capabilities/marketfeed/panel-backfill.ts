// The backfill of the point-in-time panel: one at a time, in the background, taken up again where it was broken off.
import type { Calendar } from "../../market/calendar.ts";
import { newYorkDate } from "../../market/calendar.ts";
import { addDays, earlierDay, laterDay } from "../../market/date.ts";
import { canonical, isTicker } from "../../market/ticker.ts";
import type { Clock } from "../../platform/clock.ts";
import {
  AsofError,
  Busy,
  InvalidRequest,
  NotFound,
  UpstreamFailed,
  UpstreamRateLimited,
  UpstreamTimeout,
} from "../../platform/errors.ts";
import type { Job } from "../../platform/jobs/job.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { ulid } from "../../platform/lake/ulid.ts";
import type { PanelReport, PanelRuns } from "./backfill-ledger.ts";
import { type PanelBatch, panelBatches } from "./panel-batches.ts";
import type { BackfillAccepted, BackfillRequest, BackfillStatus } from "./schema.ts";
import type { PanelCloses, PanelFill, PanelRun, PanelSymbols } from "./sources.ts";

export const BACKFILL_JOB = "marketfeed-backfill-pit";

export interface PanelBackfillDeps {
  readonly symbols: PanelSymbols;
  readonly fill: PanelFill;
  readonly closes: PanelCloses;
  readonly runs: PanelRuns;
  readonly clock: Clock;
  readonly runNow: Jobs["runNow"];
  /** First day of the feed's history. */
  readonly historyFrom: string;
  readonly calendar: Calendar;
  isConfigured(): boolean;
  demandKeys(): void;
}

/** A backfill that has begun. `done` never rejects; its status says how it ended. */
export interface Begun {
  readonly accepted: BackfillAccepted;
  readonly done: Promise<unknown>;
}

/** Told as symbols are dealt with. */
export type OnSymbols = (count: number) => void;

/** What the scheduled run fills: the 21 sessions and more that scores look back on. */
const RECENT_DAYS = 45;
const OUTAGE_TRIES_MAX = 8;
const OUTAGE_WAIT_MS = 15_000;

const isOutage = (error: unknown): error is AsofError =>
  error instanceof UpstreamFailed ||
  error instanceof UpstreamRateLimited ||
  error instanceof UpstreamTimeout ||
  (error instanceof Busy && error.code === "upstream_busy");

interface Plan {
  readonly start: string;
  readonly end: string;
  readonly runs: readonly PanelRun[];
  /** Symbols there is nothing to ask about, and why. */
  readonly refused: ReadonlyMap<string, string>;
}

export function panelBackfill(deps: PanelBackfillDeps) {
  const { symbols, fill, closes, runs, clock, runNow, historyFrom, calendar } = deps;

  const daysOf = async (ask: BackfillRequest) => {
    const range = await symbols.range();
    if (range === null)
      throw new NotFound("no_data", "No short-volume file is stored, so there is no panel to fill.", {
        hint: "POST /api/v1/shortvolume/admin/ingest takes them in.",
      });
    const wanted = ask.start_date ?? range.first;
    const start = laterDay(wanted, historyFrom);
    const end = earlierDay(ask.end_date ?? range.last, range.last);
    if (ask.start_date !== undefined && ask.end_date !== undefined && ask.end_date < ask.start_date)
      throw new InvalidRequest(
        "invalid_date_range",
        `end_date ${ask.end_date} is earlier than start_date ${ask.start_date}.`,
      );
    if (end < start)
      throw new InvalidRequest(
        "invalid_date_range",
        `There is no panel between ${start} and ${end}: the feed begins on ${historyFrom}, the stored short-volume files run from ${range.first} to ${range.last}.`,
      );
    return { start, end };
  };

  const planOf = async (ask: BackfillRequest): Promise<Plan> => {
    const { start, end } = await daysOf(ask);
    const refused = new Map<string, string>();
    let named: string[] | null = null;
    if (ask.symbols !== undefined && ask.symbols.length > 0) {
      const wanted = new Set<string>();
      for (const text of ask.symbols)
        if (isTicker(text.trim())) wanted.add(canonical(text));
        else refused.set(text, "This is no symbol.");
      const known = await symbols.known([...wanted]);
      for (const symbol of wanted)
        if (!known.has(symbol)) refused.set(symbol, "It stands in no stored short-volume file.");
      named = [...wanted].filter((symbol) => known.has(symbol));
    }
    const found = named?.length === 0 ? [] : await symbols.runs(start, end, named);
    return { start, end, runs: found, refused };
  };

  /** Asks a batch until the feed answers; its outages are waited out, eight times over. */
  const patiently = async <T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> => {
    for (let tries = 1; ; tries++) {
      try {
        return await work();
      } catch (error) {
        signal.throwIfAborted();
        if (!isOutage(error) || tries >= OUTAGE_TRIES_MAX) throw error;
        await clock.sleep(Math.max(OUTAGE_WAIT_MS, (error.facts.retryAfterS ?? 0) * 1000), signal);
      }
    }
  };

  const fillBatch = async (batch: PanelBatch, plan: Plan, report: PanelReport, signal: AbortSignal) => {
    const bySymbol = new Map(batch.runs.map((run) => [run.symbol, run]));
    const outcome = await patiently(
      () =>
        fill({
          symbols: [...bySymbol.keys()],
          ...{ start: batch.start, end: batch.end, asof: batch.asof, isFormer: batch.isFormer, signal },
          within(symbol) {
            const run = bySymbol.get(symbol);
            const [first, last] = [run?.first_date ?? plan.start, run?.last_date ?? plan.end];
            return { start: laterDay(first, plan.start), end: earlierDay(last, plan.end) };
          },
        }),
      signal,
    );
    const errors = new Map<string, string>();
    let rows = 0;
    for (const [symbol, stored] of outcome) {
      if (stored instanceof AsofError) {
        errors.set(symbol, stored.message);
        report.failed(symbol, stored.message);
      } else rows += stored;
    }
    const left = await symbols.runs(plan.start, plan.end, [...bySymbol.keys()]);
    runs.note(
      left.filter((run) => bySymbol.get(run.symbol)?.first_date === run.first_date),
      errors,
    );
    return rows;
  };

  const work = async (
    plan: Plan,
    resume: boolean,
    report: PanelReport,
    signal: AbortSignal,
    onSymbols: OnSymbols,
  ) => {
    const done = (count: number, rows: number) => {
      report.done(count, rows);
      onSymbols(count);
    };
    for (const [symbol, why] of plan.refused) report.failed(symbol, why);
    if (plan.refused.size > 0) done(plan.refused.size, 0);
    const asked = resume ? runs.asked(plan.runs) : new Map<PanelRun, string>();
    const open = plan.runs.filter((run) => !asked.has(run));
    const left = Map.groupBy(open, (run) => run.symbol);
    const pending = new Map([...left].map(([symbol, own]) => [symbol, own.length]));
    for (const [run, error] of asked) if (error !== "") report.failed(run.symbol, error);
    const passed = new Set(
      [...asked.keys()].map((run) => run.symbol).filter((symbol) => !pending.has(symbol)),
    );
    if (passed.size > 0) done(passed.size, 0);
    for await (const batch of panelBatches(open, closes, signal)) {
      signal.throwIfAborted();
      const rows = await fillBatch(batch, plan, report, signal);
      let finished = 0;
      for (const { symbol } of batch.runs) {
        const more = (pending.get(symbol) ?? 1) - 1;
        pending.set(symbol, more);
        if (more === 0) finished++;
      }
      done(finished, rows);
    }
  };

  const begun = (plan: Plan, job_id: string) => {
    const total = new Set(plan.runs.map((one) => one.symbol)).size + plan.refused.size;
    runs.begin(job_id, { start_date: plan.start, end_date: plan.end, total });
    return total;
  };

  return {
    /** The job's own run: the last sessions that are settled, as far as files of short volume are there. */
    async recent({ signal }: { readonly signal: AbortSignal }): Promise<{ rows: number }> {
      const range = deps.isConfigured() ? await symbols.range() : null;
      if (range === null) return { rows: 0 };
      const settled = calendar.previousSession(calendar.latestSession(clock.now()));
      const end_date = earlierDay(range.last, settled);
      const start_date = laterDay(range.first, addDays(end_date, -RECENT_DAYS));
      if (end_date < laterDay(start_date, historyFrom)) return { rows: 0 };
      const plan = await planOf({ start_date, end_date });
      const job_id = ulid(clock.nowMs());
      begun(plan, job_id);
      return { rows: await runs.run(job_id, signal, (report) => work(plan, true, report, signal, () => {})) };
    },

    /** Starts it. Throws NotConfigured, NotFound `no_data`, InvalidRequest, Busy `already_running`. */
    async begin(ask: BackfillRequest, onSymbols: OnSymbols = () => {}): Promise<Begun> {
      deps.demandKeys();
      const plan = await planOf(ask);
      const job_id = ulid(clock.nowMs());
      const run = runNow(BACKFILL_JOB, async ({ signal }) => ({
        rows: await runs.run(job_id, signal, (report) =>
          work(plan, ask.resume ?? true, report, signal, onSymbols),
        ),
      }));
      if (!run.started) {
        const other = runs.running();
        throw new Busy(
          "already_running",
          `A backfill of the panel is running already${other ? ` (job ${other})` : ""}.`,
          {
            hint: `GET /api/v1/marketfeed/admin/backfill-pit/${other ?? "latest"} shows how far it is.`,
          },
        );
      }
      // The run itself begins in a later turn.
      const total = begun(plan, job_id);
      const accepted = { job_id, status: "started" as const, symbols: total };
      return { accepted: { ...accepted, start_date: plan.start, end_date: plan.end }, done: run.done };
    },

    /** Throws NotFound `not_found` for an id no backfill has. */
    progress(job_id: string): BackfillStatus {
      const found = runs.find(job_id);
      if (found) return found;
      throw new NotFound("not_found", `There is no backfill with the id ${job_id}.`);
    },

    latest(): BackfillStatus {
      const found = runs.latest();
      if (found) return found;
      throw new NotFound("not_found", "There has been no backfill of the panel.", {
        hint: "POST /api/v1/marketfeed/admin/backfill-pit begins one.",
      });
    },
  };
}

export type PanelBackfill = ReturnType<typeof panelBackfill>;

/** Fills the last sessions each day by itself; the history behind them is asked for. */
export const backfillJob = (backfill: PanelBackfill, calendar: Calendar): Job => ({
  name: BACKFILL_JOB,
  description:
    "Fills the daily bars of the panel's last sessions from the brokerage feed, where that has keys; the admin route and the command line ask for more days.",
  // An hour after the open, when the bars of the session before are settled and its file of short volume is in.
  schedule: "30 10 * * 1-5",
  zone: "America/New_York",
  gate: (at) => calendar.isSession(newYorkDate(at)),
  deadlineMs: 24 * 60 * 60_000,
  catchUp: "once",
  run: (context) => backfill.recent(context),
});
