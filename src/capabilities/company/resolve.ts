// Resolves a ticker to the company that files with the regulator under it.
import { canonical } from "../../market/ticker.ts";
import { NotFound } from "../../platform/errors.ts";
import type { CompanyRegistry, Listing } from "./registry.ts";
import type { SourceEntity } from "./sources.ts";
import type { TickerLists } from "./ticker-lists.ts";

/** The filer behind a ticker. All share classes of a company have the same CIK. */
export interface Resolved {
  /** Ten digits; for a fund, the CIK of its trust. */
  readonly cik: string;
  /** For a fund whose trust was not read yet, its ticker: the list of funds has no names. */
  readonly name: string;
  /** Canonical symbol: the company's current one when the requested ticker is no longer in use. */
  readonly ticker_canonical: string;
  /** For a fund: `S` and nine digits, which distinguish its filings from those of the trust's other funds. */
  readonly series_id: string | null;
  /** False when the ticker is no longer in the SEC's list. */
  readonly is_listed: boolean;
  /** CIKs the company filed under before a reorganisation. */
  readonly predecessor_ciks: readonly string[];
}

/** The regulator's name as a source of stored answers and of errors. */
export const REGULATOR = "edgar";

/** The main class among the listings of one company: the first ordinary share that is not traded over the counter. */
export function mainClass(listings: readonly Listing[]): Listing | null {
  const ordinary = listings.filter(({ symbol }) => !/[.-]/.test(symbol));
  return ordinary.find(({ exchange }) => exchange !== "OTC") ?? ordinary[0] ?? listings[0] ?? null;
}

/** The main symbol of each company by CIK, from today's list; a company without a listing is absent. */
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
  /** Known former CIKs of a company, for when its own entity was not read yet. */
  predecessorsOf(cik: string): readonly string[];
}

/**
 * Resolves a ticker in any spelling. Throws NotFound `unknown_ticker` only when the SEC's lists were read and do not
 * contain it, NotConfigured or Upstream* when they could not be read and no earlier list contains it.
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
    const entity = registry.storedAnswer<SourceEntity>(REGULATOR, listing.cik)?.body ?? null;
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
