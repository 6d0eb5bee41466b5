// Who is behind a ticker: an exchange-traded fund, with what the price provider says of it, or something else.
import { UNKNOWN_TICKER_CACHE_S } from "../../limits.ts";
import { canonical } from "../../market/ticker.ts";
import { type CacheDeps, createCache } from "../../platform/cache/cache.ts";
import { AsofError, NotFound } from "../../platform/errors.ts";
import type { FundProfiles, ResolveFund, SourceFund } from "./sources.ts";
import type { EtfStore } from "./store.ts";

const ETF = "ETF";
/** What is told of a fund changes once a day. */
const PROFILE_CACHE_S = 6 * 60 * 60;
/** An old profile serves so long while the provider is down; the answer says of when it is. */
const PROFILE_STALE_S = 7 * 24 * 60 * 60;
const CACHE_ENTRIES_MAX = 1_000;

export interface FundsDeps {
  readonly profiles: FundProfiles;
  readonly resolve: ResolveFund;
  readonly store: EtfStore;
  readonly cacheDeps: CacheDeps;
}

export const notAnEtf = (ticker: string, what: string) =>
  new NotFound("not_an_etf", `${ticker} is ${what}, not an exchange-traded fund.`, { ticker });

const WORDS: Readonly<Record<string, string>> = {
  EQUITY: "a share",
  MUTUALFUND: "a mutual fund",
  INDEX: "an index",
  CURRENCY: "a currency",
  CRYPTOCURRENCY: "a cryptocurrency",
  FUTURE: "a future",
  OPTION: "an option",
};

/** The series behind a ticker; `fault`: the regulator could not be asked. */
export interface Behind {
  readonly series: { readonly series_id: string; readonly cik: string; readonly name: string } | null;
  readonly isKnown: boolean;
  readonly fault: AsofError | null;
}

export function fundDesk({ profiles, resolve, store, cacheDeps }: FundsDeps) {
  const remembered = createCache<SourceFund>(
    {
      name: "etf-profile",
      ttlS: PROFILE_CACHE_S,
      staleS: PROFILE_STALE_S,
      negativeS: UNKNOWN_TICKER_CACHE_S,
      entriesMax: CACHE_ENTRIES_MAX,
    },
    cacheDeps,
  );

  const ask = async (symbol: string, signal: AbortSignal): Promise<SourceFund> => {
    const fund = await profiles.fund(symbol, signal).catch((error: unknown) => {
      if (error instanceof NotFound) return null;
      throw error;
    });
    if (!fund)
      throw new NotFound("unknown_ticker", `The price provider knows no ticker ${symbol}.`, {
        ticker: symbol,
        upstream: profiles.name,
      });
    if (fund.quote_type === ETF) store.saveProfile(symbol, fund);
    return fund;
  };

  /** What the price provider says of the fund. Throws NotFound `unknown_ticker`, `not_an_etf`, Upstream*. */
  const profile = async (ticker: string, force: boolean, signal: AbortSignal) => {
    const symbol = canonical(ticker);
    const cached = await remembered
      .get(symbol, (shared) => ask(symbol, shared), { force, signal })
      .catch((error: unknown) => {
        if (!(error instanceof NotFound)) throw error;
        // Shared by all who ask: each is told in its own spelling.
        throw new NotFound(error.code, `The price provider knows no ticker ${ticker}.`, {
          ...error.facts,
          ticker,
        });
      });
    const { quote_type } = cached.value;
    if (quote_type === null)
      throw new NotFound("no_data", `${ticker} is no longer quoted, and nobody says what it was.`, {
        ticker,
      });
    if (quote_type !== ETF) throw notAnEtf(ticker, WORDS[quote_type] ?? `a ${quote_type.toLowerCase()}`);
    return cached;
  };

  return {
    profile,

    /** The series behind a ticker at the regulator. */
    async behind(ticker: string, signal: AbortSignal): Promise<Behind> {
      try {
        const { cik, name, series_id } = await resolve(ticker, signal);
        return {
          series: series_id === null ? null : { series_id, cik, name },
          isKnown: true,
          fault: null,
        };
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof NotFound) return { series: null, isKnown: false, fault: null };
        if (error instanceof AsofError) return { series: null, isKnown: false, fault: error };
        throw error;
      }
    },

    /**
     * Refuses what is no exchange-traded fund, by the exchanges' lists or else its profile: the regulator's list of
     * series has mutual funds too. A series whose reports were asked for before has passed. Throws as `profile`.
     */
    async mustBeEtf(ticker: string, seriesId: string, signal: AbortSignal): Promise<void> {
      const symbol = canonical(ticker);
      const listed = await store.listed(symbol, signal);
      if (listed?.is_etf || store.seriesOf(seriesId)?.symbol === symbol) return;
      if (listed) throw notAnEtf(ticker, "listed as something else");
      await profile(ticker, false, signal);
    },
  };
}

export type FundDesk = ReturnType<typeof fundDesk>;
