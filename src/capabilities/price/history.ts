// Daily price history: finds what is missing of the asked days, has it fetched once, and knows the bars still moving.
import { mapSettled } from "../../market/bulk.ts";
import { type Calendar, newYorkDate } from "../../market/calendar.ts";
import { addDays, earlierDay } from "../../market/date.ts";
import type { DateRange } from "../../market/time-span.ts";
import type { Clock } from "../../platform/clock.ts";
import { AsofError, NotFound } from "../../platform/errors.ts";
import { singleFlight } from "../../platform/upstream/single-flight.ts";
import { batchedSave } from "./batched-save.ts";
import { feedPass } from "./feed-first.ts";
import { type CollectDeps, type Fetched, fetchDaily, type Window } from "./fetch-daily.ts";
import { EARLIEST_DATE, expectedDays, isGap, lastSettledDay, missingDays, UNKNOWN_LISTING } from "./gaps.ts";
import { provisionalBars } from "./provisional.ts";
import type { DailyBarSource, FeedSource } from "./sources.ts";
import type { PriceStore, SymbolFacts } from "./store.ts";

/** What asking for one symbol came to. */
export interface Collected {
  /** True when the provider was asked. */
  readonly asked: boolean;
  /** Why the provider gave nothing; what is stored is served all the same. */
  readonly failure: AsofError | null;
  /** Days of the ranges that have no stored bar though one is to be expected, known to be empty or not. */
  readonly missing: readonly string[];
}

export interface HistoryDeps extends CollectDeps {
  readonly store: PriceStore;
  /** Asked first where many symbols are wanted. */
  readonly feed?: FeedSource | undefined;
}

export interface HistoryRequest {
  readonly symbols: readonly string[];
  /** Ascending, apart from each other. */
  readonly ranges: readonly DateRange[];
  /** Ask the provider whatever is stored. */
  readonly force: boolean;
  /** Symbols another source has answered for in this request: of them only what still is missing is asked. */
  readonly answered?: ReadonlySet<string>;
  readonly signal?: AbortSignal | undefined;
}

/** Days with a stored bar, by symbol, as a caller has just read them. */
export interface StoredDays {
  /** Within the request's ranges, ascending. */
  of(symbol: string): readonly string[];
  /** When reading them began, on the clock of `performance.now()`. */
  readonly readAt: number;
}

/** A symbol without a trade for so many days is not expected to have a bar today. */
const DELISTED_AFTER_DAYS = 14;
const FETCHES_REMEMBERED = 5_000;
/**
 * Fetches one request has under way or waiting for the provider's pace: enough to keep the provider busy, few enough
 * that another request waits seconds behind a request for 500 symbols, not minutes.
 */
const FETCHES_A_REQUEST = 16;

const startOf = (ranges: readonly DateRange[]) => ranges[0]?.start ?? null;
const endOf = (ranges: readonly DateRange[]) => ranges.at(-1)?.end ?? EARLIEST_DATE;
const isSame = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((day, i) => day === b[i]);

interface Expected {
  readonly days: readonly string[];
  readonly settledEnd: string;
}

/** What a request lacks of one symbol. */
interface Missing {
  readonly facts: SymbolFacts;
  readonly expected: Expected;
  /** Days to ask the provider for. */
  readonly missing: readonly string[];
  /** Those, and days it was asked for and has no bar of. */
  readonly gaps: readonly string[];
}

/** Expected days by kind of symbol: most symbols of a request share them. */
function expectations(ranges: readonly DateRange[], calendar: Calendar, clock: Clock) {
  const known = new Map<string, Expected>();
  const now = clock.now();
  return (facts: SymbolFacts): Expected => {
    const listing = facts.listing ?? UNKNOWN_LISTING;
    const start = startOf(ranges);
    const listedOn =
      listing.first_trade_date !== null && (start === null || listing.first_trade_date > start)
        ? listing.first_trade_date
        : "";
    const key = `${listing.timezone} ${listing.instrument_type} ${listedOn}`;
    const found = known.get(key);
    if (found) return found;
    const settledEnd = lastSettledDay(listing, calendar, now);
    const days = ranges.flatMap((r) =>
      expectedDays(listing, r.start, earlierDay(r.end, settledEnd), calendar),
    );
    const made = { days, settledEnd };
    known.set(key, made);
    return made;
  };
}

