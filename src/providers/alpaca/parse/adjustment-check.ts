// Checks adjusted daily bars against the list of corporate actions. The feed adjusts prices for the actions
// it knows at that moment and lists actions elsewhere; a late or missing one would shift a stored series
// permanently.
import type { CorporateAction } from "../../../market/bar-history.ts";
import type { ListedAction } from "../endpoints/corporate-actions.ts";

/** A session's close under each of the feed's adjustments; null where one has no row for the day. */
export interface Closes {
  readonly date: string;
  /** The numbers normally no longer change. */
  readonly settled: boolean;
  readonly split: number;
  readonly all: number | null;
  readonly raw: number | null;
}

/** Rounding error of an adjusted price: to cents, below one dollar to hundredths of a cent. */
export const halfStep = (price: number) => (price >= 1 ? 0.0051 : 0.000_051);
// Made up: 400.00 as traded before a 4:1 split may be 100.01 in adjusted prices; 100.02 contradicts the list.
const SPLIT_RATIO = 1e-4;
/**
 * Tolerance for dividends, which providers subtract relative to the previous close with different rounding.
 */
// Made up: at closes of 100, a dividend of 0.20 missing in the list is noticed and one of 0.10 is not.
const DIVIDEND_RATIO = 1e-3;

const splitFactor = (action: ListedAction) => (action.denominator ?? 1) / (action.numerator ?? 1);

/**
 * The split-adjusted close, from the close as traded where that is at hand: the feed's own is rounded to
 * cents.
 */
const exactClose = ({ date, split, raw }: Closes, splits: readonly ListedAction[]) =>
  raw === null
    ? split
    : splits.reduce((close, s) => (s.ex_date > date ? close * splitFactor(s) : close), raw);

/**
 * Actions with an ex date up to `basis`, with amounts on that basis (divided by later splits) and price
 * factors. A factor is null when the close before the ex date is not among the bars.
 */
export function actionsOnBasis(
  listed: readonly ListedAction[],
  closes: readonly Closes[],
  basis: string,
): CorporateAction[] {
  const due = listed.filter((action) => action.kind !== "other" && action.ex_date <= basis);
  const splits = due.filter((action) => action.kind === "split");
  const made = due.map((action): CorporateAction => {
    const { ex_date, numerator, denominator } = action;
    if (action.kind === "split")
      return {
        ex_date,
        kind: "split",
        amount: null,
        currency: null,
        numerator,
        denominator,
        price_factor: splitFactor(action),
      };
    const later = splits.filter((s) => s.ex_date > ex_date).reduce((all, s) => all * splitFactor(s), 1);
    // A dividend on the day of a split is declared per new share.
    const amount = (action.rate ?? 0) * later;
    const before = closes.findLast((bar) => bar.date < ex_date);
    const factor = before?.settled ? 1 - amount / exactClose(before, splits) : null;
    return {
      ex_date,
      kind: "dividend",
      amount,
      currency: action.currency,
      numerator: null,
      denominator: null,
      price_factor: factor !== null && factor > 0 && factor <= 1 ? factor : null,
    };
  });
  return made.sort((a, b) => (`${a.ex_date} ${a.kind}` < `${b.ex_date} ${b.kind}` ? -1 : 1));
}

/**
 * The factor of all dividends with an ex date in (after, upTo]; null when one is unknown. Payments of one day
 * add up.
 */
export function dividendFactor(
  dividends: readonly CorporateAction[],
  after: string,
  upTo: string,
): number | null {
  const byDay = Map.groupBy(
    dividends.filter((d) => d.ex_date > after && d.ex_date <= upTo),
    (d) => d.ex_date,
  );
  let factor = 1;
  for (const day of byDay.values()) {
    let left = 1;
    for (const { price_factor } of day) {
      if (price_factor === null) return null;
      left += price_factor - 1;
    }
    factor *= left;
  }
  return factor;
}

