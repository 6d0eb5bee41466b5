// The price provider's part of a company: its profile, from the registry while it is fresh, else from the
// provider.
import { COMPANY_CACHE_S } from "../../limits.ts";
import type { Services } from "../../market/services.ts";
import { type AsofError, NotFound } from "../../platform/errors.ts";
import { instantMs, instantText } from "../../platform/instant-text.ts";
import { hasGaps, type StoredProfile, withCarriedTexts } from "./record.ts";
import type { CompanyRegistry } from "./registry.ts";
import { expectedError } from "./regulator.ts";
import type { Profiles, SourceProfile, SourceQuote } from "./sources.ts";

/** `stored` and `error` both null: the provider knows no such ticker. */
export interface ProfilePart {
  readonly stored: StoredProfile | null;
  /** False when the provider was asked and does not know the ticker; `stored` is then an earlier profile. */
  readonly isKnown: boolean;
  readonly isFetched: boolean;
  readonly error: AsofError | null;
}

/** Age in seconds after which a profile with placeholders is fetched again. */
// A profile whose sector is "N/A" is fetched again after five minutes, a whole one after a day.
export const GAPS_RETRY_S = 5 * 60;

/** The fields of a profile that a quote has, for a symbol without a profile. */
function fromQuote(quote: SourceQuote, receivedAt: string): SourceProfile {
  return {
    name: quote.name,
    quote_type: quote.quote_type,
    exchange: quote.exchange,
    exchange_name: quote.exchange_name,
    currency: quote.currency,
    market_cap: quote.market_cap,
    market_cap_as_of: quote.regular_market_time,
    sector: null,
    industry: null,
    description: null,
    website: null,
    country: null,
    employees: null,
    shares_outstanding: null,
    first_trade_date: null,
    received_at: receivedAt,
  };
}

/** Whether the provider still has a record of the symbol but no longer quotes it. */
const isDelistedStub = ({ quote_type, exchange }: SourceProfile) => quote_type === null && exchange === null;

interface ProfileDeps extends Pick<Services, "clock"> {
  readonly profiles: Profiles;
  readonly registry: CompanyRegistry;
}

export function profileParts({ profiles, registry, clock }: ProfileDeps) {
  const request = (symbol: string, signal: AbortSignal | undefined) =>
    profiles.profile(symbol, signal).catch((error: unknown) => {
      if (error instanceof NotFound) return null;
      throw error;
    });

  /** Null when the symbol is unknown or no longer quoted. Only the quotes endpoint says so reliably. */
  const fetchProfile = async (symbol: string, signal: AbortSignal | undefined) => {
    const first = await request(symbol, signal);
    if (!first) {
      const quote = (await profiles.quotes([symbol], signal)).quotes.get(symbol);
      return quote ? fromQuote(quote, instantText(clock.nowMs())) : null;
    }
    if (isDelistedStub(first)) return null;
    if (!hasGaps(first)) return first;
    // The provider's servers differ: another one may already have the complete record.
    const second = await request(symbol, signal).catch((error: unknown) => {
      expectedError(error, signal);
      return null;
    });
    return second && !isDelistedStub(second) ? second : first;
  };

  const isFresh = ({ profile }: StoredProfile) => {
    const goodForS = hasGaps(profile) ? GAPS_RETRY_S : COMPANY_CACHE_S;
    return clock.nowMs() - instantMs(profile.received_at) < goodForS * 1000;
  };

  return async (symbol: string, force: boolean, signal?: AbortSignal): Promise<ProfilePart> => {
    const before = registry.storedAnswer<StoredProfile>(profiles.name, symbol)?.body ?? null;
    if (before && !force && isFresh(before))
      return { stored: before, isKnown: true, isFetched: false, error: null };
    try {
      const profile = await fetchProfile(symbol, signal);
      if (!profile) return { stored: before, isKnown: false, isFetched: true, error: null };
      const stored = withCarriedTexts(profile, before);
      registry.saveAnswer(profiles.name, symbol, { body: stored, read_at: profile.received_at });
      return { stored, isKnown: true, isFetched: true, error: null };
    } catch (error) {
      return { stored: before, isKnown: true, isFetched: false, error: expectedError(error, signal) };
    }
  };
}
