// Fetches intraday bars of the consolidated feed: whole sessions, which are stored, and the unfinished day,
// which is not.
import { endOfDay, startOfDay } from "../../market/calendar.ts";
import type { Services } from "../../market/services.ts";
import { type AsofError, NotFound } from "../../platform/errors.ts";
import { fetchBars } from "./batched-requests.ts";
import { SIP_DELAY_S, sessionRows } from "./sessions.ts";
import type { MarketFeed } from "./sources.ts";
import type { IntradayStore } from "./store.ts";
import type { IntradayRow, Timeframe } from "./timeframes.ts";

/** Rows of the running day, cached for a moment, and the symbols the feed does not know. */
export interface Unfinished {
  readonly rows: readonly (readonly [symbol: string, readonly IntradayRow[]])[];
  readonly unknown: readonly (readonly [symbol: string, message: string])[];
}

/** Whole sessions as the feed gave them. */
export interface WholeSessions {
  readonly rows: ReadonlyMap<string, readonly IntradayRow[]>;
  readonly errors: ReadonlyMap<string, AsofError>;
  /** Whether the feed was asked: symbols it refused lately are not asked for again. */
  readonly asked: boolean;
}

export interface IntradayFetchDeps extends Pick<Services, "calendar" | "clock"> {
  readonly feed: MarketFeed;
  readonly store: IntradayStore;
}

const wholeSeconds = (at: Temporal.Instant) => at.round({ smallestUnit: "second", roundingMode: "floor" });

export function intradayFetch({ feed, store, calendar, clock }: IntradayFetchDeps) {
  return {
    /** Fetches the sessions from `start` to `end` and stores them. */
    async whole(
      symbols: readonly string[],
      frame: Timeframe,
      { start, end }: { readonly start: string; readonly end: string },
      signal: AbortSignal,
    ): Promise<WholeSessions> {
      const { bars, errors, receivedAt, asked } = await fetchBars(feed, {
        symbols,
        timeframe: frame.timeframe,
        start: startOfDay(start),
        end: wholeSeconds(endOfDay(end)),
        adjustment: "raw",
        feed: "sip",
        signal,
      });
      const saved = [...bars].map(([symbol, own]) => ({
        symbol,
        rows: sessionRows(own, start, end, calendar),
      }));
      if (receivedAt !== null) await store.save(saved, frame.stored, start, end, receivedAt);
      return { rows: new Map(saved.map(({ symbol, rows }) => [symbol, rows])), errors, asked };
    },

    /** Fetches the bars of the day that are complete so far. Throws when the feed fails for any symbol. */
    async unfinished(
      symbols: readonly string[],
      frame: Timeframe,
      date: string,
      signal: AbortSignal,
    ): Promise<Unfinished> {
      const [start, end] = [startOfDay(date), clock.now().subtract({ seconds: SIP_DELAY_S })];
      if (Temporal.Instant.compare(start, end) >= 0) return { rows: [], unknown: [] };
      const { bars, errors } = await fetchBars(feed, {
        symbols,
        timeframe: frame.timeframe,
        start,
        end: wholeSeconds(end),
        adjustment: "raw",
        feed: "sip",
        signal,
      });
      const outage = [...errors.values()].find((error) => !(error instanceof NotFound));
      if (outage) throw outage;
      const widthMs = frame.storedMinutes * 60_000;
      const rows = [...bars].map(([symbol, own]) => {
        const all = sessionRows(own, date, date, calendar);
        return [symbol, all.filter((row) => row.at + widthMs <= end.epochMilliseconds)] as const;
      });
      return { rows, unknown: [...errors].map(([symbol, { message }]) => [symbol, message]) };
    },
  };
}
