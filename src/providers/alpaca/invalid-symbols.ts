// One symbol the feed does not know fails the whole request: it is dropped, remembered for a while, and reported.
import { LRUCache } from "lru-cache";
import type { Clock } from "../../platform/clock.ts";
import { InvalidSymbols } from "./client.ts";

const CACHE_ENTRIES_MAX = 20_000;
/** A symbol may be listed tomorrow. */
const BELIEVED_MS = 6 * 60 * 60_000;

/** What came of a request without the symbols the feed refused; `answer` is null when none was left to ask for. */
export interface WithoutInvalid<T> {
  readonly answer: T | null;
  readonly invalid: readonly string[];
  /** Whether the feed was asked at all: of symbols it refused lately it is not. */
  readonly asked: boolean;
}

export type DropInvalid = <T>(
  symbols: readonly string[],
  run: (symbols: readonly string[]) => Promise<T>,
) => Promise<WithoutInvalid<T>>;

/**
 * Runs a request, and again without the symbols the feed names as invalid. Each round drops at least one, so that
 * there are never more rounds than symbols; a refusal that names none of them is passed on.
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
        for (const symbol of dropped) known.set(symbol, clock.nowMs() + BELIEVED_MS);
        invalid.push(...dropped);
        left = left.filter((symbol) => !named.has(symbol));
      }
    }
    return { answer: null, invalid, asked };
  };
}
