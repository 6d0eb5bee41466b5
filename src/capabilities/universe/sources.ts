// What the universe needs from outside, as types; composition hands in whom to ask.

export type DirectoryFile = "nasdaqlisted" | "otherlisted";

/** A line of the symbol directory. */
export interface SourceListing {
  /** Canonical. */
  readonly symbol: string;
  readonly name: string;
  readonly exchange: string;
  readonly security_type: string;
  readonly is_etf: boolean;
}

/** What the screener says of a stock; null where it says nothing. */
export interface SourceScreened {
  readonly symbol: string;
  readonly sector: string | null;
  readonly industry: string | null;
  readonly country: string | null;
  readonly ipo_year: number | null;
  readonly market_cap: number | null;
}

/** The exchanges' lists. Both throw Upstream* when they cannot be had whole. */
export interface ListingSource {
  directory(
    file: DirectoryFile,
    signal?: AbortSignal,
  ): Promise<{
    readonly rows: readonly SourceListing[];
    readonly tests: number;
    readonly unread: readonly string[];
    readonly received_at: string;
  }>;
  screener(signal?: AbortSignal): Promise<{ readonly rows: readonly SourceScreened[] }>;
}

/** The regulator's list of tickers. Throws NotConfigured without a name to ask in, Upstream* when it fails. */
export interface TickerList {
  listedTickers(signal?: AbortSignal): Promise<readonly { readonly cik: string; readonly ticker: string }[]>;
}

/** Told of each item as it ends; the error, when it failed. */
export type OnItem = (item: string, error: Error | null) => void;

/** Daily history: makes sure that what can be stored of the days is stored. */
export type CollectPrices = (
  symbols: readonly string[],
  span: { readonly start: string; readonly end: string; readonly signal: AbortSignal },
  onItem: OnItem,
) => Promise<void>;

/** Reported figures: brings companies up to their newest report. */
export type CollectFigures = (
  tickers: readonly string[],
  signal: AbortSignal,
  onItem: OnItem,
) => Promise<void>;

/** The price provider's count of the shares of one class; null where it has none. Throws Upstream* when it fails. */
export type ShareCount = (
  symbol: string,
  signal: AbortSignal,
) => Promise<{ readonly shares: number; readonly received_at: string } | null>;

export interface UniverseLog {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
}
