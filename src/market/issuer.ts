// How a capability gets from a ticker to the company that files under it, and back.

/** The company that files under a ticker in any spelling. Throws NotFound `unknown_ticker`, NotConfigured or Upstream*. */
export type ResolveIssuer = (
  ticker: string,
  signal?: AbortSignal,
) => Promise<{ readonly cik: string; readonly predecessor_ciks: readonly string[] }>;

/** The main symbol of each company that is listed today, by CIK. A company without a symbol is absent. */
export type SymbolsOf = (ciks: readonly string[]) => ReadonlyMap<string, string>;
