// Reads the splits, dividends and capital gains of a chart answer.

import type { ProviderBar } from "../../../market/bar.ts";
import type { CorporateAction } from "../../../market/bar-history.ts";
import type { Wire } from "../wire.ts";
import { dateIn } from "./chart-meta.ts";

interface Context {
  readonly zone: string;
  readonly currency: string | null;
  /** Daily bars, ascending; empty for other intervals. */
  readonly bars: readonly ProviderBar[];
  readonly nullRows: readonly string[];
}

/** The last bar before `exDate`; none when a later day before it has a row without a close. */
function barBefore(exDate: string, { bars, nullRows }: Context): ProviderBar | null {
  let found: ProviderBar | null = null;
  for (const bar of bars) {
    if (bar.date >= exDate) break;
    found = bar;
  }
  const date = found?.date ?? "";
  return nullRows.some((d) => d > date && d < exDate) ? null : found;
}

/**
 * The price factor of a dividend; null when the answer lacks the settled close before it, or has it in
 * another currency.
 */
function priceFactor(
  amount: number,
  exDate: string,
  currency: string | null,
  context: Context,
): number | null {
  const bar = barBefore(exDate, context);
  if (bar === null || !bar.settled || currency !== context.currency) return null;
  const factor = 1 - amount / bar.close;
  return factor > 0 && factor <= 1 ? factor : null;
}

/**
 * A measured factor equals an expected one when it is off by less than this share of what the payment takes
 * off.
 */
// Made up: a gain of 1.00 at a close of 100 makes 0.99; a measured 0.9901 equals it, 0.9903 does not.
const SAME_FACTOR = 0.02;
/**
 * The least share of the price that a payment must take off. The rounding of adjusted closes hides a smaller
 * one.
 */
// Made up: at a close of 100 a gain of 0.01 is measured; the factor of one of 0.009 is null.
const MEASURABLE = 1e-4;

/**
 * The price factor of a capital gain, measured on Yahoo's own adjusted closes: its list does not say whether
 * a dividend of the same day includes the gain. 1 where it does, or where Yahoo does not adjust for gains;
 * null where neither shows.
 */
function gainFactor(
  gain: CorporateAction,
  dividend: CorporateAction | undefined,
  context: Context,
): number | null {
  const before = barBefore(gain.ex_date, context);
  const on = context.bars.find(({ date }) => date === gain.ex_date);
  const paid = dividend === undefined ? 1 : dividend.price_factor;
  if (!before?.settled || !before.adj_close || !on?.adj_close || paid === null) return null;
  if (gain.amount === null || gain.currency !== context.currency) return null;
  const share = gain.amount / before.close;
  if (share < MEASURABLE) return null;
  const shown = before.adj_close / before.close / (on.adj_close / on.close);
  const isShown = (factor: number) => Math.abs(shown - factor) < share * SAME_FACTOR;
  if (isShown(paid - share)) return (paid - share) / paid;
  return isShown(paid) ? 1 : null;
}

/**
 * The ex date. An event's key is the bar it falls in, which for long bars is another day; its `date` is
 * exact.
 */
function exDateOf(event: Wire, zone: string): string {
  return dateIn(zone, event.at("date").instant());
}

function readCash(event: Wire, kind: "dividend" | "capital_gain", context: Context): CorporateAction {
  const ex_date = exDateOf(event, context.zone);
  const amount = event.at("amount").number();
  const currency = event.at("currency").textOrNull() ?? context.currency;
  const price_factor = kind === "dividend" ? priceFactor(amount, ex_date, currency, context) : null;
  return { ex_date, kind, amount, currency, numerator: null, denominator: null, price_factor };
}

function readSplit(event: Wire, context: Context): CorporateAction {
  const [numerator, denominator] = [event.at("numerator"), event.at("denominator")];
  for (const part of [numerator, denominator]) if (part.number() <= 0) throw part.wrong("above 0");
  return {
    ex_date: exDateOf(event, context.zone),
    kind: "split",
    amount: null,
    currency: null,
    numerator: numerator.number(),
    denominator: denominator.number(),
    price_factor: denominator.number() / numerator.number(),
  };
}

function compare(a: CorporateAction, b: CorporateAction): number {
  const [left, right] = [`${a.ex_date} ${a.kind}`, `${b.ex_date} ${b.kind}`];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The actions of `events` by ex date, each once. Yahoo lists only those within the requested span. */
export function readActions(events: Wire, context: Context): CorporateAction[] {
  if (events.isMissing) return [];
  const actions = [
    ...events
      .at("splits")
      .valuesOrNone()
      .map((e) => readSplit(e, context)),
    ...events
      .at("dividends")
      .valuesOrNone()
      .map((e) => readCash(e, "dividend", context)),
    ...events
      .at("capitalGains")
      .valuesOrNone()
      .map((e) => readCash(e, "capital_gain", context)),
  ];
  const unique = [...new Map(actions.map((action) => [JSON.stringify(action), action])).values()];
  const dividendOn = (day: string) =>
    unique.find(({ kind, ex_date }) => kind === "dividend" && ex_date === day);
  return unique
    .map((action) =>
      action.kind === "capital_gain"
        ? { ...action, price_factor: gainFactor(action, dividendOn(action.ex_date), context) }
        : action,
    )
    .sort(compare);
}

/** A smaller ratio is no larger than an ordinary overnight price move. */
// A 3:2 split is looked for in the prices, a 5:4 split is not.
const SPLIT_RATIO_MIN = 1.5;
// Made up: 100 before a 2:1 split: an open of 52 shows it unapplied, one of 53 or 99 does not.
const SAME_JUMP = 0.05;

/**
 * The first split that the prices of the answer are not adjusted for: from the close before its ex date to
 * the open on it they jump by exactly its ratio. Sometimes Yahoo lists a split for days before it rescales
 * the history.
 */
export function unappliedSplit(
  actions: readonly CorporateAction[],
  bars: readonly ProviderBar[],
): CorporateAction | null {
  const isUnapplied = ({ kind, ex_date, price_factor }: CorporateAction): boolean => {
    if (kind !== "split" || price_factor === null) return false;
    if (Math.max(price_factor, 1 / price_factor) < SPLIT_RATIO_MIN) return false;
    const place = bars.findIndex((bar) => bar.date >= ex_date);
    const [before, after] = [bars[place - 1], bars[place]];
    if (before === undefined || after === undefined) return false;
    return Math.abs((after.open ?? after.close) / (before.close * price_factor) - 1) < SAME_JUMP;
  };
  return actions.find(isUnapplied) ?? null;
}
