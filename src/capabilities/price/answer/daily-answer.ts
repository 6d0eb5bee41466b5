// The parts of an answer on daily bars: its bars, their source, and the warnings and errors about what is
// missing.
import { PRICES_WAIT_S_MAX } from "../../../limits.ts";
import { type Absence, absent, absentTickers } from "../../../market/absence.ts";
import type { PeriodBar } from "../../../market/bar.ts";
import type { Calendar } from "../../../market/calendar.ts";
import { withClientTicker } from "../../../market/client-ticker.ts";
import { addDays, earlierDay } from "../../../market/date.ts";
import type { DailyInterval } from "../../../market/interval.ts";
import { basisDay } from "../../../market/known-at.ts";
import { OUTLIER_TIMES } from "../../../market/outlier.ts";
import type { TickerRequest } from "../../../market/ticker.ts";
import type { DateRange } from "../../../market/time-span.ts";
import { type AsofError, NotFound, NotRead } from "../../../platform/errors.ts";
import { yieldToEventLoop } from "../../../platform/event-loop.ts";
import { isReplaying } from "../../../platform/reading.ts";
import { unknownWarnings } from "../request/adjustment.ts";
import type { DailyQuery } from "../request/daily-query.ts";
import type { MultiBarsResponse, PriceDataResponse } from "../schema.ts";
import type { Unadjusted } from "../store/bar-columns.ts";
import type { PriceStore } from "../store/store.ts";
import type { StoredAction } from "../store/stored-actions.ts";
import type { SymbolFacts } from "../store/symbol-facts.ts";
import type { Series } from "./read-series.ts";
import { rangeText } from "./series.ts";

/** No two sessions are further apart. */
const WITHOUT_SESSION_DAYS_MAX = 14;

type MultiBar = MultiBarsResponse["bars"][string][number];

/**
 * A bar of the many-symbol answer. Written out: spreading the rest of 100,000 bars takes several times as
 * long.
 */
export function multiBar(bar: PeriodBar): MultiBar {
  const { date: timestamp, open, high, low, close, volume, adjusted_close } = bar;
  const made: MultiBar = { timestamp, open, high, low, close, volume, adjusted_close };
  if (bar.dividend !== undefined) made.dividend = bar.dividend;
  if (bar.capital_gain !== undefined) made.capital_gain = bar.capital_gain;
  if (bar.split_ratio !== undefined) made.split_ratio = bar.split_ratio;
  if (bar.outlier) made.outlier = true;
  if (bar.provisional) made.provisional = true;
  if (bar.partial) made.partial = true;
  if (bar.backfilled) made.backfilled = true;
  return made;
}

/**
 * The texts of session opens, of which a calendar has one instant each: every answer of daily bars has
 * hundreds.
 */
const openTexts = new WeakMap<Temporal.Instant, string>();
function openText(open: Temporal.Instant): string {
  const text = openTexts.get(open) ?? open.toString();
  openTexts.set(open, text);
  return text;
}

/** A bar of the one-symbol answer: a session of New York starts at its open, any other bar at its date. */
export function pointOf(
  bar: PeriodBar,
  interval: DailyInterval,
  timezone: string | null,
  calendar: Calendar,
): PriceDataResponse["data"][number] {
  const { date, ...rest } = bar;
  const isSession =
    interval === "1d" && timezone === "America/New_York" && calendar.covers(date) && calendar.isSession(date);
  return { date, timestamp: isSession ? openText(calendar.sessionOpen(date)) : date, ...rest };
}

/** Where the bars of a series come from. */
export interface Sources extends Pick<Series, "sources" | "provisionalSource"> {
  /** Whether its last bar is provisional. */
  readonly isProvisional: boolean;
}

/**
 * The providers of a series, stored or provisional: one name, or several by comma; null when it has no bars.
 */
export function sourceText({ sources, provisionalSource, isProvisional }: Sources): string | null {
  const all = new Set(
    isProvisional && provisionalSource !== null ? [...sources, provisionalSource] : sources,
  );
  return all.size === 0 ? null : [...all].sort().join(",");
}

/** Returns the providers of a series whose bars are at hand. */
export const seriesSource = (series: Series) =>
  sourceText({ ...series, isProvisional: series.bars.at(-1)?.provisional === true });

const daysText = (days: readonly string[]) =>
  days.length === 1 ? days[0] : `${days.length} days between ${days[0]} and ${days.at(-1)}`;

