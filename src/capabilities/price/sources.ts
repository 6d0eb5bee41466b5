// What the price capability needs from a provider, as types; composition hands in whom to ask.
import type { Interval } from "../../market/interval.ts";
import type { Quote } from "../../market/quote.ts";

/** What a provider says of a symbol beside its bars. Dates are days in `timezone`. */
export interface SourceMeta {
  readonly currency: string | null;
  readonly exchange_name: string | null;
  /** IANA zone of the exchange; null when the provider knows nothing of the asked span. */
  readonly timezone: string | null;
  readonly instrument_type: string | null;
  readonly name: string | null;
  readonly first_trade_date: string | null;
  readonly regular_market_time: Temporal.Instant | null;
  /** Close of the session before the newest one; null when the answer does not really say it. */
  readonly previous_close: number | null;
}

/**
 * One bar. Prices in the symbol's currency on the answer's basis (`basis_date`); volume in shares on that basis.
 * `settled`: the provider will not move it any more in the ordinary course.
 */
export interface SourceBar {
  readonly date: string;
  readonly at: Temporal.Instant;
  readonly open: number | null;
  readonly high: number | null;
  readonly low: number | null;
  readonly close: number;
  readonly volume: number | null;
  readonly adj_close: number | null;
  readonly settled: boolean;
  readonly session: "pre" | "regular" | "post";
}

/** A split, dividend or capital gain. Amounts per share on the answer's basis. */
export interface SourceAction {
  readonly ex_date: string;
  readonly kind: "split" | "dividend" | "capital_gain";
  readonly amount: number | null;
  readonly currency: string | null;
  readonly numerator: number | null;
  readonly denominator: number | null;
  /** What a price from before `ex_date` is multiplied by; null when the answer does not let it be computed. */
  readonly price_factor: number | null;
}

export interface SourceAnswer {
  readonly meta: SourceMeta;
  readonly bars: readonly SourceBar[];
  readonly actions: readonly SourceAction[];
  /** Rows the provider named without a usable close: their days. */
  readonly dropped: { readonly null_rows: readonly string[] };
  /** Prices are adjusted for every action with an ex date up to this day. */
  readonly basis_date: string;
  readonly received_at: Temporal.Instant;
}

export interface SourceRequest {
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

/** A request for the daily history of one symbol. */
export interface DailyBarRequest {
  /** Canonical. */
  readonly symbol: string;
  /** Both inclusive, days of the exchange; `start` null: all history. */
  readonly start: string | null;
  readonly end: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A provider of daily history: bars split-adjusted, closes also fully adjusted, both up to `basis_date`, with every
 * action whose ex date lies in the span. Throws as BarSource does; a symbol it has nothing of may also be `no_data`.
 */
export interface DailyBarSource {
  /** As it stands in answers and in the lake. */
  readonly name: string;
  daily(request: DailyBarRequest): Promise<SourceAnswer>;
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
  daily(request: DailyBarRequest & { readonly asof?: string | undefined }): Promise<SourceAnswer>;
}

/** A provider of bars. Throws NotFound for an unknown symbol, Upstream* when it fails; an empty answer is no error. */
export interface BarSource {
  readonly name: string;
  chart(request: SourceRequest): Promise<SourceAnswer>;
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
