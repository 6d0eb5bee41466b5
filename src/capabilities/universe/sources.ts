// The sources that the universe needs, as types.

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

/** The screener's data of a stock; null where it has none. */
export interface SourceScreened {
  readonly symbol: string;
  readonly sector: string | null;
  readonly industry: string | null;
  readonly country: string | null;
  readonly ipo_year: number | null;
  readonly market_cap: number | null;
}

/** The exchanges' lists. Both throw Upstream* if a list cannot be fetched completely. */
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

/** The regulator's list of tickers. Throws NotConfigured without SEC_USER_AGENT, Upstream* when it fails. */
export interface TickerList {
  listedTickers(signal?: AbortSignal): Promise<readonly { readonly cik: string; readonly ticker: string }[]>;
}

/** Called after each item, with the error if it failed. */
export type OnItem = (item: string, error: Error | null) => void;

/** Fetches and stores the missing daily bars of symbols. */
export type CollectPrices = (
  symbols: readonly string[],
  span: { readonly start: string; readonly end: string; readonly signal: AbortSignal },
  onItem: OnItem,
) => Promise<void>;

/** Fetches and stores companies' reported figures up to their newest report. */
export type CollectFigures = (
  tickers: readonly string[],
  signal: AbortSignal,
  onItem: OnItem,
) => Promise<void>;

/**
 * The price provider's count of the shares of one class; null if it has none. Throws Upstream* when it fails.
 */
export type ShareCount = (
  symbol: string,
  signal: AbortSignal,
) => Promise<{ readonly shares: number; readonly received_at: string } | null>;
