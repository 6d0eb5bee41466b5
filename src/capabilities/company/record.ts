// A company record, combined from what the regulator and the price provider report. Pure.

import { fromSec } from "../../market/spelling.ts";
import { instantMs } from "../../platform/instant-text.ts";
import type { Entity, FormerName } from "../../providers/edgar/index.ts";
import { countryOf, exchangeOf, wholeCurrency } from "./place.ts";
import { isPlaceholder, realAmount, realText } from "./placeholder.ts";
import type { Listing } from "./registry.ts";
import type { CompanyInfo } from "./schema.ts";
import type { SourceEntity, SourceProfile } from "./sources.ts";

/** Figures are as reported or null; instants are RFC 3339 UTC. */
export interface CompanyRecord
  extends Readonly<Omit<CompanyInfo, "ticker" | "source" | "last_updated" | "warnings" | Lists>> {
  readonly symbol: string;
  readonly former_names: readonly FormerName[];
  readonly share_classes: Entity["tickers"];
  readonly predecessor_ciks: readonly string[];
}
type Lists = "former_names" | "share_classes" | "predecessor_ciks";

const CARRIED_FIELDS = ["sector", "industry", "description", "website", "country"] as const;
export type CarriedField = (typeof CARRIED_FIELDS)[number];

/**
 * A profile as received; stored as JSON. `kept` holds texts of earlier profiles that this one has no value
 * for, and since when.
 */
export interface StoredProfile {
  readonly profile: SourceProfile;
  readonly kept: Readonly<Partial<Record<CarriedField, { readonly value: string; readonly since: string }>>>;
}

/** Text of a stored profile: its own, else the one carried over. */
function profileText(stored: StoredProfile, field: CarriedField): string | null {
  return realText(stored.profile[field]) ?? stored.kept[field]?.value ?? null;
}

/**
 * Carries texts the new profile has no value for over from the former one, provided both have the same name:
 * the ticker may have passed to another company. Figures are never carried over.
 */
export function withCarriedTexts(profile: SourceProfile, former: StoredProfile | null): StoredProfile {
  if (!former || realText(profile.name) === null || profile.name !== former.profile.name)
    return { profile, kept: {} };
  const kept: Partial<Record<CarriedField, { value: string; since: string }>> = {};
  for (const field of CARRIED_FIELDS) {
    if (realText(profile[field]) !== null) continue;
    const value = profileText(former, field);
    const since = former.kept[field]?.since ?? former.profile.received_at;
    if (value !== null) kept[field] = { value, since };
  }
  return { profile, kept };
}

/** Whether sector or industry is still a placeholder: worth fetching again soon. */
export function hasGaps({ sector, industry }: SourceProfile): boolean {
  return isPlaceholder(sector) || isPlaceholder(industry);
}

/** The parts of which a record is made. */
export interface RecordInput {
  readonly symbol: string;
  readonly listing: Listing | null;
  /** Listings of the same CIK (for a fund: of the same series), this one included. */
  readonly siblings: readonly Listing[];
  readonly entity: { readonly body: SourceEntity; readonly read_at: string } | null;
  readonly profile: StoredProfile | null;
}

const isFund = ({ listing }: RecordInput) => listing?.kind === "fund";

/**
 * Other tickers of the same company: those of its entity at the regulator, else those of the list of tickers.
 */
function shareClasses(known: RecordInput): CompanyRecord["share_classes"] {
  const own = known.entity && !isFund(known) ? known.entity.body.tickers : [];
  const all =
    own.length > 0
      ? own.map(({ ticker, exchange }) => ({ ticker: fromSec(ticker) ?? ticker, exchange }))
      : known.siblings.map(({ symbol, exchange }) => ({ ticker: symbol, exchange }));
  return all.filter(({ ticker }) => ticker !== known.symbol);
}

function fromRegulator(known: RecordInput) {
  const { listing, entity } = known;
  const body = entity?.body ?? null;
  const address = body?.business_address ?? null;
  return {
    cik: body?.cik ?? listing?.cik ?? null,
    // The entity behind a fund is a trust of many funds: its name is not the fund's.
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

/**
 * Combines both sources. Name, CIK and exchange come from the regulator first, the rest from the price
 * provider first.
 */
export function recordOf(known: RecordInput): CompanyRecord {
  const { listing, entity, profile: stored } = known;
  const regulator = fromRegulator(known);
  const profile = stored?.profile ?? null;
  const text = (field: CarriedField) => stored && profileText(stored, field);
  const currency = realText(profile?.currency ?? null);
  const marketCap = realAmount(profile?.market_cap ?? null);
  const providerName = realText(profile?.name ?? null);
  const isPooled = isFund(known) || profile?.quote_type === "ETF";
  return {
    symbol: known.symbol,
    name: isPooled ? (providerName ?? regulator.name) : (regulator.name ?? providerName),
    cik: regulator.cik,
    sector: text("sector"),
    industry: text("industry"),
    exchange: regulator.exchange ?? (profile && exchangeOf(profile.exchange, profile.exchange_name)),
    country: text("country") ?? regulator.country,
    market_cap: marketCap,
    market_cap_as_of: marketCap === null ? null : (profile?.market_cap_as_of ?? null),
    market_cap_currency: marketCap === null ? null : wholeCurrency(currency),
    currency,
    description: text("description") ?? regulator.description,
    website: text("website") ?? regulator.website,
    employees: realAmount(profile?.employees ?? null),
    sic: regulator.sic,
    sic_description: regulator.sic_description,
    fiscal_year_end: regulator.fiscal_year_end,
    state_of_incorporation: regulator.state_of_incorporation,
    shares_outstanding: realAmount(profile?.shares_outstanding ?? null),
    // Neither source reports it; the first day of a price history is not the IPO.
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

/** A warning for each text carried over from an earlier profile. */
export function carriedWarnings(stored: StoredProfile | null): string[] {
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
