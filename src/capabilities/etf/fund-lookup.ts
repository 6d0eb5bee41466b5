// Finds out what is behind a ticker: an exchange-traded fund and its profile, or another kind of security.
import { UNKNOWN_TICKER_CACHE_S } from "../../limits.ts";
import { throwWithClientTicker } from "../../market/client-ticker.ts";
import { holderWarnings } from "../../market/issuer.ts";
import type { Services } from "../../market/services.ts";
import { canonical } from "../../market/ticker.ts";
import { type CacheHit, createCache } from "../../platform/cache/cache.ts";
import { AsofError, NotFound } from "../../platform/errors.ts";
import { currentReading, isReplaying } from "../../platform/reading.ts";
import type { ProfileStore } from "./profile-store.ts";
import type { ReportStore } from "./report-store.ts";
import type { FundProfiles, ResolveFund, SourceFund } from "./sources.ts";
import type { FundVersions } from "./version-state.ts";

const ETF = "ETF";
/** A profile changes once a day. */
const PROFILE_CACHE_S = 6 * 60 * 60;
/** How long an old profile serves while the provider is down. The answer gives its date. */
// In an outage a profile of six days ago is served; one of eight days ago is not.
const PROFILE_STALE_S = 7 * 24 * 60 * 60;
const CACHE_ENTRIES_MAX = 1_000;

export interface FundLookupDeps extends Pick<Services, "cacheDeps"> {
  readonly provider: FundProfiles;
  readonly resolve: ResolveFund;
  readonly profiles: ProfileStore;
  readonly reports: ReportStore;
  readonly versions: Pick<FundVersions, "readProfile" | "loadProfile">;
}

const notAnEtf = (ticker: string, what: string) =>
  new NotFound("not_an_etf", `${ticker} is ${what}, not an exchange-traded fund.`, { ticker });

const QUOTE_TYPES: Readonly<Record<string, string>> = {
  EQUITY: "a share",
  MUTUALFUND: "a mutual fund",
  INDEX: "an index",
  CURRENCY: "a currency",
  CRYPTOCURRENCY: "a cryptocurrency",
  FUTURE: "a future",
  OPTION: "an option",
};

/** A profile, and whether it is older than it should be. */
export type ServedProfile = Pick<CacheHit<SourceFund>, "value" | "state">;

/** The regulator's series behind a ticker. */
export interface SeriesLookup {
  /** Null if the ticker is no series of a trust, is unknown, or could not be looked up. */
  readonly series: { readonly series_id: string; readonly cik: string; readonly name: string } | null;
  /** Whether the regulator knows the ticker. */
  readonly isKnown: boolean;
  /** Why the lookup failed. */
  readonly error: AsofError | null;
  /** Warnings for the answer about who held the ticker. */
  readonly warnings: readonly string[];
}

export function fundLookup({ provider, resolve, profiles, reports, versions, cacheDeps }: FundLookupDeps) {
  const cache = createCache<SourceFund>(
    {
      name: "etf-profile",
      ttlS: PROFILE_CACHE_S,
      staleS: PROFILE_STALE_S,
      negativeS: UNKNOWN_TICKER_CACHE_S,
      entriesMax: CACHE_ENTRIES_MAX,
    },
    cacheDeps,
  );

  const fetchProfile = async (symbol: string, signal: AbortSignal): Promise<SourceFund> => {
    const fund = await provider.fund(symbol, signal).catch((error: unknown) => {
      if (error instanceof NotFound) return null;
      throw error;
    });
    if (!fund)
      throw new NotFound("unknown_ticker", `The price provider knows no ticker ${symbol}.`, {
        ticker: symbol,
        upstream: provider.name,
      });
    if (fund.quote_type === ETF) profiles.save(symbol, fund);
    return fund;
  };

  /** The price provider's profile of the fund. Throws NotFound `unknown_ticker`, `not_an_etf`, Upstream*. */
  const profile = async (ticker: string, force: boolean, signal: AbortSignal) => {
    const symbol = canonical(ticker);
    const cached = await cache
      .get(symbol, (shared) => fetchProfile(symbol, shared), { force, signal })
      .catch(throwWithClientTicker({ ticker, symbol }));
    const { quote_type } = cached.value;
    if (quote_type === null)
      throw new NotFound("no_data", `${ticker} is no longer quoted, and its kind of security is unknown.`, {
        ticker,
      });
    if (quote_type !== ETF)
      throw notAnEtf(ticker, QUOTE_TYPES[quote_type] ?? `a ${quote_type.toLowerCase()}`);
    return cached;
  };

  /**
   * The profile of the version that the request is answered from. Throws `not_replayable` where it has none.
   */
  const profileOfVersion = async (symbol: string): Promise<ServedProfile> => {
    await versions.loadProfile(symbol);
    const value = profiles.stored(symbol);
    if (value === null) throw new Error(`the state of ${symbol} has no profile`);
    return { value, state: "HIT" };
  };

  return {
    profile,

    /** As `profile`, for an answer that its version gives again. */
    async versionedProfile(ticker: string, force: boolean, signal: AbortSignal): Promise<ServedProfile> {
      const symbol = canonical(ticker);
      if (isReplaying()) return profileOfVersion(symbol);
      const { value, state } = await profile(ticker, force, signal);
      const stored = await versions.readProfile(symbol, () => profiles.stored(symbol));
      if (stored?.received_at !== value.received_at) currentReading()?.ranAhead();
      return { value, state };
    },

    /**
     * The regulator's series that had a ticker at a moment (null: now). A failed lookup is a result, except
     * when `signal` is aborted or an earlier version has no list of tickers.
     */
    async findSeries(
      ticker: string,
      at: Temporal.Instant | null,
      signal: AbortSignal,
    ): Promise<SeriesLookup> {
      try {
        const { cik, name, series_id, warnings } = await resolve(ticker, at, signal);
        return {
          series: series_id === null ? null : { series_id, cik, name },
          isKnown: true,
          error: null,
          warnings: holderWarnings({ warnings }),
        };
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof NotFound) return { series: null, isKnown: false, error: null, warnings: [] };
        if (!(error instanceof AsofError) || error.code === "not_replayable") throw error;
        return { series: null, isKnown: false, error, warnings: [] };
      }
    },

    /**
     * Throws for a ticker that is not an exchange-traded fund, by the exchanges' lists or else by its
     * profile: the regulator's list of series includes mutual funds. A series that passed before is not
     * checked again. Throws as `profile`.
     */
    async requireEtf(ticker: string, seriesId: string, signal: AbortSignal): Promise<void> {
      const symbol = canonical(ticker);
      const listed = await profiles.listed(symbol, signal);
      if (listed?.is_etf || reports.series(seriesId)?.symbol === symbol) return;
      if (listed) throw notAnEtf(ticker, "listed as another kind of security");
      await this.versionedProfile(ticker, false, signal);
    },
  };
}

export type FundLookup = ReturnType<typeof fundLookup>;
