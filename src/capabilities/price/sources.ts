// What the price capability needs from a provider, as types; composition hands in whom to ask.
import type { BarHistory, DailyBarRequest } from "../../market/bar-history.ts";
import type { Interval } from "../../market/interval.ts";
import type { Quote } from "../../market/quote.ts";

export interface BarRequest {
  /** Canonical symbol. */
  readonly symbol: string;
  readonly interval: Interval;
  /** null: all history. */
  readonly start: Temporal.Instant | null;
  /** Exclusive. */
  readonly end: Temporal.Instant;
  readonly prePost: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A provider of daily history: bars split-adjusted, closes also fully adjusted, both up to `basis_date`, with every
 * action whose ex date lies in the span. Throws as BarSource does; a symbol it has nothing of may also be `no_data`.
 */
export interface DailyBarSource {
  /** As it stands in answers and in the lake. */
  readonly name: string;
  daily(request: DailyBarRequest): Promise<BarHistory>;
}

/**
 * The brokerage feed as a source of daily history, asked first where many symbols are wanted: requests made at one
 * moment for one span share a question of up to 100 symbols.
 */
export interface FeedSource extends DailyBarSource {
  /** It has no bars from before this day. */
  readonly historyFrom: string;
  isConfigured(): boolean;
  /** `asof`: whose history, the company that bore the symbol on that day; default today. */
  daily(request: DailyBarRequest & { readonly asof?: string | undefined }): Promise<BarHistory>;
}

/** A provider of bars. Throws NotFound for an unknown symbol, Upstream* when it fails; an empty answer is no error. */
export interface BarSource {
  readonly name: string;
  chart(request: BarRequest): Promise<BarHistory>;
}

export interface QuoteSource {
  readonly name: string;
  /** Every symbol is in one of the two maps. */
  quotes(
    symbols: readonly string[],
    signal?: AbortSignal,
  ): Promise<{
    readonly quotes: ReadonlyMap<string, Quote>;
    readonly absent: ReadonlyMap<
      string,
      { readonly code: "unknown_ticker" | "no_data"; readonly reason: string }
    >;
  }>;
}