export const provisionalDays = (bars: readonly PeriodBar[]) =>
  bars.flatMap(({ date, provisional }) => (provisional ? [date] : []));

/**
 * Warns about the provisional bars of an answer. No data version has them, so a request with the version of
 * the answer does not return them.
 */
function unsettledWarnings(days: readonly string[]): string[] {
  const [first] = days;
  if (first === undefined) return [];
  const said =
    days.length === 1
      ? `the bar of ${first} is provisional: it may still change, and no data version has it as it stands here.`
      : `${days.length} bars of ${daysText([...new Set(days)].sort())} are provisional: they may still change, and no data version has them as they stand here.`;
  return [`unsettled: ${said}`];
}

/** Warns about the provisional bars of a series whose bars are at hand. */
export const seriesUnsettled = ({ bars }: Pick<Series, "bars">) => unsettledWarnings(provisionalDays(bars));

/** Returns a warning for a fetch of missing days that failed. */
export function failureWarnings({ collected }: Series, request: TickerRequest): string[] {
  const failure = collected?.failure;
  return failure ? [`Missing days could not be fetched: ${withClientTicker(failure, request).message}`] : [];
}

/** The facts about a series, beside its bars, in an answer on many symbols. */
export interface Described extends Pick<Series, "collected" | "refreshed"> {
  readonly bars: { readonly length: number };
}

/** The bars that a series lacks, and those that are not as requested. */
export interface SeriesLacks extends Pick<Series, "seam" | "kept" | "unshown">, Pick<Described, "bars"> {
  readonly missing: readonly string[];
  /** The days of bars with a price far off the closes around it. */
  readonly outliers: readonly string[];
  readonly unadjusted: Unadjusted | null;
  /** Warnings of bars whose prices on the requested adjustment are unknown. */
  readonly unknown: readonly string[];
}

/** The symbol of a series and the days that were requested of it. */
export interface Requested {
  readonly facts: Pick<SymbolFacts, "currency" | "listing">;
  readonly ranges: readonly DateRange[];
}

/**
 * Days before the first trade are no gaps: where the request begins with such days, the answer says so, at
 * each visit.
 */
function listedLaterWarnings({ facts, ranges }: Requested, bars: Described["bars"]): string[] {
  const first = facts.listing?.first_trade_date ?? null;
  const [start, end] = [ranges[0]?.start ?? null, ranges.at(-1)?.end ?? ""];
  if (first === null || start === null || bars.length === 0 || first <= start || first > end) return [];
  return [`Its first trade was on ${first}: no bar is expected on earlier days.`];
}

/** Describes what a series lacks. */
export function lackWarnings(lacks: SeriesLacks, requested: Requested): string[] {
  const { seam, missing, kept } = lacks;
  return [
    ...(seam === null
      ? []
      : [
          `The provider's prices are now off the stored ones by ${seam}, and no listed split explains it: all bars are on the stored basis, and newer ones are provisional until it is explained.`,
        ]),
    ...listedLaterWarnings(requested, lacks.bars),
    ...(missing.length > 0 ? [`No bar for ${daysText(missing)}.`] : []),
    ...(kept.length > 0
      ? [`The provider has no bar for ${daysText(kept)} now: the stored value is served.`]
      : []),
    ...(lacks.outliers.length > 0
      ? [
          `The bar of ${daysText(lacks.outliers)} has a price ${OUTLIER_TIMES} times or more off the closes around it (outlier): it is as the provider reported it.`,
        ]
      : []),
    ...unadjustedWarnings(lacks),
    ...lacks.unknown,
    ...lacks.unshown.map((action) => unshownWarning(action, requested.facts.currency)),
  ];
}

/** The warnings of a series whose bars are at hand. */
export function seriesWarnings(series: Series, requested: Requested): string[] {
  const { bars, collected, adjustment, spanned } = series;
  const without = bars.filter((bar) => bar.adjusted_close === null && bar.provisional !== true);
  const [first, last] = [without[0], without.at(-1)];
  const unadjusted = first && last ? { count: without.length, first: first.date, last: last.date } : null;
  const missing = collected?.missing ?? [];
  const unknown = unknownWarnings(bars, adjustment, spanned);
  const outliers = bars.flatMap(({ date, outlier }) => (outlier ? [date] : []));
  return lackWarnings({ ...series, missing, outliers, unadjusted, unknown }, requested);
}

