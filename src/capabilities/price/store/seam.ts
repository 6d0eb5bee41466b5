// Recognises prices on another split basis than the stored ones, though no listed split explains it: a
// provider may rescale a history before it lists the split, or list a split that its prices do not have. Bars
// of both bases in one series would show a jump that no trade made.
import { FINAL_BASIS } from "../../../datasets/bars-daily.ts";
import type { ProviderBar } from "../../../market/bar.ts";
import { type CorporateAction, isSameSplit } from "../../../market/bar-history.ts";
import { priceDigits, wholeShares } from "../../../market/float.ts";
import type { Lake } from "../../../platform/lake/lake.ts";
import type { Fetched, LateAction, Seam } from "../fetched.ts";
import { type ComparedBar, findLate, type KnownAction, mayLack, mergeKnown } from "./late-actions.ts";
import { factorTo, type Split, splitsOf } from "./stored-closes.ts";

export interface StoredBar extends Record<string, unknown>, ComparedBar {
  readonly symbol: string;
  readonly volume: number | null;
}

/** Fewer days at one ratio may be chance: a fetch of all stored days decides. */
const DAYS_MIN = 5;
/** Prices are rounded, and rounded again by a rescaling. */
const SAME_RATIO = 5e-4;
/** Providers correct volumes more often than prices. */
const SAME_VOLUME_RATIO = 0.02;
const SMALL_MAX = 10;
const LARGE_MAX = 1_000;

const isNear = (a: number, b: number, ratio: number) => Math.abs(a / b - 1) <= ratio;

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 1;

/** The ratio as "4:1" or "1:10", small integers both; null for 1 and for any other ratio. */
function splitText(ratio: number): string | null {
  if (isNear(ratio, 1, SAME_RATIO)) return null;
  const [large, isReverse] = ratio > 1 ? [ratio, false] : [1 / ratio, true];
  for (let small = 1; small <= SMALL_MAX; small++) {
    const whole = Math.round(large * small);
    if (whole > LARGE_MAX || !isNear(whole / small, large, SAME_RATIO)) continue;
    return isReverse ? `${small}:${whole}` : `${whole}:${small}`;
  }
  return null;
}

/** A seam of which it is not read yet from which day on there are bars. */
type OpenSeam = Omit<Seam, "wholeFrom">;
type Pair = readonly [StoredBar, ProviderBar];

/**
 * The quotient of each day's stored and fetched close, on the basis `end` by the given splits; null where it
 * is unknown.
 */
function quotients(pairs: readonly Pair[], splits: readonly Split[], end: string): number[] | null {
  const byDay = new Map(splits.map((split) => [split.ex_date, split]));
  const found: number[] = [];
  for (const [stored, bar] of pairs) {
    const factor = factorTo(end, stored, byDay.values());
    if (factor === null) return null;
    found.push((stored.close * factor) / bar.close);
  }
  return found;
}

const settledOf = ({ settled, compared = [] }: Fetched) => [...compared, ...settled];

function pairsOf(fetched: Fetched, stored: readonly StoredBar[]): Pair[] {
  const bars = new Map(settledOf(fetched).map((bar) => [bar.date, bar]));
  return stored.flatMap((row) => {
    const bar = bars.get(row.date);
    return bar === undefined ? [] : [[row, bar] as const];
  });
}

/**
 * The seam between a fetch and the stored bars of its days: common days, all at one ratio of small integers
 * that neither the stored splits nor those of the fetch explain; at least five of them once all stored days
 * are compared. Where a split was rescaled late only days before it are off. Null without one.
 * @param today the day up to which stored splits are applied when the series is read
 */
