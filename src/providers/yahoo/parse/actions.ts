// Reads the splits, dividends and capital gains of a chart answer.

import type { ProviderBar } from "../../../market/bar.ts";
import { type CorporateAction, isSameSplit } from "../../../market/bar-history.ts";
import { UpstreamMisread } from "../../../platform/errors.ts";
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
const exDateOf = (event: Wire, zone: string): string => dateIn(zone, event.at("date").instant());

/** An entry that cannot be is kept as it is listed, and changes no price. */
// Splits of 1:0 and 0:1, and a dividend of -0.25: the other entries and all bars are read.
const UNUSABLE = { kind: "unusable", price_factor: 1 } as const;

/** A figure, null where it is none; a field that is absent is another shape. */
const figureOf = (place: Wire) => (place.value === undefined ? place.number() : place.numberOrNull());

function readCash(event: Wire, kind: "dividend" | "capital_gain", context: Context): CorporateAction {
  const ex_date = exDateOf(event, context.zone);
  const amount = figureOf(event.at("amount"));
  const currency = event.at("currency").textOrNull() ?? context.currency;
  const listed = { ex_date, kind, amount, currency, numerator: null, denominator: null };
  if (amount === null || amount < 0) return { ...listed, ...UNUSABLE };
  const price_factor = kind === "dividend" ? priceFactor(amount, ex_date, currency, context) : null;
  return { ...listed, price_factor };
}

function readSplit(event: Wire, context: Context): CorporateAction {
  const numerator = figureOf(event.at("numerator"));
  const denominator = figureOf(event.at("denominator"));
  const ex_date = exDateOf(event, context.zone);
  const listed = { ex_date, kind: "split" as const, amount: null, currency: null, numerator, denominator };
  return numerator === null || denominator === null || numerator <= 0 || denominator <= 0
    ? { ...listed, ...UNUSABLE }
    : { ...listed, price_factor: denominator / numerator };
}

/**
 * An entry that cannot be read: it is kept as unusable on the day of the bar under which it is listed, else
 * on the last one. Made up: a dividend of 0.22 without its day, listed under 1772721000, is one of
 * 5 March 2026.
 */
function unreadEntry(event: Wire, { zone, currency, bars }: Context): CorporateAction | null {
  const seconds = Number(event.path.slice(event.path.lastIndexOf(".") + 1));
  const isTime = Number.isInteger(seconds) && seconds > 0 && seconds < LISTED_MAX;
  const listed = isTime ? dateIn(zone, Temporal.Instant.fromEpochMilliseconds(seconds * 1_000)) : null;
  const ex_date = listed ?? bars.at(-1)?.date;
  if (ex_date === undefined) return null;
  return { ex_date, amount: null, currency, numerator: null, denominator: null, ...UNUSABLE };
}

/** Later than any day that an entry can be listed under: the year 2286. */
const LISTED_MAX = 10_000_000_000;

/**
 * The entries of a list. One that cannot be read is kept as unusable; several of which none can be read are
 * another shape, and are refused.
 */
function readList(
  list: Wire,
  read: (event: Wire) => CorporateAction,
  context: Context,
): readonly CorporateAction[] {
  const failures: UpstreamMisread[] = [];
  const entries = list.valuesOrNone();
  const actions = entries.map((event) => {
    try {
      return read(event);
    } catch (error) {
      if (!(error instanceof UpstreamMisread)) throw error;
      failures.push(error);
      return unreadEntry(event, context);
    }
  });
  if (failures[0] && entries.length > 1 && failures.length === entries.length) throw failures[0];
  return actions.filter((action) => action !== null);
}

const orderOf = ({ ex_date, kind }: CorporateAction) => `${ex_date} ${kind}`;

/** A fall of the price is that of one payment rather than another where it is so many times nearer to it. */
// Made up: after 50.00 a dividend of 7.86 and a gain of 6.42; a close of 41.94 shows 7.86, one of 35.70 both,
// and one of 39.00 neither.
const NEARER = 3;

/**
 * Whether Yahoo subtracts a gain twice: it is within the dividend of the day, as the fall of the price shows,
 * and its adjusted closes are without both.
 */
function isTwice(
  gain: CorporateAction,
  factor: number | null,
  dividend: CorporateAction | undefined,
  { bars }: Context,
): boolean {
  const at = bars.findIndex(({ date }) => date === gain.ex_date);
  const [before, on] = [bars[at - 1], bars[at]];
  if (!dividend?.amount || !gain.amount || gain.amount > dividend.amount) return false;
  if (!before || !on?.settled || factor === null || factor === 1) return false;
  const off = before.close - on.close - dividend.amount;
  return Math.abs(off - gain.amount) >= NEARER * Math.abs(off);
}

/**
 * The actions of `events` by ex date, each once, and the bars with every payment subtracted once. Yahoo lists
 * only actions within the requested span.
 */
export function readActions(
  events: Wire,
  context: Context,
): { readonly actions: readonly CorporateAction[]; readonly bars: readonly ProviderBar[] } {
  let { bars } = context;
  if (events.isMissing) return { actions: [], bars };
  const entries = (name: string, read: (event: Wire) => CorporateAction) =>
    readList(events.at(name), read, context);
  const actions = [
    ...entries("splits", (event) => readSplit(event, context)),
    ...entries("dividends", (event) => readCash(event, "dividend", context)),
    ...entries("capitalGains", (event) => readCash(event, "capital_gain", context)),
  ].sort((a, b) => orderOf(a).localeCompare(orderOf(b)));
  const unique = [...new Map(actions.map((action) => [JSON.stringify(action), action])).values()];
  const listed = unique.filter(
    (action, at) => !unique.slice(0, at).some((other) => isSameSplit(action, other)),
  );
  const measured = listed.map((action) => {
    if (action.kind !== "capital_gain") return action;
    const ofDay = listed.filter(({ ex_date }) => ex_date === action.ex_date);
    const dividend = ofDay.find(({ kind }) => kind === "dividend");
    // The gains of a day show as one.
    const [first, ...others] = ofDay.filter(({ kind }) => kind === "capital_gain");
    if (first !== action) return { ...action, price_factor: 1 };
    const amount = others.reduce((sum, gain) => sum + (gain.amount ?? 0), action.amount ?? 0);
    const factor = gainFactor({ ...action, amount }, dividend, context);
    if (!isTwice({ ...action, amount }, factor, dividend, context))
      return { ...action, price_factor: factor };
    const once = (bar: ProviderBar) => bar.adj_close && bar.adj_close / (factor ?? 1);
    bars = bars.map((bar) => (bar.date < action.ex_date ? { ...bar, adj_close: once(bar) } : bar));
    return { ...action, price_factor: 1 };
  });
  return { actions: measured, bars };
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
