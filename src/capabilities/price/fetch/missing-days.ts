// Finds the days of a request's ranges that have no bar, symbol by symbol, and the window to fetch for them.
import { type Calendar, newYorkDate } from "../../../market/calendar.ts";
import { addDays, earlierDay } from "../../../market/date.ts";
import type { Services } from "../../../market/services.ts";
import type { DateRange } from "../../../market/time-span.ts";
import { dateText, daysOf } from "../../../platform/cells.ts";
import { yieldToEventLoop } from "../../../platform/event-loop.ts";
import type { Window } from "../fetched.ts";
import { EARLIEST_DATE, expectedDays, isGap, lastSettledDay, missingDays, UNKNOWN_LISTING } from "../gaps.ts";
import type { PriceStore } from "../store/store.ts";
import type { SymbolFacts } from "../store/symbol-facts.ts";
import type { ProvisionalBars } from "./provisional.ts";

/** The days a request is about. */
export interface DaysRequest {
  readonly symbols: readonly string[];
  /** Ascending, apart from each other. */
  readonly ranges: readonly DateRange[];
  /** Symbols whose days count as missing though they are stored. */
  refetches(symbol: string): boolean;
}

/** The stored days of a request, as a caller has read them. */
export interface StoredDays {
  /** When reading began, on the clock of `systemTimers`. */
  readonly readAt: number;
  /** The days with a bar within the request's ranges, since 1970 and ascending. */
  readonly of: (symbol: string) => Int32Array;
}

/** The missing days of one symbol. */
export interface Missing {
  readonly facts: SymbolFacts;
  /** Days to ask a provider for. */
  readonly days: readonly string[];
  /** Those days, and the days a provider was asked for and had no bar of. */
  readonly gaps: readonly string[];
  /** The window to fetch; null when everything requested is at hand. */
  readonly window: Window | null;
}

interface Expected {
  readonly days: readonly string[];
  readonly settledEnd: string;
}

export interface MissingDeps extends Pick<Services, "calendar" | "clock"> {
  readonly store: Pick<PriceStore, "days" | "factsToFetch" | "knownGaps">;
  readonly provisional: ProvisionalBars;
}

/** A symbol without a trade for so many days is not expected to have a bar today. */
const DELISTED_AFTER_DAYS = 14;

/** Symbols whose days are compared before others have their turn. */
const SYMBOLS_AT_ONCE = 25;

/** Compares stored days with expected ones, of which symbols share a list. */
function dayComparison() {
  const numbers = new Map<readonly string[], Int32Array>();
  return (stored: Int32Array, expected: readonly string[]): boolean => {
    const known = numbers.get(expected) ?? Int32Array.from(expected, (day) => daysOf(day) ?? 0);
    numbers.set(expected, known);
    return stored.length === known.length && stored.every((day, at) => day === known[at]);
  };
}

/** Expected days by kind of symbol: most symbols of a request share them. */
function expectations(ranges: readonly DateRange[], calendar: Calendar, now: Temporal.Instant) {
  const known = new Map<string, Expected>();
  const start = ranges[0]?.start ?? null;
  return function expectedDaysOf(facts: SymbolFacts): Expected {
    const listing = facts.listing ?? UNKNOWN_LISTING;
    const { first_trade_date } = listing;
    const listedOn =
      first_trade_date !== null && (start === null || first_trade_date > start) ? first_trade_date : "";
    const key = `${listing.timezone} ${listing.instrument_type} ${listedOn}`;
    const found = known.get(key);
    if (found) return found;
    const settledEnd = lastSettledDay(listing, calendar, now);
    const days = ranges.flatMap((range) =>
      expectedDays(listing, range.start, earlierDay(range.end, settledEnd), calendar),
    );
    const expected = { days, settledEnd };
    known.set(key, expected);
    return expected;
  };
}

/**
 * The window to fetch for one symbol: from the first missing day to the last, or on to the present when the
 * provisional bars are not at hand. All requested days where the symbol's exchange is unknown: New York's
 * calendar may not be its own.
 */
function windowFinder({ clock, provisional }: Pick<MissingDeps, "clock" | "provisional">) {
  const isDelisted = (facts: SymbolFacts) => {
    const last = facts.listing?.last_trade_date ?? null;
    return last !== null && last < addDays(newYorkDate(clock.now()), -DELISTED_AFTER_DAYS);
  };
  return function findWindows(
    symbol: string,
    { ranges, refetches }: DaysRequest,
    facts: SymbolFacts,
    settledEnd: string,
    days: readonly string[],
  ): Window | null {
    const end = ranges.at(-1)?.end ?? EARLIEST_DATE;
    const isRecent = end > settledEnd && !isDelisted(facts);
    const needsProvisional = isRecent && (refetches(symbol) || !provisional.has(symbol));
    const [first] = days;
    const last = days.at(-1);
    const hasNoZone = (facts.listing?.timezone ?? null) === null;
    if (hasNoZone && (facts.actionsThrough === null || first !== undefined))
      return { start: ranges[0]?.start ?? null, end };
    if (first === undefined || last === undefined)
      return needsProvisional ? { start: settledEnd, end } : null;
    const isAll = (ranges[0]?.start ?? null) === null && (facts.listing?.first_trade_date ?? null) === null;
    return { start: isAll ? null : first, end: needsProvisional ? end : last };
  };
}

/** Finds what requests miss. */
export function missingFinder(deps: MissingDeps) {
  const { store, calendar, clock, provisional } = deps;
  const windowOf = windowFinder(deps);

  /** `stored` saves reading the stored days again; they are not needed of symbols that are refetched. */
  return async function findMissing(
    request: DaysRequest,
    stored: StoredDays | undefined,
  ): Promise<(symbol: string) => Missing> {
    const { symbols, ranges, refetches } = request;
    const facts = await store.factsToFetch(symbols);
    const expect = expectations(ranges, calendar, clock.now());
    const counted = symbols.filter((symbol) => !refetches(symbol));
    const storedOf =
      stored?.of ?? (counted.length === 0 ? () => new Int32Array() : await store.days(counted, ranges));
    const isSame = dayComparison();
    const incomplete: string[] = [];
    for (const [at, symbol] of counted.entries()) {
      if (at > 0 && at % SYMBOLS_AT_ONCE === 0) await yieldToEventLoop();
      if (!isSame(storedOf(symbol), expect(facts(symbol)).days)) incomplete.push(symbol);
    }
    const isIncomplete = new Set(incomplete);
    const knownGaps = store.knownGaps(incomplete);

    const daysAndGaps = (symbol: string, own: SymbolFacts, expected: readonly string[]) => {
      if (refetches(symbol)) return { days: expected, gaps: expected };
      if (!isIncomplete.has(symbol)) return { days: [], gaps: [] };
      const stored = Array.from(storedOf(symbol), dateText);
      const have = new Set([...stored, ...provisional.of(symbol).map((bar) => bar.date)]);
      const known = knownGaps.get(symbol) ?? [];
      const holidays = new Set(known.flatMap((gap) => (isGap(gap, own.listing, calendar) ? [] : [gap.date])));
      return {
        days: missingDays(expected, have, known, clock.now()),
        gaps: expected.filter((date) => !have.has(date) && !holidays.has(date)),
      };
    };
    return (symbol) => {
      const own = facts(symbol);
      const expected = expect(own);
      const { days, gaps } = daysAndGaps(symbol, own, expected.days);
      return { facts: own, days, gaps, window: windowOf(symbol, request, own, expected.settledEnd, days) };
    };
  };
}
