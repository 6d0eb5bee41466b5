// Batches of runs for requests to the feed: by the day whose holder of the symbol is meant, then by the missing days.
import { UPSTREAM_BATCH_SYMBOLS } from "../../limits.ts";
import { inBatches } from "../../market/bulk.ts";
import { addDays } from "../../market/date.ts";
import type { PanelCloses, PanelRun } from "./sources.ts";

/** Runs fetched in one request. */
export interface PanelBatch {
  readonly runs: readonly PanelRun[];
  /** Both inclusive: from the first missing day of any run to the last. */
  readonly start: string;
  readonly end: string;
  readonly asof: string | undefined;
  readonly isFormer: boolean;
}

/** A run with the holder its symbol stood for. */
interface HeldRun {
  readonly run: PanelRun;
  readonly asof: string | undefined;
  readonly isFormer: boolean;
}

/** Days of a run whose closes show whether two holders are the same company. */
const COMPARED_DAYS = 21;
/** Closes of the same company differ by rounding only. */
const SAME_RATIO = 0.01;

/**
 * Whether the company of an earlier run also holds the symbol in its newest run, as after a long halt: then both days
 * give the same bars. When the feed has no bars to compare they count as two companies, with bars of their own.
 */
async function isSameHolder(run: PanelRun, closes: PanelCloses, signal: AbortSignal): Promise<boolean> {
  const start = addDays(run.last_date, -COMPARED_DAYS);
  const earlier = await closes(run.symbol, start, run.last_date, run.last_date, signal);
  const newest = await closes(run.symbol, start, run.last_date, run.newest_date, signal);
  const common = [...earlier].flatMap(([date, close]) => {
    const other = newest.get(date);
    return other === undefined ? [] : [Math.abs(close / other - 1) <= SAME_RATIO];
  });
  return common.length > 0 && common.every(Boolean);
}

/** Finds the holder of a run's symbol. A symbol that trades stands for its present holder, as of today. */
async function withHolder(run: PanelRun, closes: PanelCloses, signal: AbortSignal): Promise<HeldRun> {
  if (run.is_current) return { run, asof: undefined, isFormer: false };
  if (run.newest_date <= run.last_date) return { run, asof: run.last_date, isFormer: false };
  const isSame = await isSameHolder(run, closes, signal);
  return { run, asof: isSame ? run.newest_date : run.last_date, isFormer: !isSame };
}

/** The batches in order. Whether an earlier run is another company's is found out as its turn comes. */
export async function* panelBatches(
  runs: readonly PanelRun[],
  closes: PanelCloses,
  signal: AbortSignal,
): AsyncIterable<PanelBatch> {
  const groups = new Map<string, HeldRun[]>();
  const turns = new Map<string, number>();
  for (const run of runs) {
    const one = await withHolder(run, closes, signal);
    // Two runs of one symbol are never in one batch.
    const turn = turns.get(run.symbol) ?? 0;
    turns.set(run.symbol, turn + 1);
    const key = `${one.asof} ${one.isFormer} ${turn}`;
    const known = groups.get(key);
    if (known) known.push(one);
    else groups.set(key, [one]);
  }
  for (const group of groups.values()) {
    // Similar gaps together, so that few stored days are fetched again.
    const sorted = group.toSorted((a, b) => (a.run.missing_first < b.run.missing_first ? -1 : 1));
    for (const batch of inBatches(sorted, UPSTREAM_BATCH_SYMBOLS)) {
      const own = batch.map(({ run }) => run);
      const [first] = batch;
      yield {
        runs: own,
        start: own.map((run) => run.missing_first).sort()[0] ?? "",
        end:
          own
            .map((run) => run.missing_last)
            .sort()
            .at(-1) ?? "",
        asof: first?.asof,
        isFormer: first?.isFormer ?? false,
      };
    }
  }
}