export function findSeam(
  fetched: Fetched,
  stored: readonly StoredBar[],
  storedSplits: readonly Split[],
  today: string,
): OpenSeam | null {
  const all = pairsOf(fetched, stored).sort(([a], [b]) => (a.date < b.date ? -1 : 1));
  const known = mergeKnown(
    storedSplits.map((split) => ({ ...split, kind: "split" })),
    splitsOf(fetched.actions).map((split) => ({ ...split, kind: "split" as const })),
  );
  const unexplained = quotients(all, [...known.values()], fetched.answer.basis_date);
  if (unexplained === null) return null;
  const count = unexplained.findLastIndex((quotient) => !isNear(quotient, 1, SAME_RATIO)) + 1;
  if (count < (fetched.isWhole ? DAYS_MIN : 1)) return null;
  const [pairs, off] = [all.slice(0, count), unexplained.slice(0, count)];
  const middle = median(off);
  const text = splitText(middle);
  if (text === null || !off.every((quotient) => isNear(quotient, middle, 2 * SAME_RATIO))) return null;
  const ratio = median(quotients(pairs, storedSplits, today) ?? off);
  // Of the prices as stored, before any split is applied to them.
  const asStored = median(pairs.map(([row, bar]) => row.close / bar.close));
  const volumes = median(
    pairs.flatMap(([row, bar]) => (row.volume && bar.volume ? [bar.volume / row.volume] : [])),
  );
  const follows = (scale: number) => isNear(volumes, scale, SAME_VOLUME_RATIO);
  const volumeRatio = follows(asStored) ? ratio : follows(1) ? ratio / asStored : null;
  return { ratio, volumeRatio, text, before: all[count]?.[0].date ?? null };
}

/** A bar of the fetch on the basis of the stored series. */
function onStoredBasis(bar: ProviderBar, { ratio, volumeRatio, before }: Seam): ProviderBar {
  if (before !== null && bar.date >= before) return { ...bar, settled: false };
  const times = (value: number | null) => (value === null ? null : priceDigits(value * ratio));
  return {
    ...bar,
    open: times(bar.open),
    high: times(bar.high),
    low: times(bar.low),
    close: priceDigits(bar.close * ratio),
    adj_close: times(bar.adj_close),
    volume: bar.volume === null || volumeRatio === null ? null : wholeShares(bar.volume / volumeRatio),
    settled: false,
  };
}

/** The stored bars and actions of a batch's symbols. */
interface StoredParts {
  readonly bars: readonly StoredBar[];
  readonly actions: readonly KnownAction[];
}

/** The seam of a fetch while an action that it lists may be missing from stored bars it does not show. */
function openSeam(fetched: Fetched, { bars, actions }: StoredParts): OpenSeam | null {
  const known = new Set(actions.map(({ kind, ex_date }) => `${kind} ${ex_date}`));
  const shown = new Set(settledOf(fetched).map(({ date }) => date));
  const open = fetched.actions.find(
    ({ kind, ex_date }) =>
      !known.has(`${kind} ${ex_date}`) && bars.some((row) => mayLack(row, ex_date) && !shown.has(row.date)),
  );
  if (open === undefined || fetched.isWhole) return null;
  const text = `a ${open.kind} of ${open.ex_date}`;
  return { ratio: 1, volumeRatio: 1, text, before: null };
}

/** Where a fetch stands: its seam, or the actions that stored bars are without. */
function judge(
  fetched: Fetched,
  stored: StoredParts,
  today: string,
): { readonly seam: OpenSeam | null; readonly late: readonly LateAction[] } {
  const { bars, actions } = stored;
  const found = findLate({
    pairs: pairsOf(fetched, bars),
    stored: actions,
    listed: fetched.actions,
    basis: fetched.answer.basis_date,
  });
  const late = found !== null && fetched.isWhole ? found : [];
  const applied = late.flatMap(({ kind, ex_date, missing_through }) => {
    const listed = fetched.actions.find((action) => action.kind === kind && action.ex_date === ex_date);
    return listed ? [{ kind, ex_date, price_factor: listed.price_factor, missing_through }] : [];
  });
  const off = findSeam(fetched, bars, splitsOf([...actions, ...applied]), today);
  if (off !== null) return { seam: off, late };
  const [first] = found ?? [];
  if (found !== null && (first === undefined || fetched.isWhole))
    return { seam: openSeam(fetched, stored), late };
  const text = first ? `a ${first.kind} of ${first.ex_date}` : "different ratios";
  return { seam: { ratio: 1, volumeRatio: 1, text, before: null }, late };
}

