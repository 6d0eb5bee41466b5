// From a ticker to the one who files under it.
import { canonical } from "../../market/ticker.ts";
import { NotFound } from "../../platform/errors.ts";
import type { CompanyRegistry, Listing } from "./registry.ts";
import type { SourceEntity } from "./sources.ts";
import type { TickerLists } from "./ticker-lists.ts";

/** Who files for a ticker. Share classes of one company have one CIK. */
export interface Resolved {
  /** Ten digits; of a fund, that of its trust. */
  readonly cik: string;
  /** Of a fund whose trust was not read yet, its ticker: the list of funds has no names. */
  readonly name: string;
  /** Canonical symbol: the present one where the asked ticker was given up. */
  readonly ticker_canonical: string;
  /** Of a fund: `S` and nine digits, which tell its filings from those of the trust's other funds. */
  readonly series_id: string | null;
  /** False when the ticker is no longer in the SEC's list. */
  readonly is_listed: boolean;
  /** CIKs the company carries on. */
  readonly predecessor_ciks: readonly string[];
}

export const REGULATOR = "edgar";

/** The main class among listings of one company: the first of the list that is an ordinary share and not over the counter. */
export function mainClass(listings: readonly Listing[]): Listing | null {
  const ordinary = listings.filter(({ symbol }) => !/[.-]/.test(symbol));
  return ordinary.find(({ exchange }) => exchange !== "OTC") ?? ordinary[0] ?? listings[0] ?? null;
}

/** The main symbols of companies by CIK, as the lists have them today; a company in none of them is left out. */
export function mainSymbols(registry: CompanyRegistry) {
  return (ciks: readonly string[]): ReadonlyMap<string, string> =>
    new Map(
      [...Map.groupBy(registry.ofCompanies([...new Set(ciks)]), ({ cik }) => cik)].flatMap(
        ([cik, listings]) => {
          const main = mainClass(listings);
          return main ? [[cik, main.symbol] as const] : [];
        },
      ),
    );
}

export interface ResolverDeps {
  readonly lists: TickerLists;
  readonly registry: CompanyRegistry;
  /** CIKs a company carries on, as known before its own entry was read. */
  predecessorsOf(cik: string): readonly string[];
}

/**
 * Resolves a ticker in any spelling. Throws NotFound `unknown_ticker` only when the SEC's lists were read and do not
 * have it; NotConfigured or Upstream* when they could not be read and nothing is known from before.
 */
export function resolver({ lists, registry, predecessorsOf }: ResolverDeps) {
  return async (ticker: string, signal?: AbortSignal): Promise<Resolved> => {
    const symbol = canonical(ticker);
    const listing = await lists.find(symbol, false, signal);
    if (!listing)
      throw new NotFound("unknown_ticker", `The SEC lists no company under the ticker ${ticker.trim()}.`, {
        ticker: ticker.trim(),
        upstream: REGULATOR,
      });
    const isListed = listing.gone_at === null;
    const entity = registry.facts<SourceEntity>(REGULATOR, listing.cik)?.body ?? null;
    return {
      cik: listing.cik,
      name: entity?.name ?? listing.name ?? listing.ticker,
      ticker_canonical: isListed ? symbol : (mainClass(registry.siblings(listing))?.symbol ?? symbol),
      series_id: listing.series_id,
      is_listed: isListed,
      predecessor_ciks: entity?.predecessor_ciks ?? predecessorsOf(listing.cik),
    };
  };
}

export type Resolve = ReturnType<typeof resolver>;
