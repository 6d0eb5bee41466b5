// What the insider capability needs of the outside, in its own words.

/** How well what is stored fits a question, and what was done for it. */
export interface Coverage {
  /** True when nothing was stored of the company and the regulator was asked. */
  readonly auto_fetched: boolean;
  /** Filings fetched and read for this question. */
  readonly fetched_count: number;
  /** First and last filing date of what is whole; null when nothing is. */
  readonly data_from: string | null;
  readonly data_to: string | null;
  readonly pending_count: number;
  readonly warnings: readonly string[];
}

/** The index of insiders' filings. Both throw NotConfigured or Upstream* where nothing is stored and nothing can be had. */
export interface FilingKnowledge {
  /** Brings in what is missing of filings about companies dated from `from` and filed by `untilMs`. */
  ofIssuer(
    wanted: {
      readonly ciks: readonly string[];
      readonly kind: "insider";
      readonly from: string;
      readonly untilMs: number;
      readonly force: boolean;
    },
    signal: AbortSignal,
  ): Promise<Coverage>;
  /** Brings in everybody's filings of a day. Throws NotFound `no_data` when its index is not out. */
  ofDay(
    date: string,
    kind: "insider",
    signal: AbortSignal,
  ): Promise<Pick<Coverage, "pending_count" | "warnings">>;
}

/** Who files under a ticker in any spelling. Throws NotFound `unknown_ticker`, NotConfigured or Upstream*. */
export type ResolveIssuer = (
  ticker: string,
  signal?: AbortSignal,
) => Promise<{ readonly cik: string; readonly predecessor_ciks: readonly string[] }>;

/** The main symbol of each company that is listed today, by CIK; a company without one is not in it. */
export type SymbolsOf = (ciks: readonly string[]) => ReadonlyMap<string, string>;