/** Stored bars that cannot be shown on the basis of `as_of`. */
export const leftOutWarnings = (count: number): string[] =>
  count > 0
    ? [
        `${count} stored bars are left out: whether splits or dividends followed as_of is not known. Ask again without stored_only while the price provider can be reached.`,
      ]
    : [];

/** When the bar of a day became known: at the open of the next session. Null outside the calendar. */
export const knownSince = (date: string, calendar: Calendar): string | null =>
  calendar.covers(date) && calendar.covers(addDays(date, WITHOUT_SESSION_DAYS_MAX))
    ? calendar.sessionOpen(calendar.nextSession(date)).toString()
    : null;

/** The day up to which prices are adjusted when every action up to `through` is known. */
export const throughAt = (through: string | null, asOf: Temporal.Instant | null) =>
  asOf === null || through === null ? through : earlierDay(through, basisDay(asOf));

/**
 * Stored bars whose adjusted close is unknown though they have a close: an action after them has no known
 * price factor.
 */
function unadjustedWarnings({ bars, unadjusted }: SeriesLacks): string[] {
  if (unadjusted === null) return [];
  const { count, first, last } = unadjusted;
  return [
    `adjusted_close is null in ${count} of ${bars.length} bars, ${first} to ${last}: it was not reported, or the price factor of a later payment is unknown.`,
  ];
}

/** Says of an action that no bar shows it, or that no price is scaled by it. */
function unshownWarning({ kind, ex_date, ...action }: StoredAction, currency: string | null): string {
  if (kind === "unusable")
    return `The provider's list of actions has an entry for ${ex_date} that can be neither a split nor a payment (${action.amount ?? `${action.numerator ?? "?"}:${action.denominator ?? "?"}`}): it is left out, and prices are not adjusted for it.`;
  return kind === "capital_gain" && action.price_factor === 1
    ? `The capital gain of ${ex_date} is not subtracted from adjusted_close by itself: the day's dividend includes it, or the provider does not adjust for gains.`
    : `The ${kind.replace("_", " ")} of ${ex_date} is ${action.amount} ${action.currency} a share: prices are in ${currency}, so no bar shows it.`;
}

/** Why a symbol has no bar where nothing failed. */
export interface NoBars {
  readonly kind: Absence;
  readonly sentence: string;
}

const UNREAD: NoBars = {
  kind: "not_read",
  sentence: "This installation has stored no bar of these days: read them by asking without stored_only.",
};
const NOT_IN_VERSION: NoBars = {
  kind: "not_read",
  sentence:
    "This data version has no bar of these days: none was stored then. Ask without data_version for what is known now.",
};
const NONE_THEN: NoBars = {
  kind: "nothing_there",
  sentence: "No bar of these days was known then: a daily bar counts from the open of the next session.",
};
const NONE: NoBars = { kind: "nothing_there", sentence: "The provider has no bar of these days." };

/** Why a request has no bar where nothing failed. Nothing that was learned after as_of is said. */
export function noBarsOf({ stored_only, as_of }: Pick<DailyQuery, "stored_only" | "as_of">): NoBars {
  if (isReplaying()) return NOT_IN_VERSION;
  if (stored_only) return UNREAD;
  return as_of === undefined ? NONE : NONE_THEN;
}

/** Why a series has no bar: the provider's failure, or NotFound `no_data`. */
export function noBarsError(
  request: TickerRequest,
  series: Series,
  {
    ranges,
    query,
    firstTrade,
  }: { ranges: readonly DateRange[]; query: DailyQuery; firstTrade: string | null },
): AsofError {
  const { ticker } = request;
  if (series.collected?.failure) return withClientTicker(series.collected.failure, request);
  const { kind, sentence } = noBarsOf(query);
  const isListedLater = kind === "nothing_there" && query.as_of === undefined && firstTrade !== null;
  const hint = isListedLater ? `Its first trade was on ${firstTrade}.` : absent(kind, sentence);
  const message = `No bars for ${ticker} from ${rangeText(ranges)}.`;
  return kind === "not_read"
    ? new NotRead(message, { ticker, hint })
    : new NotFound("no_data", message, { ticker, hint });
}

