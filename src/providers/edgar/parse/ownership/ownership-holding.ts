// Computes what an owner held before the purchases of a form, from the holding that the form reports after
// each trade. Pure.

/** The effect of a trade on the holding of one bucket. */
export interface Move {
  readonly date: string | null;
  /** Shares, positive when acquired and negative when disposed of; null when unknown. */
  readonly signed: number | null;
  /** The holding after the trade. */
  readonly after: number | null;
  readonly isPurchase: boolean;
}

/** Holdings are rounded when filed: the sum of lots with fractions may be off by up to a share. */
const TOLERANCE_SHARES = 1;
const near = (a: number, b: number): boolean => Math.abs(a - b) <= TOLERANCE_SHARES + Math.abs(b) * 1e-9;

interface Lot {
  readonly date: string | null;
  readonly signed: number;
  readonly after: number;
  readonly isPurchase: boolean;
}

const complete = ({ date, signed, after, isPurchase }: Move): Lot[] =>
  signed === null || after === null ? [] : [{ date, signed, after, isPurchase }];

/** True when each lot's holding is the previous holding plus the lot. */
const chains = (lots: readonly Lot[]): boolean =>
  lots.every((lot, i) => {
    const before = lots[i - 1];
    return before === undefined || near(lot.after, before.after + lot.signed);
  });

/**
 * Merges lots of one day that all repeat the day's final holding. Null when a day mixes purchases and other
 * trades.
 */
function merged(lots: readonly Lot[], sameDay: (a: Lot, b: Lot) => boolean): Lot[] | null {
  const days: Lot[] = [];
  for (const lot of lots) {
    const last = days.at(-1);
    if (!last || !sameDay(last, lot) || last.after !== lot.after) {
      days.push(lot);
      continue;
    }
    if (last.isPurchase !== lot.isPurchase) return null;
    days[days.length - 1] = { ...lot, signed: last.signed + lot.signed };
  }
  return days;
}

const openingOf = (lots: readonly Lot[]): number | null => {
  const first = lots.find((lot) => lot.isPurchase);
  return first ? first.after - first.signed : null;
};

const byDay = (a: Lot, b: Lot): boolean => a.date === b.date;

/** Generates the orders in which a form may list its lots, the most likely first. */
function* orders(lots: readonly Lot[]): Generator<readonly Lot[] | null> {
  yield lots;
  yield merged(lots, byDay);
  yield merged(lots, () => true);
  const backwards = [...lots].reverse();
  yield backwards;
  yield merged(backwards, byDay);
  // Sorted by price instead of time: purchases alone must have happened in the order of the holdings after
  // them.
  if (lots.every((lot) => lot.isPurchase)) yield lots.toSorted((a, b) => a.after - b.after);
}

/**
 * The holding before the first purchase of the bucket; null when the figures fit no order of the trades.
 * Other trades of the bucket count too: shares exercised in the morning were held when more were bought at
 * noon.
 */
export function heldBefore(moves: readonly Move[]): number | null {
  const lots = moves.flatMap(complete);
  if (lots.length !== moves.length) return null;
  for (const ordered of orders(lots)) if (ordered && chains(ordered)) return openingOf(ordered);
  // Other movements may lie between distinct days (a reinvested dividend): the first day's own figures still
  // count.
  const dates = lots.map((lot) => lot.date ?? "");
  const rises = dates.every((date, i) => i === 0 || date > (dates[i - 1] ?? ""));
  const falls = dates.every((date, i) => i === 0 || date < (dates[i - 1] ?? ""));
  if (!(rises || falls) || dates.includes("")) return null;
  return openingOf(falls ? [...lots].reverse() : lots);
}

/**
 * The shares purchased, in percent of the holding before them. Null without purchases, when nothing was held
 * before, or when the holding before is not known (`isUnclear`).
 */
export function purchasePercent(moves: readonly Move[]): { percent: number | null; isUnclear: boolean } {
  const purchases = moves.filter((move) => move.isPurchase);
  if (purchases.length === 0) return { percent: null, isUnclear: false };
  const before = heldBefore(moves);
  if (before === null || before <= -TOLERANCE_SHARES) return { percent: null, isUnclear: true };
  // Nothing was held, within rounding: a new position has no percentage.
  if (before < TOLERANCE_SHARES) return { percent: null, isUnclear: false };
  const bought = purchases.reduce((sum, { signed }) => sum + (signed ?? 0), 0);
  return { percent: (bought / before) * 100, isUnclear: false };
}
