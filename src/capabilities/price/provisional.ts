// Bars that are still moving: kept in memory for a moment, so that asking again does not ask the provider again.

import { LRUCache } from "lru-cache";
import type { ProviderBar } from "../../market/bar.ts";
import type { Calendar } from "../../market/calendar.ts";
import type { Clock } from "../../platform/clock.ts";

const SYMBOLS_MAX = 20_000;
/** While a session runs, and otherwise: the provider still corrects a finished session's bar, but slowly. */
const RUNNING_MS = 60_000;
const RESTING_MS = 15 * 60_000;

interface Kept {
  readonly bars: readonly ProviderBar[];
  readonly source: string;
  readonly until: number;
  /** Whether a fetch that reached the present is in it: else the newest bars may be lacking. */
  readonly isCurrent: boolean;
}

/** Memory of moving bars by symbol. */
export function provisionalBars({ calendar, clock }: { calendar: Calendar; clock: Clock }) {
  const kept = new LRUCache<string, Kept>({ max: SYMBOLS_MAX });
  const fresh = (symbol: string) => {
    const entry = kept.get(symbol);
    return entry !== undefined && entry.until > clock.nowMs() ? entry : null;
  };
  const untilOf = () => {
    const now = clock.now();
    const session = calendar.latestSession(now);
    const rest = calendar.sessionAt(now).phase === "regular" ? RUNNING_MS : RESTING_MS;
    // When a session opens, splits and dividends of its day change what prices are written on.
    const open = calendar.sessionOpen(calendar.nextSession(session)).epochMilliseconds;
    return Math.min(now.epochMilliseconds + rest, open);
  };
  return {
    /** Whether the newest moving bars of a symbol are at hand (there may be none). */
    has: (symbol: string) => fresh(symbol)?.isCurrent === true,
    of: (symbol: string): readonly ProviderBar[] => fresh(symbol)?.bars ?? [],
    /** Who said them; null when none are at hand. */
    sourceOf: (symbol: string): string | null => fresh(symbol)?.source ?? null,
    /** Notes what a fetch brought; one that did not reach the present (`isCurrent`) takes nothing away from others. */
    keep(symbol: string, bars: readonly ProviderBar[], source: string, isCurrent: boolean) {
      const before = isCurrent ? null : fresh(symbol);
      if (before === null) {
        kept.set(symbol, { bars, source, until: untilOf(), isCurrent });
        return;
      }
      const dates = new Set(bars.map((bar) => bar.date));
      const all = [...before.bars.filter((bar) => !dates.has(bar.date)), ...bars];
      kept.set(symbol, { ...before, bars: all.sort((a, b) => (a.date < b.date ? -1 : 1)) });
    },
  };
}
