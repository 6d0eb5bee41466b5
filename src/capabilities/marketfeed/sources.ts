// What the brokerage-feed capability needs from outside, as types; composition hands it in.
import type { FeedBar } from "../../market/bar.ts";
import type { AsofError } from "../../platform/errors.ts";
import type { UpstreamHealth } from "../../platform/upstream/policy.ts";

export type FeedTimeframe = "1Min" | "5Min" | "15Min" | "30Min" | "1Hour";

export interface FeedBarsRequest {
  /** In the feed's spelling, at most 100. */
  readonly symbols: readonly string[];
  readonly timeframe: FeedTimeframe;
  /** Both inclusive. */
  readonly start: Temporal.Instant;
  readonly end: Temporal.Instant;
  readonly adjustment: "raw";
  /** `sip`: all exchanges, at least 15 minutes old; `iex`: one exchange, live. */
  readonly feed: "sip" | "iex";
  readonly signal?: AbortSignal | undefined;
}

/** `answer` is null when every symbol was refused; `invalid` names the refused ones. */
export interface Reported<T> {
  readonly answer: T | null;
  readonly invalid: readonly string[];
  /** Whether the feed was asked at all: of symbols it refused lately it is not. */
  readonly asked: boolean;
}

export interface FeedSnapshot {
  readonly trade: { readonly at: Temporal.Instant; readonly price: number | null } | null;
  readonly quote: {
    readonly bid: number | null;
    readonly bid_size: number | null;
    readonly ask: number | null;
    readonly ask_size: number | null;
  } | null;
  readonly minute: FeedBar | null;
  readonly day: FeedBar | null;
  readonly previous: FeedBar | null;
}

/** The feed. Its questions throw NotConfigured while a key is missing, Upstream* when it fails. */
export interface MarketFeed {
  isConfigured(): boolean;
  demandKeys(): void;
  bars(
    request: FeedBarsRequest,
  ): Promise<Reported<{ bars: ReadonlyMap<string, readonly FeedBar[]>; receivedAt: Temporal.Instant }>>;
  snapshots(
    symbols: readonly string[],
    signal?: AbortSignal,
  ): Promise<Reported<{ snapshots: ReadonlyMap<string, FeedSnapshot | null>; receivedAt: Temporal.Instant }>>;
  rateLimit(): { limit: number | null; remaining: number | null; reset_at: string | null };
  health(): UpstreamHealth;
}

/** A symbol's run of days in the short-volume files, and which of them have no bar. */
export interface PanelRun {
  /** As traded, canonical. */
  readonly symbol: string;
  readonly first_date: string;
  readonly last_date: string;
  /** Days without a bar, and the first and last of them. */
  readonly missing: number;
  readonly missing_first: string;
  readonly missing_last: string;
  /** Still in the newest files. */
  readonly is_current: boolean;
  /** Last day of the symbol's newest run: later than `last_date` when another run follows this one. */
  readonly newest_date: string;
}

/** The symbols of the panel. */
export interface PanelSymbols {
  /** First and last day of the stored files; null without any. */
  range(): Promise<{ first: string; last: string } | null>;
  /** Runs with a day without a bar within the dates; of these symbols only, where some are named. */
  runs(start: string, end: string, symbols: readonly string[] | null): Promise<PanelRun[]>;
  /** Those of the symbols that stand in a stored file. */
  known(symbols: readonly string[]): Promise<ReadonlySet<string>>;
}

export interface PanelFillRequest {
  readonly symbols: readonly string[];
  /** Both inclusive; what is asked for in one go. */
  readonly start: string;
  readonly end: string;
  /** Whose bars are meant: the company that bore the symbol on this day; default today. */
  readonly asof?: string | undefined;
  /** What of the answer belongs to a symbol's run; days outside it are left. */
  within(symbol: string): { readonly start: string; readonly end: string };
  /** The company is gone and its symbol another's: no later action of that symbol is to touch these bars. */
  readonly isFormer: boolean;
  readonly signal: AbortSignal;
}

/** Stored bars by symbol, or why there are none. Throws what concerns all of them: the feed down, the store full. */
export type PanelFill = (request: PanelFillRequest) => Promise<ReadonlyMap<string, number | AsofError>>;

/** Closes of a few days of a symbol as the company of `asof` bore it, by day; empty where the feed has none. */
export type PanelCloses = (
  symbol: string,
  start: string,
  end: string,
  asof: string,
  signal: AbortSignal,
) => Promise<ReadonlyMap<string, number>>;
