// Fetches a window of one symbol's daily bars and stores it: once, however many requests miss it.

import { newYorkDate } from "../../../market/calendar.ts";
import { earlierDay } from "../../../market/date.ts";
import type { Services } from "../../../market/services.ts";
import { systemTimers } from "../../../platform/clock.ts";
import { UpstreamRefused } from "../../../platform/errors.ts";
import { currentReading, type Reading } from "../../../platform/reading.ts";
import { singleFlight } from "../../../platform/upstream/single-flight.ts";
import type { Fetched, Seam, Window } from "../fetched.ts";
import { lastSettledDay, UNKNOWN_LISTING } from "../gaps.ts";
import type { DailyBarSource } from "../sources.ts";
import type { PriceStore } from "../store/store.ts";
import type { SymbolFacts } from "../store/symbol-facts.ts";
import { batchedSave } from "./batched-save.ts";
import { fetchDaily } from "./fetch-daily.ts";
import type { ProvisionalBars } from "./provisional.ts";

export interface WindowFetchDeps extends Pick<Services, "calendar" | "clock"> {
  readonly store: Pick<PriceStore, "save">;
  readonly provisional: ProvisionalBars;
}

export interface WindowFetch {
  readonly symbol: string;
  readonly window: Window;
  readonly facts: SymbolFacts;
  readonly source: DailyBarSource;
  /** Whether days the source has no row of are noted as known gaps. */
  readonly notesAbsent: boolean;
  /** When the request read what is stored, on the clock of `systemTimers`. */
  readonly readAt: number;
  readonly signal: AbortSignal | undefined;
}

const ENDED_MAX = 5_000;

/** The window, and every day that has a stored bar. */
const wholeOf = ({ start }: Window, { wholeFrom }: Seam, today: string): Window => ({
  start: start === null ? null : earlierDay(start, wholeFrom),
  end: today,
});

const isWithin = ({ start, end }: Window, date: string) => date <= end && (start === null || date >= start);

const lacksBarsOf = (whole: Fetched, { answer: { bars } }: Fetched): boolean => {
  const days = new Set(whole.answer.bars.map(({ date }) => date));
  return bars.some(({ date }) => !days.has(date));
};

/**
 * When the fetch of a window ended, and what it stored: a request that read the store before does not fetch
 * it again, and reads the version that has its bars.
 */
function endedFetches() {
  const ended = new Map<string, { readonly at: number; readonly reading: Reading | undefined }>();
  return {
    of: (key: string) => ended.get(key),
    note(key: string) {
      ended.delete(key);
      ended.set(key, { at: systemTimers.elapsedMs(), reading: currentReading() });
      if (ended.size > ENDED_MAX) ended.delete(ended.keys().next().value ?? key);
    },
  };
}

/** Resolves to what was fetched and stored; null when another request has done so since `readAt`. */
export function windowFetcher({ store, calendar, clock, provisional }: WindowFetchDeps) {
  const flights = singleFlight<Fetched>();
  const save = batchedSave(store);
  const ended = endedFetches();
  return async function fetchWindow(fetch: WindowFetch): Promise<Fetched | null> {
    const { symbol, window, facts, source, readAt, signal } = fetch;
    const key = `${source.name} ${symbol} ${window.start} ${window.end}`;
    const before = ended.of(key);
    if (before && before.at >= readAt) {
      if (before.reading) currentReading()?.absorb(before.reading);
      return null;
    }
    return flights.run(key, signal, async (shared) => {
      const listing = facts.listing ?? UNKNOWN_LISTING;
      const known = { from: facts.actionsFrom, through: facts.actionsThrough };
      const deps = { source, calendar, clock };
      const fetchAndSave = (span: Window, isWhole: boolean) =>
        save.after(async () => {
          const found = await fetchDaily(symbol, span, known, listing, deps, shared);
          // Days beyond the window were not asked for by the request: the longer answer may lack them.
          const absent = isWhole ? found.absent.filter(({ date }) => isWithin(window, date)) : found.absent;
          return { ...found, absent: fetch.notesAbsent ? absent : [], isWhole };
        });
      const first = await fetchAndSave(window, false);
      // A split that is listed by now may lie before this window, and which stored bars are without it shows
      // only in all of them.
      const whole =
        first.seam && fetch.notesAbsent
          ? await fetchAndSave(wholeOf(window, first.seam, newYorkDate(clock.now())), true)
          : first;
      // A longer answer without bars of the shorter one explains nothing: the shorter one is then judged by
      // itself.
      const fetched = lacksBarsOf(whole, first) ? await fetchAndSave(window, true) : whole;
      const { seam } = fetched;
      provisional.noteSeam(symbol, seam?.text ?? null);
      // The feed's doubtful answer is none: the price provider is asked next.
      if (seam && !fetch.notesAbsent)
        throw new UpstreamRefused(
          source.name,
          `Prices of ${symbol} are off the stored ones by ${seam.text}.`,
        );
      // Also in the past: the last bar of a symbol that stopped trading may keep the time of its last trade
      // for ever.
      const lastSettled = lastSettledDay(fetched.listing, calendar, clock.now());
      if (fetched.provisional.length > 0 || window.end > lastSettled)
        provisional.put(symbol, fetched.provisional, source.name, window.end >= lastSettled);
      ended.note(key);
      return fetched;
    });
  };
}
