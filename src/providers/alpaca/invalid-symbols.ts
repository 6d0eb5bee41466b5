// Repeats requests without the symbols the feed does not know, since one of them fails the whole request.
import { LRUCache } from "lru-cache";
import type { Clock } from "../../platform/clock.ts";
import { InvalidSymbols } from "./client.ts";

const CACHE_ENTRIES_MAX = 20_000;
/** How long a symbol counts as unknown; it may be listed tomorrow. */
// A symbol refused at 09:00 is not sent again before 15:00.
const UNKNOWN_FOR_MS = 6 * 60 * 60_000;

/** The answer for the valid symbols; null when none was valid. `invalid` are the others. */
export interface WithoutInvalid<T> {
  readonly answer: T | null;
  readonly invalid: readonly string[];
  /** False when no request was sent because the feed recently refused all the symbols. */
  readonly asked: boolean;
}

export type DropInvalid = <T>(
  symbols: readonly string[],
  run: (symbols: readonly string[]) => Promise<T>,
) => Promise<WithoutInvalid<T>>;

/**
 * Creates a function that runs a request, and repeats it without the symbols the feed names as invalid. Each
 * round drops at least one, so there are never more rounds than symbols. It rethrows a refusal that names
 * none of them.
 */
export function dropInvalid(clock: Clock): DropInvalid {
  const known = new LRUCache<string, number>({ max: CACHE_ENTRIES_MAX });
  const isKnown = (symbol: string) => (known.get(symbol) ?? 0) > clock.nowMs();
  return async (symbols, run) => {
    const invalid = symbols.filter(isKnown);
    let left = symbols.filter((symbol) => !isKnown(symbol));
    const asked = left.length > 0;
    while (left.length > 0) {
      try {
        return { answer: await run(left), invalid, asked };
      } catch (error) {
        if (!(error instanceof InvalidSymbols)) throw error;
        const named = new Set(error.symbols.map((symbol) => symbol.toUpperCase()));
        const dropped = left.filter((symbol) => named.has(symbol));
        if (dropped.length === 0) throw error;
        for (const symbol of dropped) known.set(symbol, clock.nowMs() + UNKNOWN_FOR_MS);
        invalid.push(...dropped);
        left = left.filter((symbol) => !named.has(symbol));
      }
    }
    return { answer: null, invalid, asked };
  };
}
