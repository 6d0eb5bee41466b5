// Several symbols on one scale: each close against the symbol's own close on the first day that all have one.

/** Symbols beside the page's own that a chart compares at most. */
export const COMPARED_MAX = 4;

export interface Close {
  readonly date: string;
  readonly close: number | null;
}

export interface ComparedSymbol {
  readonly symbol: string;
  /** Percent of the close on `from`; days without a close are left out. */
  readonly points: readonly { readonly date: string; readonly close: number; readonly percent: number }[];
}

export interface Comparison {
  /** The day that is 100 %; null where no day has a close of every symbol. */
  readonly from: string | null;
  readonly symbols: readonly ComparedSymbol[];
}

/**
 * Reads the symbols to compare from a text such as `QUIB-B, snarv`: upper case, each once, without the page's
 * own.
 */
export function comparedSymbols(text: string | null, own: string): readonly string[] {
  const given = (text ?? "").split(/[\s,]+/).map((symbol) => symbol.toUpperCase());
  return [...new Set(given)]
    .filter((symbol) => symbol !== "" && symbol !== own.toUpperCase())
    .slice(0, COMPARED_MAX);
}

/** Compares series that have at least one close. No value is carried over a day without one. */
export function compare(series: ReadonlyMap<string, readonly Close[]>): Comparison {
  const known = [...series].map(([symbol, closes]) => ({
    symbol,
    closes: closes.flatMap(({ date, close }) => (close === null || close <= 0 ? [] : [{ date, close }])),
  }));
  const days = known.map(({ closes }) => new Set(closes.map(({ date }) => date)));
  const from = known[0]?.closes.find(({ date }) => days.every((each) => each.has(date)))?.date ?? null;
  return {
    from,
    symbols: known.map(({ symbol, closes }) => {
      const base = closes.find(({ date }) => date === from)?.close;
      const after = from === null ? [] : closes.filter(({ date }) => date >= from);
      return {
        symbol,
        points: base === undefined ? [] : after.map((one) => ({ ...one, percent: (one.close / base) * 100 })),
      };
    }),
  };
}
