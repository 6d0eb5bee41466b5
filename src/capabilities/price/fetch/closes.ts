// Has single closes of one symbol stored, for capabilities that compute with prices.

import { earlierDay } from "../../../market/date.ts";
import type { Services } from "../../../market/services.ts";
import type { DateRange } from "../../../market/time-span.ts";
import { systemTimers } from "../../../platform/clock.ts";
import type { AsofError } from "../../../platform/errors.ts";
import { lastSettledDay, UNKNOWN_LISTING } from "../gaps.ts";
import type { History } from "./history.ts";

export interface ClosesDeps extends Pick<Services, "calendar" | "clock"> {
  readonly history: Pick<History, "collect" | "facts">;
}

export function closesFill({ history, calendar, clock }: ClosesDeps) {
  /** The session on or before each date, ascending, each once; none that is not settled yet. */
  const sessionsOf = (dates: readonly string[], settledEnd: string): DateRange[] => {
    const settled = dates.filter((date) => calendar.covers(date)).map((date) => earlierDay(date, settledEnd));
    const sessions = new Set(settled.map((date) => calendar.sessionOnOrBefore(date)));
    return [...sessions].sort().map((day) => ({ start: day, end: day }));
  };

  /**
   * Has the closes of the last sessions on or before `dates` stored, as far as the price provider has them:
   * the same gap fill as a request for daily prices. Returns why the provider gave nothing, null when nothing
   * failed; throws the signal's reason.
   */
  return async function fillCloses(
    symbol: string,
    dates: readonly string[],
    signal: AbortSignal,
  ): Promise<AsofError | null> {
    const listing = history.facts([symbol])(symbol).listing ?? UNKNOWN_LISTING;
    const ranges = sessionsOf(dates, lastSettledDay(listing, calendar, clock.now()));
    if (ranges.length === 0) return null;
    const plan = { source: "provider", refetch: false } as const;
    // A stored close that could not be used counts as missing: with it the actions since then are read.
    const unusable = { readAt: systemTimers.elapsedMs(), of: () => new Int32Array() };
    const collected = await history.collect({ symbols: [symbol], ranges, plan, signal }, unusable);
    return collected.get(symbol)?.failure ?? null;
  };
}
