// The work of a backfill: fills the runs of a plan, batch by batch, and notes what each batch left missing.
import { earlierDay, laterDay } from "../../market/date.ts";
import type { Clock } from "../../platform/clock.ts";
import { AsofError, isOutage, NotConfigured } from "../../platform/errors.ts";
import type { BackfillReport } from "./backfill-ledger.ts";
import { type PanelBatch, panelBatches } from "./panel-batches.ts";
import type { PanelItems } from "./panel-items.ts";
import type { PanelPlan } from "./panel-plan.ts";
import type { PanelCloses, PanelFill, PanelRun, PanelSymbols } from "./sources.ts";

export interface PanelWorkDeps {
  readonly symbols: PanelSymbols;
  readonly fill: PanelFill;
  readonly closes: PanelCloses;
  readonly items: PanelItems;
  readonly clock: Clock;
}

export interface PanelWorkOptions {
  /** Skip runs that an earlier backfill asked for as they are now. */
  readonly resume: boolean;
  readonly signal: AbortSignal;
}

// An outage of less than two minutes is waited out; a longer one ends the backfill, which can be resumed.
const OUTAGE_TRIES_MAX = 8;
const OUTAGE_WAIT_MS = 15_000;

/** An outage that waiting may end; a missing key is none of these. */
const isPassingOutage = (error: unknown): error is AsofError =>
  isOutage(error) && !(error instanceof NotConfigured);

/** Runs `work` again while the feed has an outage, up to eight times. */
async function retryOutages<T>(work: () => Promise<T>, clock: Clock, signal: AbortSignal): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (!isPassingOutage(error) || tries >= OUTAGE_TRIES_MAX) throw error;
      await clock.sleep(Math.max(OUTAGE_WAIT_MS, (error.facts.retryAfterS ?? 0) * 1000), signal);
    }
  }
}

/** Reports how many symbols are finished as their last run is. */
function symbolProgress(open: readonly PanelRun[]) {
  const runsLeft = new Map(
    [...Map.groupBy(open, ({ symbol }) => symbol)].map(([symbol, own]) => [symbol, own.length]),
  );
  return {
    has: (symbol: string) => runsLeft.has(symbol),
    /** Number of symbols that the runs were the last of. */
    finish(runs: readonly PanelRun[]): number {
      let finished = 0;
      for (const { symbol } of runs) {
        const left = (runsLeft.get(symbol) ?? 1) - 1;
        runsLeft.set(symbol, left);
        if (left === 0) finished++;
      }
      return finished;
    },
  };
}

export function panelWork({ symbols, fill, closes, items, clock }: PanelWorkDeps) {
  /** Fills one batch; resolves to the number of stored rows. */
  const fillBatch = async (
    batch: PanelBatch,
    plan: PanelPlan,
    report: BackfillReport,
    signal: AbortSignal,
  ) => {
    const bySymbol = new Map(batch.runs.map((run) => [run.symbol, run]));
    const within = (symbol: string) => {
      const run = bySymbol.get(symbol);
      return {
        start: laterDay(run?.first_date ?? plan.start, plan.start),
        end: earlierDay(run?.last_date ?? plan.end, plan.end),
      };
    };
    const { start, end, asof, isFormer } = batch;
    const request = { symbols: [...bySymbol.keys()], start, end, asof, isFormer, within, signal };
    const outcome = await retryOutages(() => fill(request), clock, signal);
    const errors = new Map<string, string>();
    let rows = 0;
    for (const [symbol, stored] of outcome) {
      if (stored instanceof AsofError) {
        errors.set(symbol, stored.message);
        report.failed(symbol, stored.message);
      } else rows += stored;
    }
    const left = await symbols.runs(plan.start, plan.end, [...bySymbol.keys()]);
    items.note(
      left.filter((run) => bySymbol.get(run.symbol)?.first_date === run.first_date),
      errors,
    );
    return rows;
  };

  return async function workThroughPanel(
    plan: PanelPlan,
    report: BackfillReport,
    { resume, signal }: PanelWorkOptions,
  ): Promise<void> {
    for (const [symbol, why] of plan.refused) report.failed(symbol, why);
    if (plan.refused.size > 0) report.done(plan.refused.size, 0);
    const asked = resume ? items.asked(plan.runs) : new Map<PanelRun, string>();
    const open = plan.runs.filter((run) => !asked.has(run));
    const progress = symbolProgress(open);
    for (const [run, error] of asked) if (error !== "") report.failed(run.symbol, error);
    const skipped = new Set(
      [...asked.keys()].map(({ symbol }) => symbol).filter((symbol) => !progress.has(symbol)),
    );
    if (skipped.size > 0) report.done(skipped.size, 0);
    for await (const batch of panelBatches(open, closes, signal)) {
      signal.throwIfAborted();
      const rows = await fillBatch(batch, plan, report, signal);
      report.done(progress.finish(batch.runs), rows);
    }
  };
}