/** That an answer came before all of its tickers were read. */
const notReadWarnings = (count: number, of: number): string[] =>
  count === 0
    ? []
    : [
        absent(
          "not_read",
          `This answer is incomplete: ${count} of ${of} tickers are still being read in the background. Ask again for them, or with wait=${PRICES_WAIT_S_MAX} for an answer once all are read.`,
        ),
      ];

/** How the symbols of an answer are read and described. */
export interface SymbolViews<S extends Described> {
  seriesOf(symbol: string): S;
  sourceOf(series: S): string;
  warningsOf(symbol: string, series: S): readonly string[];
  /** The days of its provisional bars. */
  unsettledOf(series: S): readonly string[];
  throughOf(symbol: string): string | null;
  /** The error or warning of symbols without a bar and without a failure. */
  readonly noBars: NoBars;
}

/**
 * Combines the sources, warnings and errors of many symbols, by ticker as sent. It makes one series after the
 * other: other requests have their turn in between. Throws the provider's failure
 * when it failed for every symbol, and none is still being read.
 */
export async function sideBySide<S extends Described>(
  requests: readonly TickerRequest[],
  { seriesOf, sourceOf, warningsOf, unsettledOf, throughOf, noBars }: SymbolViews<S>,
  signal: AbortSignal | undefined,
) {
  const sources: NonNullable<MultiBarsResponse["sources"]> = Object.create(null);
  const errors: MultiBarsResponse["errors"] = Object.create(null);
  const adjusted_through: NonNullable<MultiBarsResponse["adjusted_through"]> = Object.create(null);
  const [missing, warnings, not_read, unsettled]: [string[], string[], string[], string[]] = [[], [], [], []];
  const failures = new Map<string, AsofError>();
  let [count, cached, refreshed] = [0, true, true];
  for (const [at, request] of requests.entries()) {
    if (at > 0) await yieldToEventLoop();
    signal?.throwIfAborted();
    const { ticker, symbol } = request;
    const series = seriesOf(symbol);
    const { failure = null, asked = false } = series.collected ?? {};
    if (asked) cached = false;
    if (series.bars.length > 0 && !series.refreshed) refreshed = false;
    if (failure instanceof NotRead) not_read.push(ticker);
    // Of a ticker without a bar that could not be read, or not yet, no day is known to be missing.
    if (!failure || series.bars.length > 0)
      warnings.push(...warningsOf(symbol, series).map((text) => `${ticker}: ${text}`));
    unsettled.push(...unsettledOf(series));
    if (failure) {
      errors[ticker] = withClientTicker(failure, request).message;
      failures.set(ticker, failure);
    }
    if (series.bars.length === 0) missing.push(ticker);
    else sources[ticker] = sourceOf(series);
    adjusted_through[ticker] = series.bars.length === 0 ? null : throughOf(symbol);
    count += series.bars.length;
  }
  const outage = [...failures.values()].find((failure) => !(failure instanceof NotFound));
  const isNoneLeft = failures.size === requests.length && not_read.length === 0;
  if (count === 0 && outage && isNoneLeft) throw outage;
  const unread = new Set(not_read);
  const read = missing.filter((ticker) => !unread.has(ticker));
  return {
    count,
    sources,
    missing,
    errors,
    /** Tickers that are still being read in the background. */
    not_read,
    // These first, because a header is cut where there are many.
    warnings: [
      ...notReadWarnings(not_read.length, requests.length),
      ...unsettledWarnings(unsettled),
      ...absentTickers(read, (ticker) => failures.get(ticker), noBars),
      ...warnings,
    ],
    cached,
    adjusted_through,
    refreshed: refreshed && count > 0,
  };
}

/** Adds why stored bars of the missing tickers are left out under `asOf`. */
export async function withLeftOut<A extends { readonly missing: string[]; readonly warnings: string[] }>(
  answer: A,
  {
    store,
    requests,
    ranges,
    asOf,
  }: {
    readonly store: Pick<PriceStore, "count">;
    readonly requests: readonly TickerRequest[];
    readonly ranges: readonly DateRange[];
    readonly asOf: Temporal.Instant | null;
  },
): Promise<A> {
  const missing = new Set(answer.missing);
  const symbols = requests.filter(({ ticker }) => missing.has(ticker)).map(({ symbol }) => symbol);
  if (asOf === null || symbols.length === 0) return answer;
  const leftOut = leftOutWarnings(await store.count(symbols, ranges, asOf));
  return { ...answer, warnings: [...answer.warnings, ...leftOut] };
}
