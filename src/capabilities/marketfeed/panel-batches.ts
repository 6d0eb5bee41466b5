// Batches of runs for requests to the feed: by the day whose holder of the symbol is meant, then by the
// missing days.
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

/** Days of a run whose closes show whether two holders are the same company. */
const COMPARED_DAYS = 21;
/** Closes of the same company differ by rounding only. */
// Made up: closes of 10.00 and 10.10 on a day may be one company's, 10.00 and 10.20 are of two.
const SAME_RATIO = 0.01;
/** Runs whose holders are found before the first of them is filled, so that progress shows early. */
const CHUNK_RUNS = 1_000;
/** Runs that are asked for together end within so many days, so that `asof` lies near the end of each. */
// Runs that end on 1 March 2024 and 1 March 2025 share a request; one that ends in June 2025 does not.
const TOGETHER_DAYS = 366;

/**
 * Runs of different symbols that share a day, `asof`: any day of a run stands for the same holder of its
 * symbol.
 */
interface Together {
  readonly runs: readonly PanelRun[];
  readonly asof: string;
}

/** Puts runs together that share a day, a hundred at most and never two of one symbol. */
function* sharingDay(runs: readonly PanelRun[]): Iterable<Together> {
  let left = runs.toSorted((a, b) => (a.last_date < b.last_date ? -1 : 1));
  for (let [earliest] = left; earliest !== undefined; [earliest] = left) {
    const asof = earliest.last_date;
    const until = addDays(asof, TOGETHER_DAYS);
    const own = new Map<string, PanelRun>();
    for (const run of left)
      if (own.size < UPSTREAM_BATCH_SYMBOLS && run.first_date <= asof && run.last_date <= until)
        if (!own.has(run.symbol)) own.set(run.symbol, run);
    yield { runs: [...own.values()], asof };
    left = left.filter((run) => own.get(run.symbol) !== run);
  }
}

/**
 * The runs whose company also holds its symbol in the newest run, as after a long halt: then both days give
 * the same bars. When the feed has no bars to compare they count as two companies, with bars of their own.
 * The closes of runs that are compared together are asked for at one moment, so that they share requests.
 */
async function sameHolders(
  { runs, asof }: Together,
  closes: PanelCloses,
  signal: AbortSignal,
): Promise<ReadonlySet<PanelRun>> {
  const ends = runs.map(({ last_date }) => last_date).sort();
  const start = addDays(ends[0] ?? asof, -COMPARED_DAYS);
  const end = ends.at(-1) ?? asof;
  const isSame = async (run: PanelRun) => {
    const [earlier, newest] = await Promise.all([
      closes(run.symbol, start, end, asof, signal),
      closes(run.symbol, start, end, run.newest_date, signal),
    ]);
    const from = addDays(run.last_date, -COMPARED_DAYS);
    const common = [...earlier].flatMap(([date, close]) => {
      const other = date < from || date > run.last_date ? undefined : newest.get(date);
      return other === undefined ? [] : [Math.abs(close / other - 1) <= SAME_RATIO];
    });
    return common.length > 0 && common.every(Boolean);
  };
  const same = await Promise.all(runs.map(isSame));
  return new Set(runs.filter((_, i) => same[i]));
}

/** A batch without its days. */
type Group = Omit<PanelBatch, "start" | "end">;

/**
 * Runs of which the symbol's present holder is meant, or its newest one: a hundred together, never two of one
 * symbol.
 */
function* ofNewest(
  runs: readonly PanelRun[],
  asofOf: (run: PanelRun) => string | undefined,
): Iterable<Group> {
  const turns = new Map<string, number>();
  const groups = Map.groupBy(runs, (run) => {
    const turn = turns.get(run.symbol) ?? 0;
    turns.set(run.symbol, turn + 1);
    return `${asofOf(run)} ${turn}`;
  });
  for (const group of groups.values()) {
    // Similar gaps together, so that few stored days are fetched again.
    const sorted = group.toSorted((a, b) => (a.missing_first < b.missing_first ? -1 : 1));
    for (const own of inBatches(sorted, UPSTREAM_BATCH_SYMBOLS)) {
      const [first] = own;
      yield { runs: own, asof: first && asofOf(first), isFormer: false };
    }
  }
}

/** The groups of some runs. A symbol that trades stands for its present holder, as of today. */
async function* groupsOf(
  runs: readonly PanelRun[],
  closes: PanelCloses,
  signal: AbortSignal,
): AsyncIterable<Group> {
  const compared: PanelRun[] = [];
  const gone: PanelRun[] = [];
  const current: PanelRun[] = [];
  for (const run of runs)
    (run.is_current ? current : run.newest_date > run.last_date ? compared : gone).push(run);
  const same: PanelRun[] = [];
  const former: PanelRun[] = [];
  for (const together of sharingDay(compared)) {
    signal.throwIfAborted();
    const found = await sameHolders(together, closes, signal);
    for (const run of together.runs) (found.has(run) ? same : former).push(run);
  }
  for (const { runs: own, asof } of sharingDay(former)) yield { runs: own, asof, isFormer: true };
  yield* ofNewest(same, ({ newest_date }) => newest_date);
  for (const { runs: own, asof } of sharingDay(gone)) yield { runs: own, asof, isFormer: false };
  yield* ofNewest(current, () => undefined);
}

/**
 * The batches. Which company an earlier run belongs to is found out a thousand runs at a time, before these
 * are filled.
 */
export async function* panelBatches(
  runs: readonly PanelRun[],
  closes: PanelCloses,
  signal: AbortSignal,
): AsyncIterable<PanelBatch> {
  for (const chunk of inBatches(runs, CHUNK_RUNS))
    for await (const group of groupsOf(chunk, closes, signal)) {
      const firsts = group.runs.map((run) => run.missing_first).sort();
      const lasts = group.runs.map((run) => run.missing_last).sort();
      yield { ...group, start: firsts[0] ?? "", end: lasts.at(-1) ?? "" };
    }
}
