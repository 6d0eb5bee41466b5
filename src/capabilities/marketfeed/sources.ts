// The sources that the brokerage-feed capability needs, as types; composition passes them in.
import type { FeedBar } from "../../market/bar.ts";
import type { PanelFillRequest } from "../../market/bar-history.ts";
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
  /** Whether the feed was asked: it is not when it refused all the symbols lately. */
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

/** The feed. Its requests throw NotConfigured while a key is missing, Upstream* when they fail. */
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
  /** Runs that miss a bar within the dates; of all symbols when `symbols` is null. */
  runs(start: string, end: string, symbols: readonly string[] | null): Promise<PanelRun[]>;
  /** The symbols that trade now: those without any bar of the session, and the number of all. */
  withoutBar(session: string): Promise<{ open: string[]; total: number }>;
  /** The symbols that a stored file has. */
  known(symbols: readonly string[]): Promise<ReadonlySet<string>>;
}

/**
 * Number of stored bars by symbol, or the symbol's error. Throws what concerns all symbols: the feed or the
 * store is down.
 */
export type PanelFill = (request: PanelFillRequest) => Promise<ReadonlyMap<string, number | AsofError>>;

/**
 * Stores the bars of a session that is not settled, of at most 100 symbols; resolves to their number. Throws
 * what concerns all symbols.
 */
export type PanelProvisional = (request: {
  readonly symbols: readonly string[];
  readonly session: string;
  readonly signal: AbortSignal;
}) => Promise<number>;

/**
 * Closes of a few days by day, of the company that held the symbol on `asof`; empty when the feed has none.
 */
export type PanelCloses = (
  symbol: string,
  start: string,
  end: string,
  asof: string,
  signal: AbortSignal,
) => Promise<ReadonlyMap<string, number>>;
