// What an owner held before the purchases of a form, from the holdings the form reports after each trade. Pure.

/** A trade of one bucket, as far as it moves what is held. */
export interface Move {
  readonly date: string | null;
  /** Shares, plus for acquired and minus for disposed; null where unknown. */
  readonly signed: number | null;
  /** Held once it is done. */
  readonly after: number | null;
  readonly isPurchase: boolean;
}

/** Holdings are filed rounded; lots of fractions add up to within a share. */
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

/** Whether each lot's holding is the one before it and the lot. */
const chains = (lots: readonly Lot[]): boolean =>
  lots.every((lot, i) => {
    const before = lots[i - 1];
    return before === undefined || near(lot.after, before.after + lot.signed);
  });

/** Lots of one day that all repeat the day's final holding, as one lot. Null where a day mixes purchases and others. */
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

/** Every order in which the lots may have been told, likeliest first. */
function* orders(lots: readonly Lot[]): Generator<readonly Lot[] | null> {
  yield lots;
  yield merged(lots, byDay);
  yield merged(lots, () => true);
  const backwards = [...lots].reverse();
  yield backwards;
  yield merged(backwards, byDay);
  // Told by price and not by time: purchases alone can only have come in the order of what was held after.
  if (lots.every((lot) => lot.isPurchase)) yield lots.toSorted((a, b) => a.after - b.after);
}

/**
 * What was held before the first purchase of the bucket; null when the figures fit no order of the trades. Trades
 * of other kinds in the same bucket count: shares exercised in the morning were held when more were bought at noon.
 */
export function heldBefore(moves: readonly Move[]): number | null {
  const lots = moves.flatMap(complete);
  if (lots.length !== moves.length) return null;
  for (const told of orders(lots)) if (told && chains(told)) return openingOf(told);
  // Days apart with other movements between them (a dividend reinvested): the first day's own figures still hold.
  const dates = lots.map((lot) => lot.date ?? "");
  const rises = dates.every((date, i) => i === 0 || date > (dates[i - 1] ?? ""));
  const falls = dates.every((date, i) => i === 0 || date < (dates[i - 1] ?? ""));
  if (!(rises || falls) || dates.includes("")) return null;
  return openingOf(falls ? [...lots].reverse() : lots);
}

/**
 * By how much the purchases add to what was held before them, percent; null without purchases, when nothing was held,
 * or when that is not known.
 */
export function purchasePercent(moves: readonly Move[]): { percent: number | null; isUnclear: boolean } {
  const purchases = moves.filter((move) => move.isPurchase);
  if (purchases.length === 0) return { percent: null, isUnclear: false };
  const before = heldBefore(moves);
  if (before === null || before <= -TOLERANCE_SHARES) return { percent: null, isUnclear: true };
  // Within the rounding of what is filed nothing was held: a new position has no percentage.
  if (before < TOLERANCE_SHARES) return { percent: null, isUnclear: false };
  const bought = purchases.reduce((sum, { signed }) => sum + (signed ?? 0), 0);
  return { percent: (bought / before) * 100, isUnclear: false };
}
