// The backfill of the point-in-time panel: one at a time, in the background, taken up again where it was broken off.
import { earlierDay, laterDay } from "../../market/date.ts";
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
import type { Job, Jobs } from "../../platform/jobs.ts";
import { ulid } from "../../platform/ulid.ts";
import { type PanelBatch, panelBatches } from "./panel-batches.ts";
import type { PanelReport, PanelRuns } from "./panel-runs.ts";
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
  demandKeys(): void;
}

/** A backfill that has begun. `done` never rejects; its status says how it ended. */
export interface Begun {
  readonly accepted: BackfillAccepted;
  readonly done: Promise<unknown>;
}

/** Told as symbols are dealt with. */
export type OnSymbols = (count: number) => void;

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
  const { symbols, fill, closes, runs, clock, runNow, historyFrom } = deps;

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

  return {
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
      const total = new Set(plan.runs.map((one) => one.symbol)).size + plan.refused.size;
      // The run itself begins in a later turn.
      runs.begin(job_id, { start_date: plan.start, end_date: plan.end, total });
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

/** Runs on demand only: no slot of its schedule counts. */
export const backfillJob: Job = {
  name: BACKFILL_JOB,
  says: "Fills the panel's daily bars from the brokerage feed; asked for by the admin route or the command line.",
  schedule: "0 0 1 1 *",
  zone: "America/New_York",
  gate: () => false,
  deadlineMs: 24 * 60 * 60_000,
  catchUp: "gap",
  run: async () => undefined,
};
