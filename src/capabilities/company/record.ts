// What is known of a company, put together from the regulator's and the price provider's words. Pure.
import { fromSec } from "../../market/spelling.ts";
import { instantMs } from "../../platform/instant-text.ts";
import { countryOf, exchangeOf, wholeCurrency } from "./place.ts";
import { isPlaceholder, realAmount, realText } from "./placeholder.ts";
import type { Listing } from "./registry.ts";
import type { SourceEntity, SourceFormerName, SourceProfile } from "./sources.ts";

/** A figure is as reported or null; moments are RFC 3339 UTC. */
export interface CompanyRecord {
  readonly symbol: string;
  readonly name: string | null;
  readonly cik: string | null;
  readonly sector: string | null;
  readonly industry: string | null;
  readonly exchange: string | null;
  readonly country: string | null;
  readonly market_cap: number | null;
  readonly market_cap_as_of: string | null;
  readonly market_cap_currency: string | null;
  readonly currency: string | null;
  readonly description: string | null;
  readonly website: string | null;
  readonly employees: number | null;
  readonly sic: string | null;
  readonly sic_description: string | null;
  readonly fiscal_year_end: string | null;
  readonly state_of_incorporation: string | null;
  readonly shares_outstanding: number | null;
  readonly ipo_date: string | null;
  readonly first_trade_date: string | null;
  readonly is_etf: boolean | null;
  readonly series_id: string | null;
  readonly former_names: readonly SourceFormerName[];
  readonly share_classes: readonly { readonly ticker: string; readonly exchange: string | null }[];
  readonly predecessor_ciks: readonly string[];
  readonly regulator_updated_at: string | null;
  readonly profile_updated_at: string | null;
}

const KEPT_FIELDS = ["sector", "industry", "description", "website", "country"] as const;
export type KeptField = (typeof KEPT_FIELDS)[number];

/** A profile as it came, with the texts of former ones that the newest has no value for. */
export interface StoredProfile {
  readonly profile: SourceProfile;
  readonly kept: Readonly<Partial<Record<KeptField, { readonly value: string; readonly since: string }>>>;
}

/** Text of a stored profile: its own, or the former one. */
function textOf(stored: StoredProfile, field: KeptField): string | null {
  return realText(stored.profile[field]) ?? stored.kept[field]?.value ?? null;
}

/**
 * A profile made ready to be stored. Texts it has no value for are taken over from the former profile, as long as
 * both bear one name: a ticker may have passed to another company. Figures never are.
 */
export function withFormerTexts(profile: SourceProfile, former: StoredProfile | null): StoredProfile {
  if (!former || realText(profile.name) === null || profile.name !== former.profile.name)
    return { profile, kept: {} };
  const kept: Partial<Record<KeptField, { value: string; since: string }>> = {};
  for (const field of KEPT_FIELDS) {
    if (realText(profile[field]) !== null) continue;
    const value = textOf(former, field);
    const since = former.kept[field]?.since ?? former.profile.received_at;
    if (value !== null) kept[field] = { value, since };
  }
  return { profile, kept };
}

/** Whether the provider has not filled in what the company does: worth asking again soon. */
export function hasGaps({ sector, industry }: SourceProfile): boolean {
  return isPlaceholder(sector) || isPlaceholder(industry);
}

/** What goes into a record. */
export interface Known {
  readonly symbol: string;
  readonly listing: Listing | null;
  /** Listings of the same CIK (of a fund: of the same series), itself included. */
  readonly siblings: readonly Listing[];
  readonly entity: { readonly body: SourceEntity; readonly read_at: string } | null;
  readonly profile: StoredProfile | null;
}

const isFund = ({ listing }: Known) => listing?.kind === "fund";

