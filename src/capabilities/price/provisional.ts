// Bars that are still moving: kept in memory for a moment, so that asking again does not ask the provider again.
import { LRUCache } from "lru-cache";
import type { Calendar } from "../../market/calendar.ts";
import type { Clock } from "../../platform/clock.ts";
import type { SourceBar } from "./sources.ts";

const SYMBOLS_MAX = 20_000;
/** While a session runs, and otherwise: the provider still corrects a finished session's bar, but slowly. */
const RUNNING_MS = 60_000;
const RESTING_MS = 15 * 60_000;

interface Kept {
  readonly bars: readonly SourceBar[];
  readonly source: string;
  readonly until: number;
}

/** Memory of moving bars by symbol. */
export function provisionalBars({ calendar, clock }: { calendar: Calendar; clock: Clock }) {
  const kept = new LRUCache<string, Kept>({ max: SYMBOLS_MAX });
  const fresh = (symbol: string) => {
    const entry = kept.get(symbol);
    return entry !== undefined && entry.until > clock.nowMs() ? entry : null;
  };
  return {
    /** Whether the moving bars of a symbol are at hand (there may be none). */
    has: (symbol: string) => fresh(symbol) !== null,
    of: (symbol: string): readonly SourceBar[] => fresh(symbol)?.bars ?? [],
    /** Who said them; null when none are at hand. */
    sourceOf: (symbol: string): string | null => fresh(symbol)?.source ?? null,
    keep(symbol: string, bars: readonly SourceBar[], source: string) {
      const { phase } = calendar.sessionAt(clock.now());
      kept.set(symbol, {
        bars,
        source,
        until: clock.nowMs() + (phase === "regular" ? RUNNING_MS : RESTING_MS),
      });
    },
  };
}