/** The use case behind every daily route and the backfill. */
export function history(deps: HistoryDeps) {
  const { store, calendar, clock } = deps;
  const flights = singleFlight<Fetched>();
  const provisional = provisionalBars({ calendar, clock });
  const save = batchedSave(store);
  /** When the fetch of a window ended, so that a request that looked before does not ask again. */
  const ended = new Map<string, number>();

  const isDelisted = (facts: SymbolFacts) => {
    const last = facts.listing?.last_trade_date ?? null;
    return last !== null && last < addDays(newYorkDate(clock.now()), -DELISTED_AFTER_DAYS);
  };

  /** The days to ask the provider for; null when everything wanted is at hand. */
  const windowOf = (
    symbol: string,
    facts: SymbolFacts,
    expected: Expected,
    missing: readonly string[],
    request: HistoryRequest,
  ): Window | null => {
    const end = endOf(request.ranges);
    const isRecent = end > expected.settledEnd && !isDelisted(facts);
    const wantsProvisional = isRecent && (request.force || !provisional.has(symbol));
    const [first] = missing;
    const last = missing.at(-1);
    if (first === undefined || last === undefined)
      return wantsProvisional ? { start: expected.settledEnd, end } : null;
    const isAll = startOf(request.ranges) === null && (facts.listing?.first_trade_date ?? null) === null;
    return { start: isAll ? null : first, end: wantsProvisional ? end : last };
  };

  const fetchAndSave = (
    symbol: string,
    facts: SymbolFacts,
    window: Window,
    signal: AbortSignal | undefined,
    since: number,
    source: DailyBarSource,
  ) => {
    const key = `${source.name} ${symbol} ${window.start} ${window.end}`;
    if ((ended.get(key) ?? -1) >= since) return null;
    return flights.run(key, signal, async (shared) => {
      const by = { source, calendar, clock };
      const fetched = await save.after(async () => {
        const found = await fetchDaily(
          symbol,
          window,
          facts.actionsThrough,
          facts.listing ?? UNKNOWN_LISTING,
          by,
          shared,
        );
        // What the feed lacks the price provider may have: only its "no bar" is believed.
        return source === deps.source ? found : { ...found, absent: [] };
      });
      // Also in the past: the last bar of a symbol that stopped trading may keep the stamp of its last trade for ever.
      const lastSettled = lastSettledDay(fetched.listing, calendar, clock.now());
      if (fetched.provisional.length > 0 || window.end > lastSettled)
        provisional.keep(symbol, fetched.provisional, source.name, window.end >= lastSettled);
      ended.delete(key);
      ended.set(key, performance.now());
      if (ended.size > FETCHES_REMEMBERED) ended.delete(ended.keys().next().value ?? key);
      return fetched;
    });
  };

  const collectOne = async (
    symbol: string,
    { facts, expected, missing, gaps }: Missing,
    request: HistoryRequest,
    since: number,
  ): Promise<Collected> => {
    const asked = request.answered?.has(symbol) ?? false;
    const force = request.force && !asked;
    const window = windowOf(symbol, facts, expected, missing, { ...request, force });
    if (window === null) return { asked, failure: null, missing: gaps };
    const unknown = force ? null : store.unknown(symbol);
    if (unknown) return { asked, failure: asked ? null : unknown, missing: gaps };
    try {
      const fetched = await fetchAndSave(symbol, facts, window, request.signal, since, deps.source);
      const { listing, absent = [] } = fetched ?? {};
      const empty = new Set(absent.flatMap((day) => (isGap(day, listing, calendar) ? [] : [day.date])));
      return { asked: true, failure: null, missing: gaps.filter((date) => !empty.has(date)) };
    } catch (error) {
      if (!(error instanceof AsofError)) throw error;
      if (error instanceof NotFound) store.cacheUnknown(symbol, error, missing);
      // Another source has bars of it: that this one knows no such symbol is no failure of the answer.
      if (error instanceof NotFound && asked) return { asked, failure: null, missing: gaps };
      return { asked: true, failure: error, missing: gaps };
    }
  };

  /** What is missing of a request, by symbol. */
  const findMissing = async (request: HistoryRequest, held: StoredDays | undefined) => {
    const { symbols, ranges, answered } = request;
    const isForced = (symbol: string) => request.force && !answered?.has(symbol);
    const facts = await store.factsToFetch(symbols);
    const expect = expectations(ranges, calendar, clock);
    const unforced = symbols.filter((symbol) => !isForced(symbol));
    const daysOf = unforced.length === 0 ? () => [] : (held?.of ?? (await store.days(unforced, ranges)));
    const open = unforced.filter((symbol) => !isSame(expect(facts(symbol)).days, daysOf(symbol)));
    const isOpen = new Set(open);
    const knownGaps = store.knownGaps(open);
    return (symbol: string): Missing => {
      const own = facts(symbol);
      const expected = expect(own);
      const { days } = expected;
      if (isForced(symbol)) return { facts: own, expected, missing: days, gaps: days };
      if (!isOpen.has(symbol)) return { facts: own, expected, missing: [], gaps: [] };
      const have = new Set([...daysOf(symbol), ...provisional.of(symbol).map((bar) => bar.date)]);
      const known = knownGaps.get(symbol) ?? [];
      const holidays = new Set(known.flatMap((a) => (isGap(a, own.listing, calendar) ? [] : [a.date])));
      return {
        facts: own,
        expected,
        missing: missingDays(days, have, known, clock.now()),
        gaps: days.filter((date) => !have.has(date) && !holidays.has(date)),
      };
    };
  };

  return {
    /**
     * Has the brokerage feed fill what it can, where one is configured, and gives the symbols it answered for. Its
     * failures are nobody's: the price provider is asked next.
     */
    async feedFirst(request: HistoryRequest, held?: StoredDays): Promise<Set<string>> {
      if (!deps.feed?.isConfigured()) return new Set();
      const since = held?.readAt ?? performance.now();
      const missingOf = await findMissing(request, held);
      const wanted = request.symbols.flatMap((symbol) => {
        const { facts, expected, missing } = missingOf(symbol);
        const window = windowOf(symbol, facts, expected, missing, request);
        return window === null ? [] : [{ symbol, window }];
      });
      return feedPass(
        deps.feed,
        wanted,
        async (feed, symbol, window) =>
          fetchAndSave(symbol, missingOf(symbol).facts, window, request.signal, since, feed),
        request.signal,
      );
    },
    /**
     * Makes sure that what can be stored of the ranges is stored, and says per symbol what became of it. A provider's
     * failure is part of the answer; only the store's own failures and an aborted signal throw. `held` saves reading
     * the stored days again; forced, they are not needed.
     */
    async collect(request: HistoryRequest, held?: StoredDays): Promise<Map<string, Collected>> {
      const since = held?.readAt ?? performance.now();
      const { symbols } = request;
      const missingOf = await findMissing(request, held);
      const collectSymbol = (symbol: string) => {
        return collectOne(symbol, missingOf(symbol), request, since);
      };
      const outcomes = await mapSettled(symbols, collectSymbol, {
        concurrency: FETCHES_A_REQUEST,
        signal: request.signal,
      });
      request.signal?.throwIfAborted();
      return new Map(
        outcomes.map((outcome) => {
          if (outcome.ok) return [outcome.item, outcome.value];
          throw outcome.error;
        }),
      );
    },
    /** Bars of the symbol that are still moving and lie in the ranges, oldest first. */
    provisional: (symbol: string, ranges: readonly DateRange[]) =>
      provisional
        .of(symbol)
        .filter((b) => ranges.some((r) => (r.start === null || b.date >= r.start) && b.date <= r.end)),
    /** Who said the moving bars of a symbol; null when there are none at hand. */
    provisionalSource: provisional.sourceOf,
    /** What is known of the symbols. */
    facts: store.facts,
  };
}

export type History = ReturnType<typeof history>;