/** Other tickers of the same company: as its own entry at the regulator lists them, else as the list of tickers does. */
function shareClasses(known: Known): CompanyRecord["share_classes"] {
  const own = known.entity && !isFund(known) ? known.entity.body.tickers : [];
  const all =
    own.length > 0
      ? own.map(({ ticker, exchange }) => ({ ticker: fromSec(ticker) ?? ticker, exchange }))
      : known.siblings.map(({ symbol, exchange }) => ({ ticker: symbol, exchange }));
  return all.filter(({ ticker }) => ticker !== known.symbol);
}

function fromRegulator(known: Known) {
  const { listing, entity } = known;
  const body = entity?.body ?? null;
  const address = body?.business_address ?? null;
  return {
    cik: body?.cik ?? listing?.cik ?? null,
    // A fund's entity is the trust of many funds: its name is not the fund's.
    name: isFund(known) ? null : (realText(body?.name ?? null) ?? realText(listing?.name ?? null)),
    exchange: realText(listing?.exchange ?? null),
    country: address && countryOf(address.state_or_country, address.state_or_country_description),
    description: realText(body?.description ?? null),
    website: realText(body?.website ?? null),
    sic: realText(body?.sic ?? null),
    sic_description: realText(body?.sic_description ?? null),
    fiscal_year_end: body?.fiscal_year_end ?? null,
    state_of_incorporation: realText(body?.state_of_incorporation ?? null),
  };
}

/** Puts a record together. Of what both say, the regulator's word counts for name, CIK and exchange, the provider's else. */
export function recordOf(known: Known): CompanyRecord {
  const { listing, entity, profile: stored } = known;
  const regulator = fromRegulator(known);
  const profile = stored?.profile ?? null;
  const kept = (field: KeptField) => stored && textOf(stored, field);
  const currency = realText(profile?.currency ?? null);
  const marketCap = realAmount(profile?.market_cap ?? null);
  const providerName = realText(profile?.name ?? null);
  const isPooled = isFund(known) || profile?.quote_type === "ETF";
  return {
    symbol: known.symbol,
    name: isPooled ? (providerName ?? regulator.name) : (regulator.name ?? providerName),
    cik: regulator.cik,
    sector: kept("sector"),
    industry: kept("industry"),
    exchange: regulator.exchange ?? (profile && exchangeOf(profile.exchange, profile.exchange_name)),
    country: kept("country") ?? regulator.country,
    market_cap: marketCap,
    market_cap_as_of: marketCap === null ? null : (profile?.market_cap_as_of ?? null),
    market_cap_currency: marketCap === null ? null : wholeCurrency(currency),
    currency,
    description: kept("description") ?? regulator.description,
    website: kept("website") ?? regulator.website,
    employees: realAmount(profile?.employees ?? null),
    sic: regulator.sic,
    sic_description: regulator.sic_description,
    fiscal_year_end: regulator.fiscal_year_end,
    state_of_incorporation: regulator.state_of_incorporation,
    shares_outstanding: realAmount(profile?.shares_outstanding ?? null),
    // Neither source reports it; the first day of a price history is another thing.
    ipo_date: null,
    first_trade_date: profile?.first_trade_date ?? null,
    is_etf: profile?.quote_type ? profile.quote_type === "ETF" : null,
    series_id: listing?.series_id ?? null,
    former_names: entity?.body.former_names ?? [],
    share_classes: shareClasses(known),
    predecessor_ciks: entity?.body.predecessor_ciks ?? [],
    regulator_updated_at: entity?.read_at ?? null,
    profile_updated_at: profile?.received_at ?? null,
  };
}

/** Texts that are older than the profile, as a warning. */
export function keptWarnings(stored: StoredProfile | null): string[] {
  return Object.entries(stored?.kept ?? {}).map(
    ([field, { since }]) =>
      `The provider has no ${field} now; it is served as it was on ${since.slice(0, 10)}.`,
  );
}

/** When the newest part of a record was read. */
export function lastUpdated(record: CompanyRecord): string | null {
  const times = [record.regulator_updated_at, record.profile_updated_at].filter((t) => t !== null);
  return times.sort((a, b) => instantMs(a) - instantMs(b)).at(-1) ?? null;
}
