// The list of an entity's filings: the newest with what is known of the entity, older ones in pages.
import type { Market } from "../market.ts";
import { secondsAt } from "../sessions.ts";
import { jsonReply, type Reply } from "../wire.ts";
import { isPlainText } from "./current-report.ts";
import { NEW_YORK, newYorkClock } from "./days.ts";
import { documentsOf, isXmlDocument, renderingOf } from "./documents.ts";
import { type Filer, fileNumberOf, formerNamesOn, nameOn, padded } from "./filers.ts";
import { type Filing, filmNumberOf } from "./filing.ts";
import { fiscalYearEndOn } from "./fiscal.ts";
import { sizeOf } from "./header.ts";
import type { Register } from "./register.ts";
import { taggingOf } from "./report-facts.ts";
import { exchangeOf, tickersOf } from "./tickers.ts";

/** Rows of the first page: a year, but no fewer than this; older ones go to pages of `PAGE_ROWS`. */
const RECENT_ROWS = 1000;
const PAGE_ROWS = 2000;
/** Newest rows that a list of mixed clocks writes in New York's time. */
const MIXED_ROWS = 7;

/** The acceptance column: always a Z, whatever clock it is. */
function acceptanceText(filing: Filing, eastern: boolean): string | null {
  if (filing.oddity === "no_acceptance_column") return null;
  if (filing.oddity === "no_acceptance") return `${filing.filingDate}T00:00:00.000Z`;
  if (eastern) return `${newYorkClock(filing.acceptedAt).local}.000Z`;
  return new Date(filing.acceptedAt * 1000).toISOString();
}

/** The main document; of one that is data, the page it is shown as. */
function primaryDocument(filing: Filing): string {
  const [main] = documentsOf(filing);
  return main && isXmlDocument(main) ? `${renderingOf(filing)}/${main.name}` : (main?.name ?? "");
}

function columns(filer: Filer, filings: readonly Filing[], first: number) {
  const eastern = (i: number) =>
    filer.acceptance === "eastern" || (filer.acceptance === "mixed" && first + i < MIXED_ROWS);
  const each = <T>(value: (filing: Filing, i: number) => T) => filings.map(value);
  const inline = (filing: Filing) => (filing.layout === "inline" ? 1 : 0);
  return {
    accessionNumber: each((f) => f.accession),
    filingDate: each((f) => f.filingDate),
    reportDate: each((f) => f.period),
    acceptanceDateTime: each((f, i) => acceptanceText(f, eastern(i))),
    act: each((f) => (f.form === "424B2" ? "33" : "34")),
    form: each((f) => f.form),
    fileNumber: each((f) => fileNumberOf(f.filer)),
    filmNumber: each(filmNumberOf),
    items: each((f) => f.items.join(",")),
    core_type: each((f) => f.form),
    size: each(sizeOf),
    isXBRL: each((f) => (taggingOf(f) === "none" ? inline(f) : 1)),
    isInlineXBRL: each((f) => (taggingOf(f) === "inline" ? 1 : inline(f))),
    primaryDocument: each(primaryDocument),
    primaryDocDescription: each((f) => (isPlainText(f) ? "" : (documentsOf(f)[0]?.description ?? ""))),
  };
}

/**
 * How many of an entity's filings stand on the first page, and the bounds of the older ones, newest page
 * first.
 */
function pagesOf(filings: readonly Filing[], today: string): { recent: number; older: [number, number][] } {
  const yearAgo = `${Number(today.slice(0, 4)) - 1}${today.slice(4)}`;
  const ofYear = filings.findIndex(({ filingDate }) => filingDate < yearAgo);
  const recent = Math.max(Math.min(RECENT_ROWS, filings.length), ofYear < 0 ? filings.length : ofYear);
  const older: [number, number][] = [];
  for (let from = recent; from < filings.length; from += PAGE_ROWS)
    older.push([from, Math.min(from + PAGE_ROWS, filings.length)]);
  return { recent, older };
}

/** A date as the list of former names has it: New York's midnight in UTC. */
const midnight = (date: string) => new Date(secondsAt(date, "00:00", NEW_YORK) * 1000).toISOString();

function entityOf(market: Market, filer: Filer, today: string) {
  const { place, industry } = filer;
  const address = {
    street1: place.street.toUpperCase(),
    street2: null,
    city: place.city.toUpperCase(),
    stateOrCountry: place.state,
    zipCode: place.zip,
    stateOrCountryDescription: place.state,
    isForeignLocation: 0,
    foreignStateTerritory: null,
    country: null,
    countryCode: null,
  };
  const tickers = tickersOf(market, filer, today);
  const isReporter = filer.habit === "reporter";
  const isOther = isReporter || filer.habit === "fund";
  return {
    cik: padded(filer.cik),
    entityType: isOther ? "other" : "operating",
    sic: industry.sic,
    sicDescription: industry.description,
    ownerOrg: industry.office || null,
    insiderTransactionForOwnerExists: isReporter ? 1 : 0,
    insiderTransactionForIssuerExists: isOther ? 0 : 1,
    name: nameOn(filer, today),
    tickers: tickers.map(({ ticker }) => ticker),
    exchanges: tickers.map(({ listing }) => exchangeOf(listing)),
    ein: "000000000",
    lei: null,
    description: "",
    website: "",
    investorWebsite: "",
    category: isOther ? "" : "Non-accelerated filer",
    fiscalYearEnd: isReporter ? null : fiscalYearEndOn(filer, today),
    stateOfIncorporation: filer.incorporated,
    stateOfIncorporationDescription: filer.incorporated,
    addresses: { mailing: address, business: { ...address, isForeignLocation: null } },
    phone: "(000) 555-0100",
    flags: "",
    formerNames: formerNamesOn(filer, today).map(({ name, from, until }) => ({
      name,
      from: midnight(from),
      to: midnight(until),
    })),
  };
}

const FILE = /^CIK(\d{10})(?:-submissions-(\d{3}))?\.json$/;

/** `submissions/<name>`: an entity with its newest filings, or an older page; null when there is none. */
export function submissionsFile(market: Market, register: Register, name: string): Reply | null {
  const [, cik = "", page] = FILE.exec(name) ?? [];
  const filer = register.filerOf(Number(cik));
  // An agent stands for its client in folders only.
  if (!filer || filer.cik !== Number(cik)) return null;
  const filings = register.visibleOf(filer);
  if (filings.length === 0) return null;
  const { recent, older } = pagesOf(filings, register.today());
  if (page !== undefined) {
    const bounds = older[Number(page) - 1];
    return bounds ? jsonReply(200, columns(filer, filings.slice(...bounds), bounds[0])) : null;
  }
  const files = older.map(([from, to], i) => ({
    name: `CIK${cik}-submissions-${String(i + 1).padStart(3, "0")}.json`,
    filingCount: to - from,
    filingFrom: filings[to - 1]?.filingDate,
    filingTo: filings[from]?.filingDate,
  }));
  return jsonReply(200, {
    ...entityOf(market, filer, register.today()),
    filings: { recent: columns(filer, filings.slice(0, recent), 0), files },
  });
}
