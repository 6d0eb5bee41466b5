// The series of a request: stored bars, what was missing of them and has been fetched, and the provisional
// bars.

import { aggregateDaily, type DailyBar, type PeriodBar } from "../../../market/bar.ts";
import type { Calendar } from "../../../market/calendar.ts";
import { addDays, earlierDay } from "../../../market/date.ts";
import type { DailyInterval } from "../../../market/interval.ts";
import { asOfInstant } from "../../../market/known-at.ts";
import type { DateRange } from "../../../market/time-span.ts";
import { daysOf } from "../../../platform/cells.ts";
import { systemTimers } from "../../../platform/clock.ts";
import type { ColumnsResult } from "../../../platform/lake/lake.ts";
import { currentReading } from "../../../platform/reading.ts";
import type { Collected, History } from "../fetch/history.ts";
import type { Refreshed } from "../fetched.ts";
import {
  type Adjustment,
  adjustedSeries,
  type FactorAt,
  factorAt,
  type SpannedSplit,
  spannedSplits,
  withoutSpanned,
} from "../request/adjustment.ts";
import { type DailyQuery, fetchPlan, knownRanges } from "../request/daily-query.ts";
import { barsOf, datesOf, rowsByFirst, sourcesOf } from "../store/columns.ts";
import type { PriceStore } from "../store/store.ts";
import type { StoredAction } from "../store/stored-actions.ts";
import type { BasisFactors } from "../store/stored-bars.ts";
import { withRefreshed } from "./refreshed.ts";
import { attachActions, withOutliers, withProvisional } from "./series.ts";

/** The bars of one symbol, on one basis. */
export interface Series {
  readonly bars: readonly PeriodBar[];
  /** The outcome of fetching; undefined when nothing may be fetched. */
  readonly collected: Collected | undefined;
  /** Providers of the stored bars. */
  readonly sources: readonly string[];
  /** Provider of the provisional bars; null when none are at hand. */
  readonly provisionalSource: string | null;
  /** Actions that a warning names. */
  readonly unshown: readonly StoredAction[];
  readonly adjustment: Adjustment;
  /** The factors from the split basis to the prices as traded; only known where these were asked for. */
  readonly factors: FactorAt;
  /** The last day with a daily bar, which may be within the last bar; null when there is none. */
  readonly lastDay: string | null;
  /** Bars without prices as traded, since a split lies within them. */
  readonly spanned: readonly SpannedSplit[];
  /**
   * The provider's present values that stand in place of stored ones; undefined when nothing was refetched.
   */
  readonly refreshed: Refreshed | undefined;
  /** The ratio by which the provider's prices are off the stored ones without a listed split, as "4:1". */
  readonly seam: string | null;
  /** Days of a refetch whose stored bar is served, as the provider has none now. */
  readonly kept: readonly string[];
  /** The rows that were read for this symbol and those read with it. */
  readonly stored: ColumnsResult;
}

/**
 * Reads the series of several symbols. What is read stays in columns: the bars of a symbol are made at each
 * call for it, always the same, so that many symbols need not be in memory as bars at once.
 */
export type ReadSeries = (
  symbols: readonly string[],
  ranges: readonly DateRange[],
  interval: DailyInterval,
  query: DailyQuery,
) => Promise<(symbol: string) => Series>;

/** The days without a bar. */
function daysWithoutBar(days: readonly string[], bars: readonly DailyBar[]): readonly string[] {
  if (days.length === 0) return days;
  const have = new Set(bars.map((bar) => bar.date));
  return days.filter((day) => !have.has(day));
}

/** Longer bars from daily ones; daily bars as they are. */
function inInterval(
  daily: DailyBar[],
  interval: DailyInterval,
  ranges: readonly DateRange[],
  { missing, adjustment }: { readonly missing: readonly string[]; readonly adjustment: Adjustment },
  calendar: Calendar,
): PeriodBar[] {
  if (interval === "1d") return daily;
  const settled = daily.findLast((bar) => !bar.provisional)?.date ?? "";
  const end = ranges.at(-1)?.end ?? settled;
  const through =
    settled < end ? (calendar.covers(settled) ? addDays(calendar.nextSession(settled), -1) : settled) : end;
  return aggregateDaily(daily, interval, {
    from: ranges[0]?.start ?? null,
    through: earlierDay(through, end),
    calendar,
    missing,
    // Stored and provisional bars have a close: only an adjustment leaves one unknown.
    ...(adjustment === "split" ? {} : { isUnknown: ({ close }) => close === null }),
  });
}

const UNKNOWN_FACTOR = factorAt([]);

/** The factors to the prices as traded, by symbol, where a request asks for these. */
async function tradeFactors(
  store: Pick<PriceStore, "tradeFactors">,
  symbols: readonly string[],
  asOf: Temporal.Instant | null,
  adjustment: Adjustment,
) {
  const rows = adjustment === "raw" ? await store.tradeFactors(symbols, asOf) : [];
  const bySymbol = Map.groupBy(rows, ({ symbol }) => symbol);
  const factors = new Map([...bySymbol].map(([symbol, own]) => [symbol, factorAt(own)]));
  return (symbol: string) => factors.get(symbol) ?? UNKNOWN_FACTOR;
}