/** The factor of all splits with an ex date after a day; NaN when one is unknown. */
export function splitFactorAfter(actions: readonly CorporateAction[], date: string): number {
  return actions
    .filter((action) => action.kind === "split" && action.ex_date > date)
    .reduce((all, split) => all * (split.price_factor ?? Number.NaN), 1);
}

function splitMismatch(closes: readonly Closes[], actions: readonly CorporateAction[]): string | null {
  for (const { date, settled, split, raw } of closes) {
    if (raw === null || !settled) continue;
    const expected = raw * splitFactorAfter(actions, date);
    if (!(Math.abs(expected - split) <= halfStep(split) + SPLIT_RATIO * split))
      return `its prices of ${date} are not adjusted by the splits it lists`;
  }
  return null;
}

interface PartLeft {
  readonly date: string;
  /** The part of the close left after all later dividends, and its rounding error. */
  readonly part: number;
  readonly slack: number;
}

export function partLeft({ date, split, all }: Closes): PartLeft | null {
  if (all === null) return null;
  return { date, part: all / split, slack: halfStep(all) / all + halfStep(split) / split };
}

function dividendMismatch(
  closes: readonly Closes[],
  actions: readonly CorporateAction[],
  basis: string,
  reachesBasis: boolean,
): string | null {
  const dividends = actions.filter((action) => action.kind === "dividend");
  const settled = closes.filter((bar) => bar.settled);
  const steps = settled.flatMap((bar) => partLeft(bar) ?? []);
  if (steps.length < settled.length) return "it has no fully adjusted close of some days";
  // Prices after the newest bar are adjusted only for dividends that have gone ex since.
  const now: PartLeft = { date: basis, part: 1, slack: 0 };
  const ends = reachesBasis && steps.length > 0 ? [...steps, now] : steps;
  for (const [i, next] of ends.entries()) {
    const before = ends[i - 1];
    if (!before) continue;
    const expected = dividendFactor(dividends, before.date, next.date);
    const seen = before.part / next.part;
    const slack = before.slack + next.slack + DIVIDEND_RATIO;
    if (expected === null || Math.abs(seen / expected - 1) > slack)
      return `its adjusted closes from ${before.date} to ${next.date} are not explained by the dividends it lists`;
  }
  return null;
}

/**
 * Whether bars that end before the basis are adjusted for more than the list has: of the newest close, the
 * part would otherwise be left that the dividends listed after it leave. A renamed company goes on paying
 * under its new symbol.
 */
// Made up: a newest close of 100.00, 98.00 fully adjusted, and no dividend in the list: 2 % are unlisted.
export function hasUnlistedDividends(
  closes: readonly Closes[],
  actions: readonly CorporateAction[],
  basis: string,
): boolean {
  const last = closes.findLast((bar) => bar.settled);
  const left = last && partLeft(last);
  if (!left) return false;
  const dividends = actions.filter((action) => action.kind === "dividend");
  const expected = dividendFactor(dividends, left.date, basis);
  return expected === null || Math.abs(left.part / expected - 1) > left.slack + DIVIDEND_RATIO;
}

/**
 * Why the bars contradict the listed actions, as a clause for an error message; null when they agree.
 * `reachesBasis`: the bars run up to the newest session, so they may not be adjusted for anything later.
 */
export function findMismatch(
  listed: readonly ListedAction[],
  closes: readonly Closes[],
  actions: readonly CorporateAction[],
  { basis, reachesBasis }: { basis: string; reachesBasis: boolean },
): string | null {
  const first = closes[0]?.date ?? basis;
  const other = listed.find((action) => action.kind === "other" && action.ex_date > first);
  if (other)
    return `it lists a spin-off or stock dividend on ${other.ex_date}, which providers adjust for differently`;
  const inOtherCurrency = actions.find((action) => action.currency !== null && action.currency !== "USD");
  if (inOtherCurrency) return `its dividend of ${inOtherCurrency.ex_date} is in ${inOtherCurrency.currency}`;
  return splitMismatch(closes, actions) ?? dividendMismatch(closes, actions, basis, reachesBasis);
}
