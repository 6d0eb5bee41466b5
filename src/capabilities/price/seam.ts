// Recognises prices on another split basis than the stored ones, though no listed split explains it: a provider may rescale a
// history before it lists the split, or list a split that its prices do not have. Bars of both bases in one series would show
// a jump that no trade made.
import { FINAL_BASIS } from "../../datasets/bars-daily.ts";
import type { ProviderBar } from "../../market/bar.ts";
import { priceDigits } from "../../market/float.ts";
import type { Lake } from "../../platform/lake/lake.ts";
import type { Fetched, Seam } from "./fetch-daily.ts";
import { type Split, splitFactor, splitsOf } from "./stored-closes.ts";

export interface StoredBar extends Record<string, unknown> {
  readonly symbol: string;
  readonly date: string;
  readonly close: number;
  readonly volume: number | null;
  readonly basis_date: string;
}

/** Fewer days at one ratio may be chance. */
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

/** The quotient of each day's stored and fetched close, on the fetch's basis by the given splits; null where it is unknown. */
function quotients(
  pairs: readonly (readonly [StoredBar, ProviderBar])[],
  splits: readonly Split[],
  basis: string,
): number[] | null {
  const byDay = new Map(splits.map((split) => [split.ex_date, split]));
  const found: number[] = [];
  for (const [stored, bar] of pairs) {
    const factor = splitFactor(byDay, stored.basis_date, basis);
    if (factor === null) return null;
    found.push((stored.close * factor) / bar.close);
  }
  return found;
}

const settledOf = ({ settled, compared = [] }: Fetched) => [...compared, ...settled];

/**
 * The seam between a fetch and the stored bars of its days: at least five common days, all at one ratio of small integers that
 * neither the stored splits nor those of the fetch explain. Null without one.
 * @param today the day up to which stored splits are applied when the series is read
 */
export function findSeam(
  fetched: Fetched,
  stored: readonly StoredBar[],
  storedSplits: readonly Split[],
  today: string,
): Seam | null {
  const bars = new Map(settledOf(fetched).map((bar) => [bar.date, bar]));
  const pairs = stored.flatMap((row) => {
    const bar = bars.get(row.date);
    return bar === undefined ? [] : [[row, bar] as const];
  });
  if (pairs.length < DAYS_MIN) return null;
  const listed = [...storedSplits, ...splitsOf(fetched.actions)];
  const unexplained = quotients(pairs, listed, fetched.answer.basis_date);
  if (unexplained === null) return null;
  const middle = median(unexplained);
  const text = splitText(middle);
  if (text === null || !unexplained.every((quotient) => isNear(quotient, middle, 2 * SAME_RATIO)))
    return null;
  const ratio = median(quotients(pairs, storedSplits, today) ?? unexplained);
  // Of the prices as stored, before any split is applied to them.
  const asStored = median(pairs.map(([row, bar]) => row.close / bar.close));
  const volumes = median(
    pairs.flatMap(([row, bar]) => (row.volume && bar.volume ? [bar.volume / row.volume] : [])),
  );
  const follows = (scale: number) => isNear(volumes, scale, SAME_VOLUME_RATIO);
  const volumeRatio = follows(asStored) ? ratio : follows(1) ? ratio / asStored : null;
  return { ratio, volumeRatio, text };
}

/** A bar of the fetch on the basis of the stored series. */
function onStoredBasis(bar: ProviderBar, { ratio, volumeRatio }: Seam): ProviderBar {
  const times = (value: number | null) => (value === null ? null : priceDigits(value * ratio));
  return {
    ...bar,
    open: times(bar.open),
    high: times(bar.high),
    low: times(bar.low),
    close: priceDigits(bar.close * ratio),
    adj_close: times(bar.adj_close),
    volume: bar.volume === null || volumeRatio === null ? null : Math.round(bar.volume / volumeRatio),
    settled: false,
  };
}

/**
 * The batch, with every fetch that has a seam turned into one of bars that are served on the stored basis and never stored.
 * Its actions are not stored either: their amounts are on the other basis, and the next fetch reaches back to them.
 */
export async function markSeams(
  lake: Lake,
  batch: readonly Fetched[],
  today: string,
): Promise<readonly Fetched[]> {
  const known = batch.filter((fetched) => settledOf(fetched).length >= DAYS_MIN);
  if (known.length === 0) return batch;
  const days = known.flatMap((fetched) => settledOf(fetched).map(({ date }) => date)).sort();
  const symbols = known.map(({ symbol }) => symbol);
  const [rows, splits] = await Promise.all([
    lake.query<StoredBar>(
      `SELECT symbol, date, close, volume, basis_date FROM bars_daily
       WHERE symbol = ANY($symbols) AND date BETWEEN CAST($start AS DATE) AND CAST($end AS DATE)
         AND basis_date < DATE '${FINAL_BASIS}'`,
      { symbols, start: days[0] ?? null, end: days.at(-1) ?? null },
    ),
    lake.query<Split & { symbol: string }>(
      "SELECT symbol, ex_date, price_factor FROM actions(NULL) WHERE symbol = ANY($symbols) AND kind = 'split'",
      { symbols },
    ),
  ]);
  const [rowsOf, splitsBy] = [Map.groupBy(rows, (r) => r.symbol), Map.groupBy(splits, (s) => s.symbol)];
  return batch.map((fetched) => {
    const { symbol } = fetched;
    const seam = findSeam(fetched, rowsOf.get(symbol) ?? [], splitsBy.get(symbol) ?? [], today);
    if (seam === null) return fetched;
    const bars = [...fetched.settled, ...fetched.provisional];
    return { ...fetched, seam, settled: [], provisional: bars.map((bar) => onStoredBasis(bar, seam)) };
  });
}