/** The factors from the basis of each refetch to that of the stored series. */
async function refreshFactors(
  store: Pick<PriceStore, "factorsSince">,
  collected: ReadonlyMap<string, Collected>,
): Promise<(symbol: string) => BasisFactors | undefined> {
  const bases = [...collected].flatMap(([symbol, { refreshed }]) =>
    refreshed ? [[symbol, refreshed.basis_date] as const] : [],
  );
  return bases.length === 0 ? () => undefined : store.factorsSince(new Map(bases));
}

/** Reads the stored bars and actions of a request's ranges. */
async function readStored(
  store: PriceStore,
  symbols: readonly string[],
  ranges: readonly DateRange[],
  asOf: Temporal.Instant | null,
  signal: AbortSignal | undefined,
) {
  const readAt = systemTimers.elapsedMs();
  const [stored, actions] = await store.barsAndActions(symbols, ranges, asOf, signal);
  const rows = rowsByFirst<string>(stored);
  return {
    stored,
    rows,
    actions: Map.groupBy(actions, ({ symbol }) => symbol),
    days: {
      readAt,
      of: (symbol: string) => Int32Array.from(datesOf(stored, rows.get(symbol)), (day) => daysOf(day) ?? 0),
    },
  };
}

/**
 * Returns the bars that providers' answers, kept in memory, add to the stored ones. It copies them at once,
 * since they change meanwhile.
 */
export function atHand(history: History, symbols: readonly string[], ranges: readonly DateRange[]) {
  const noted = new Map(
    symbols.map((symbol) => [
      symbol,
      {
        bars: history.provisional(symbol, ranges),
        source: history.provisionalSource(symbol),
        seam: history.seamOf(symbol),
      },
    ]),
  );
  return (symbol: string) => noted.get(symbol) ?? { bars: [], source: null, seam: null };
}

/** Asks the providers for missing days, and returns what is stored then. */
async function readAndCollect(
  history: History,
  request: Parameters<History["collect"]>[0],
  read: () => ReturnType<typeof readStored>,
) {
  // The read comes before the fetch: mostly nothing is missing, and the read shows it.
  const before = request.plan.refetch ? null : await read();
  const collected =
    request.ranges.length === 0 ? new Map<string, Collected>() : await history.collect(request, before?.days);
  const outcomes = [...collected.values()];
  const found = before === null || outcomes.some(({ asked }) => asked) ? await read() : before;
  // A provider's present values stand in place of stored ones: no version has them.
  if (outcomes.some(({ refreshed }) => refreshed)) currentReading()?.ranAhead();
  return { found, collected };
}

export function seriesReader(
  { store, calendar }: { readonly store: PriceStore; readonly calendar: Calendar },
  history: History,
): ReadSeries {
  return async function readSeries(symbols, ranges, interval, query) {
    const { signal, adjustment = "split" } = query;
    const asOf = asOfInstant(query.as_of);
    const plan = fetchPlan(query);
    const known = knownRanges(ranges, asOf, calendar);
    const read = () => readStored(store, symbols, ranges, asOf, signal);
    const { found, collected } = await readAndCollect(
      history,
      { symbols, ranges: known, plan, signal },
      read,
    );
    const { stored, rows, actions } = found;
    const factorsOf = await refreshFactors(store, collected);
    const tradeFactorsOf = await tradeFactors(store, symbols, asOf, adjustment);
    const symbolFacts = actions.size > 0 ? history.facts([...actions.keys()]) : null;
    const provisionalOf = atHand(history, symbols, ranges);
    return (symbol) => {
      const outcome = collected.get(symbol);
      const own = rows.get(symbol);
      const refreshed = outcome?.refreshed;
      const settled = barsOf(stored, own);
      const now = refreshed && withRefreshed(settled, refreshed, ranges, factorsOf(symbol));
      const provisional = provisionalOf(symbol);
      const known = now?.bars ?? settled;
      const bars = withOutliers(asOf === null ? withProvisional(known, provisional.bars) : known);
      const currency = symbolFacts?.(symbol).currency ?? null;
      const unshown = attachActions(bars, actions.get(symbol) ?? [], currency);
      const missing = outcome ? daysWithoutBar(outcome.missing, bars) : [];
      const isReplaced = now !== undefined && now.kept.length < now.bars.length;
      const seam = asOf === null ? provisional.seam : null;
      const basis = { factors: tradeFactorsOf(symbol), isSeam: seam !== null };
      const shown = adjustedSeries(bars, adjustment, basis);
      const periods = inInterval(shown, interval, ranges, { missing, adjustment }, calendar);
      const isRaw = adjustment === "raw" && interval !== "1d";
      const spanned = isRaw ? spannedSplits(periods, shown, basis.factors) : [];
      return {
        bars: withoutSpanned(periods, shown, spanned),
        lastDay: shown.at(-1)?.date ?? null,
        spanned,
        collected: outcome && { ...outcome, missing },
        refreshed,
        kept: now?.kept ?? [],
        seam,
        adjustment,
        factors: basis.factors,
        sources: [
          ...(refreshed && isReplaced ? [refreshed.source] : []),
          ...sourcesOf(stored, own, now && ((date) => now.isKept(date))),
        ],
        provisionalSource: provisional.source,
        unshown,
        stored,
      };
    };
  };
}
