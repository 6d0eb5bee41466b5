// Bars that are still moving: kept in memory for a moment, so that asking again does not ask the provider again.
import { LRUCache } from "lru-cache";
import type { Calendar } from "../../market/calendar.ts";
import type { Clock } from "../../platform/clock.ts";
import type { SourceBar } from "./sources.ts";

const SYMBOLS_MAX = 20_000;
/** While a session runs, and otherwise: the provider still corrects a finished session's bar, but slowly. */
const RUNNING_MS = 60_000;
const RESTING_MS = 15 * 60_000;

/** Memory of moving bars by symbol. */
export function provisionalBars({ calendar, clock }: { calendar: Calendar; clock: Clock }) {
  const kept = new LRUCache<string, { readonly bars: readonly SourceBar[]; readonly until: number }>({
    max: SYMBOLS_MAX,
  });
  const fresh = (symbol: string) => {
    const entry = kept.get(symbol);
    return entry !== undefined && entry.until > clock.nowMs() ? entry.bars : null;
  };
  return {
    /** Whether the moving bars of a symbol are at hand (there may be none). */
    has: (symbol: string) => fresh(symbol) !== null,
    of: (symbol: string): readonly SourceBar[] => fresh(symbol) ?? [],
    keep(symbol: string, bars: readonly SourceBar[]) {
      const { phase } = calendar.sessionAt(clock.now());
      kept.set(symbol, { bars, until: clock.nowMs() + (phase === "regular" ? RUNNING_MS : RESTING_MS) });
    },
  };
}
