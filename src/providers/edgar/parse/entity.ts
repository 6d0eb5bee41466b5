// Reads the entity at the head of a submissions file: names, share classes, industry, addresses, former
// names.
import { readCik } from "../accession.ts";
import { predecessorsOf } from "../predecessors.ts";
import type { Entity, FormerName, PostalAddress } from "../records.ts";
import { readDay, readMonthDay, type Wire } from "../wire.ts";

/** Reads a date written as a moment, `2001-02-08T00:00:00.000Z`; null when missing. */
function dayOf(place: Wire): string | null {
  return place.isMissing ? null : place.as((text) => readDay(text.slice(0, 10)), "a date");
}

function readAddress(place: Wire): PostalAddress | null {
  if (place.isMissing) return null;
  const text = (key: string) => place.at(key).textOrNull();
  const address = {
    street1: text("street1"),
    street2: text("street2"),
    city: text("city"),
    state_or_country: text("stateOrCountry"),
    state_or_country_description: text("stateOrCountryDescription"),
    zip: text("zipCode"),
  };
  return Object.values(address).every((part) => part === null) ? null : address;
}

function readFormerNames(place: Wire): FormerName[] {
  return place.itemsOrNone().map((former) => ({
    name: former.at("name").text(),
    from: dayOf(former.at("from")),
    to: dayOf(former.at("to")),
  }));
}

/** Joins two parallel lists. The exchange of a ticker is null when EDGAR names none. */
function readTickers(body: Wire): Entity["tickers"] {
  const tickers = body.at("tickers").itemsOrNone();
  const exchanges = body.at("exchanges").itemsOrNone();
  if (tickers.length !== exchanges.length)
    throw body.at("exchanges").wrong(`a list of ${tickers.length}, as long as tickers`);
  return tickers.map((ticker, i) => ({
    ticker: ticker.text().toUpperCase(),
    exchange: exchanges[i]?.textOrNull() ?? null,
  }));
}

/** Removes markup, which this field may contain: `<br>Emerging growth company`. */
const withoutMarkup = (text: string | null): string | null =>
  text
    ?.replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim() || null;

/** Reads the entity. Throws UpstreamFailed when a field has another shape. */
export function readEntity(body: Wire): Entity {
  const text = (key: string) => body.at(key).textOrNull();
  const cik = body.at("cik").as(readCik, "a CIK");
  const addresses = body.at("addresses");
  const address = (key: string) => (addresses.isMissing ? null : readAddress(addresses.at(key)));
  return {
    cik,
    name: body.at("name").text(),
    entity_type: text("entityType"),
    sic: text("sic"),
    sic_description: text("sicDescription"),
    owner_org: text("ownerOrg"),
    tickers: readTickers(body),
    ein: text("ein"),
    lei: text("lei"),
    description: text("description"),
    website: text("website"),
    investor_website: text("investorWebsite"),
    category: withoutMarkup(text("category")),
    fiscal_year_end: readMonthDay(text("fiscalYearEnd") ?? ""),
    state_of_incorporation: text("stateOfIncorporation"),
    state_of_incorporation_description: text("stateOfIncorporationDescription"),
    business_address: address("business"),
    mailing_address: address("mailing"),
    phone: text("phone"),
    former_names: readFormerNames(body.at("formerNames")),
    predecessor_ciks: predecessorsOf(cik),
  };
}