const BY_SYMBOL = `symbol = ANY($symbols) AND basis_date < DATE '${FINAL_BASIS}'`;

/**
 * Reads what is stored of a batch: bars of the fetched days, and bars that may be without an action it lists
 * first.
 */
async function readStored(lake: Lake, batch: readonly Fetched[]): Promise<(symbol: string) => StoredParts> {
  const days = batch.flatMap((fetched) => settledOf(fetched).map(({ date }) => date)).sort();
  const symbols = batch.map(({ symbol }) => symbol);
  const actions = await lake.query<KnownAction & { symbol: string }>(
    "SELECT symbol, kind, ex_date, price_factor, missing_through FROM actions(NULL) WHERE symbol = ANY($symbols)",
    { symbols },
  );
  const known = new Set(actions.map(({ symbol, kind, ex_date }) => `${symbol} ${kind} ${ex_date}`));
  const added = batch.flatMap(({ symbol, actions: listed }) =>
    listed.flatMap(({ kind, ex_date }) => (known.has(`${symbol} ${kind} ${ex_date}`) ? [] : [ex_date])),
  );
  const exDates = added.sort();
  const bars = await lake.query<StoredBar>(
    `SELECT symbol, date, close, adj_close, volume, basis_date FROM bars_daily
     WHERE ${BY_SYMBOL} AND (date BETWEEN CAST($start AS DATE) AND CAST($end AS DATE)
       OR (basis_date >= CAST($first AS DATE) AND date < CAST($last AS DATE)))`,
    {
      symbols,
      start: days[0] ?? null,
      end: days.at(-1) ?? null,
      first: exDates[0] ?? null,
      last: exDates.at(-1) ?? null,
    },
  );
  const [barsOf, actionsOf] = [Map.groupBy(bars, (r) => r.symbol), Map.groupBy(actions, (r) => r.symbol)];
  return (symbol) => ({ bars: barsOf.get(symbol) ?? [], actions: actionsOf.get(symbol) ?? [] });
}

/** The first day with a stored bar, by symbol. */
async function firstDays(lake: Lake, symbols: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (symbols.length === 0) return new Map();
  const rows = await lake.query<{ symbol: string; day: string }>(
    `SELECT symbol, min(date) AS day FROM bars_daily WHERE ${BY_SYMBOL} GROUP BY symbol`,
    { symbols },
  );
  return new Map(rows.map(({ symbol, day }) => [symbol, day]));
}

/**
 * The batch, with every fetch that has a seam turned into one of bars that are served on the stored basis and
 * never stored. Its actions are not stored either: their amounts are on the other basis, and the next fetch
 * reaches back to them. A fetch of all stored days says instead which bars are without an action that was
 * listed late. A split that is stored for a neighbouring day counts once.
 */
export async function markSeams(
  lake: Lake,
  batch: readonly Fetched[],
  today: string,
): Promise<readonly Fetched[]> {
  const storedOf = await readStored(lake, batch);
  const judged = batch.map((each) => {
    const stored = storedOf(each.symbol);
    const isRepeated = (action: CorporateAction) =>
      stored.actions.some((known) => known.ex_date !== action.ex_date && isSameSplit(known, action));
    const fetched = { ...each, actions: each.actions.filter((action) => !isRepeated(action)) };
    return stored.bars.length === 0
      ? { fetched, seam: null, late: [] }
      : { fetched, ...judge(fetched, stored, today) };
  });
  const off = judged.flatMap(({ fetched, seam }) => (seam === null ? [] : [fetched.symbol]));
  const firsts = await firstDays(lake, off);
  return judged.map(({ fetched, seam: open, late }) => {
    if (open === null) return late.length > 0 ? { ...fetched, late } : fetched;
    const { settled, provisional, symbol } = fetched;
    const seam = { ...open, wholeFrom: firsts.get(symbol) ?? "" };
    const bars = [...settled, ...provisional].map((bar) => onStoredBasis(bar, seam));
    return { ...fetched, seam, settled: [], provisional: bars };
  });
}
