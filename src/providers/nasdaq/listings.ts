// Nasdaq's lists of securities: the symbol directory of all US exchanges, and the screener's data about
// stocks.
import type { Upstream, UpstreamHealth } from "../../platform/upstream/policy.ts";
import { askScreener, SCREENED_EXCHANGES, type Screened } from "./endpoints/stock-screener.ts";
import { askDirectory, type Directory, type DirectoryFile } from "./endpoints/symbol-directory.ts";

export { readScreener, readScreenerRows, type ScreenedStock } from "./endpoints/stock-screener.ts";
export { type DirectoryFile, type DirectoryRow, readDirectory } from "./endpoints/symbol-directory.ts";
export { classifyListings } from "./listings-classify.ts";
export { listingsPolicy } from "./listings-policy.ts";
export { SECURITY_TYPES, type SecurityType, securityTypeOf } from "./parse/security-type.ts";

export interface Listings {
  /** One file of the symbol directory. Throws Upstream* when it is not complete. */
  directory(file: DirectoryFile, signal?: AbortSignal): Promise<Directory>;
  /** Stocks of the three exchanges the screener covers; all or none. */
  screener(signal?: AbortSignal): Promise<Screened>;
  health(): UpstreamHealth;
}

/** `upstream` is created with `listingsPolicy` and `classifyListings`. */
export function nasdaqListings(upstream: Upstream): Listings {
  return {
    directory: (file, signal) => askDirectory(upstream, file, signal),
    async screener(signal) {
      const parts: Screened[] = [];
      for (const exchange of SCREENED_EXCHANGES) parts.push(await askScreener(upstream, exchange, signal));
      const bySymbol = new Map(parts.flatMap(({ rows }) => rows).map((row) => [row.symbol, row]));
      return { rows: [...bySymbol.values()], unread: parts.flatMap(({ unread }) => unread) };
    },
    health: () => upstream.health(),
  };
}
