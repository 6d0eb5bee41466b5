// How runs of days are put together into questions of the feed: by the day whose bearer is meant, then by what is missing.
import { UPSTREAM_BATCH_SYMBOLS } from "../../limits.ts";
import { inBatches } from "../../market/bulk.ts";
import { addDays } from "../../market/date.ts";
import type { PanelCloses, PanelRun } from "./sources.ts";

/** Runs asked for in one go. */
export interface PanelBatch {
  readonly runs: readonly PanelRun[];
  /** Both inclusive: from the first missing day of any to the last. */
  readonly start: string;
  readonly end: string;
  readonly asof: string | undefined;
  readonly isFormer: boolean;
}

interface Placed {
  readonly run: PanelRun;
  readonly asof: string | undefined;
  readonly isFormer: boolean;
}

/** Days of a run whose closes tell whether two bearers are one. */
const COMPARED_DAYS = 21;
/** Closes of one company differ by rounding only. */
const SAME_RATIO = 0.01;

/**
 * Whether the company of an earlier run is that of the symbol's newest one, as after a long halt: then both days name
 * the same bars. Where the feed cannot tell, they count as two, and neither touches the other's bars.
 */
async function isSameHolder(run: PanelRun, closes: PanelCloses, signal: AbortSignal): Promise<boolean> {
  const start = addDays(run.last_date, -COMPARED_DAYS);
  const then = await closes(run.symbol, start, run.last_date, run.last_date, signal);
  const now = await closes(run.symbol, start, run.last_date, run.newest_date, signal);
  const common = [...then].flatMap(([date, close]) => {
    const other = now.get(date);
    return other === undefined ? [] : [Math.abs(close / other - 1) <= SAME_RATIO];
  });
  return common.length > 0 && common.every(Boolean);
}

/** Whom a run's symbol stood for. A symbol that trades stands for its present bearer, whose day is today. */
async function placed(run: PanelRun, closes: PanelCloses, signal: AbortSignal): Promise<Placed> {
  if (run.is_current) return { run, asof: undefined, isFormer: false };
  if (run.newest_date <= run.last_date) return { run, asof: run.last_date, isFormer: false };
  const isSame = await isSameHolder(run, closes, signal);
  return { run, asof: isSame ? run.newest_date : run.last_date, isFormer: !isSame };
}

/** Batches in turn; whether an earlier run is another company's is asked as its turn comes. */
export async function* panelBatches(
  runs: readonly PanelRun[],
  closes: PanelCloses,
  signal: AbortSignal,
): AsyncIterable<PanelBatch> {
  const groups = new Map<string, Placed[]>();
  const turns = new Map<string, number>();
  for (const run of runs) {
    const one = await placed(run, closes, signal);
    // Two runs of one symbol are never in one batch.
    const turn = turns.get(run.symbol) ?? 0;
    turns.set(run.symbol, turn + 1);
    const key = `${one.asof} ${one.isFormer} ${turn}`;
    const known = groups.get(key);
    if (known) known.push(one);
    else groups.set(key, [one]);
  }
  for (const group of groups.values()) {
    // Of alike gaps together, so that little is asked for that is stored.
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
