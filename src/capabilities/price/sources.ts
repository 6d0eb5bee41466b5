// The providers that the price capability needs, as types; composition passes them in.
import type { BarHistory, BarRequest, DailyBarRequest } from "../../market/bar-history.ts";
import type { Quote } from "../../market/quote.ts";

/**
 * A provider of daily history: bars are split-adjusted and closes also fully adjusted, both up to
 * `basis_date`, with every action whose ex date lies in the span. Throws as BarSource does; NotFound
 * `no_data` when it has nothing of a symbol.
 */
export interface DailyBarSource {
  /** As written in answers and in the lake. */
  readonly name: string;
  daily(request: DailyBarRequest): Promise<BarHistory>;
}

/**
 * The brokerage feed as a source of daily history, asked first when a request has many symbols: calls made at
 * the same time for the same span share one request of up to 100 symbols.
 */
export interface FeedSource extends DailyBarSource {
  /** It has no bars from before this day. */
  readonly historyFrom: string;
  isConfigured(): boolean;
  /** `asof`: the history of the company that held the symbol on this day; default today. */
  daily(request: DailyBarRequest & { readonly asof?: string | undefined }): Promise<BarHistory>;
}

/**
 * A provider of bars. Throws NotFound for an unknown symbol, Upstream* when it fails; an empty answer is no
 * error.
 */
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
