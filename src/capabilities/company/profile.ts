// The price provider's part of a company: its profile, from the registry or asked anew, placeholders asked for again.
import { COMPANY_CACHE_S } from "../../limits.ts";
import type { Clock } from "../../platform/clock.ts";
import { type AsofError, NotFound } from "../../platform/errors.ts";
import { instantMs, instantText } from "../../platform/instant-text.ts";
import { hasGaps, type StoredProfile, withFormerTexts } from "./record.ts";
import type { CompanyRegistry } from "./registry.ts";
import { foreseen } from "./regulator.ts";
import type { Profiles, SourceProfile, SourceQuote } from "./sources.ts";

/** `stored` null without a fault: the provider knows no such ticker. */
export interface ProfilePart {
  readonly stored: StoredProfile | null;
  /** False when the provider was asked and does not know the ticker; `stored` is then from before. */
  readonly isKnown: boolean;
  readonly isFetched: boolean;
  readonly fault: AsofError | null;
}

/** A profile that is not filled in is asked for again after so long. */
export const GAPS_RETRY_S = 5 * 60;

/** What a quote says where there is no profile. */
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

/** A name that the provider keeps without quoting it. */
const isDelistedStub = ({ quote_type, exchange }: SourceProfile) => quote_type === null && exchange === null;

interface ProfileDeps {
  readonly profiles: Profiles;
  readonly registry: CompanyRegistry;
  readonly clock: Clock;
}

export function profileParts({ profiles, registry, clock }: ProfileDeps) {
  const ask = (symbol: string, signal: AbortSignal | undefined) =>
    profiles.profile(symbol, signal).catch((error: unknown) => {
      if (error instanceof NotFound) return null;
      throw error;
    });

  /** Null: unknown, or no longer quoted; which only the quotes tell for sure. */
  const fetchProfile = async (symbol: string, signal: AbortSignal | undefined) => {
    const first = await ask(symbol, signal);
    if (!first) {
      const quote = (await profiles.quotes([symbol], signal)).quotes.get(symbol);
      return quote ? fromQuote(quote, instantText(clock.nowMs())) : null;
    }
    if (isDelistedStub(first)) return null;
    if (!hasGaps(first)) return first;
    // Servers of the provider differ: one may not have the record yet that the next one has.
    const second = await ask(symbol, signal).catch((error: unknown) => {
      foreseen(error, signal);
      return null;
    });
    return second && !isDelistedStub(second) ? second : first;
  };

  const isFresh = ({ profile }: StoredProfile) => {
    const goodForS = hasGaps(profile) ? GAPS_RETRY_S : COMPANY_CACHE_S;
    return clock.nowMs() - instantMs(profile.received_at) < goodForS * 1000;
  };

  return async (symbol: string, force: boolean, signal?: AbortSignal): Promise<ProfilePart> => {
    const held = registry.facts<StoredProfile>(profiles.name, symbol)?.body ?? null;
    if (held && !force && isFresh(held))
      return { stored: held, isKnown: true, isFetched: false, fault: null };
    try {
      const profile = await fetchProfile(symbol, signal);
      if (!profile) return { stored: held, isKnown: false, isFetched: true, fault: null };
      const stored = withFormerTexts(profile, held);
      registry.saveFacts(profiles.name, symbol, { body: stored, read_at: profile.received_at });
      return { stored, isKnown: true, isFetched: true, fault: null };
    } catch (error) {
      return { stored: held, isKnown: true, isFetched: false, fault: foreseen(error, signal) };
    }
  };
}
