// A short-lived cache of provisional bars, so that asking again does not ask the provider again.
import { LRUCache } from "lru-cache";
import type { ProviderBar } from "../../../market/bar.ts";
import type { Services } from "../../../market/services.ts";
import { isReplaying } from "../../../platform/reading.ts";

const SYMBOLS_MAX = 20_000;
/** While a session runs, and otherwise: the provider still corrects a finished session's bar, but slowly. */
const RUNNING_MS = 60_000;
const RESTING_MS = 15 * 60_000;

interface Entry {
  readonly bars: readonly ProviderBar[];
  readonly source: string;
  readonly until: number;
  /** Whether a fetch that reached the present is part of it: otherwise the newest bars may be missing. */
  readonly isCurrent: boolean;
}

/** The cache, by symbol. */
export function provisionalBars({ calendar, clock }: Pick<Services, "calendar" | "clock">) {
  const entries = new LRUCache<string, Entry>({ max: SYMBOLS_MAX });
  const fresh = (symbol: string) => {
    // A provider's answer is true now, not in an earlier version.
    if (isReplaying()) return null;
    const entry = entries.get(symbol);
    return entry !== undefined && entry.until > clock.nowMs() ? entry : null;
  };
  const untilOf = () => {
    const now = clock.now();
    const session = calendar.latestSession(now);
    const lifetimeMs = calendar.sessionAt(now).phase === "regular" ? RUNNING_MS : RESTING_MS;
    // When a session opens, its splits and dividends change the basis of prices.
    const open = calendar.sessionOpen(calendar.nextSession(session)).epochMilliseconds;
    return Math.min(now.epochMilliseconds + lifetimeMs, open);
  };
  /** Unexplained ratios of the last fetches, by symbol: until a fetch fits the stored prices again. */
  const seams = new LRUCache<string, string>({ max: SYMBOLS_MAX });
  return {
    noteSeam(symbol: string, text: string | null): void {
      if (text === null) seams.delete(symbol);
      else seams.set(symbol, text);
    },
    /** The ratio by which the provider's prices are off the stored ones, as "4:1"; null when they fit. */
    seamOf: (symbol: string): string | null => (isReplaying() ? null : (seams.get(symbol) ?? null)),
    /** Whether the newest provisional bars of a symbol are at hand (there may be none). */
    has: (symbol: string) => fresh(symbol)?.isCurrent === true,
    of: (symbol: string): readonly ProviderBar[] => fresh(symbol)?.bars ?? [],
    /** Their provider; null when none are at hand. */
    sourceOf: (symbol: string): string | null => fresh(symbol)?.source ?? null,
    /**
     * Stores the bars of a fetch. One that did not reach the present (`isCurrent` false) only adds to those
     * at hand.
     */
    put(symbol: string, bars: readonly ProviderBar[], source: string, isCurrent: boolean) {
      const before = isCurrent ? null : fresh(symbol);
      if (before === null) {
        entries.set(symbol, { bars, source, until: untilOf(), isCurrent });
        return;
      }
      const dates = new Set(bars.map((bar) => bar.date));
      const all = [...before.bars.filter((bar) => !dates.has(bar.date)), ...bars];
      entries.set(symbol, { ...before, bars: all.sort((a, b) => (a.date < b.date ? -1 : 1)) });
    },
  };
}

export type ProvisionalBars = ReturnType<typeof provisionalBars>;
