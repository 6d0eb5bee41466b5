// Who is in the sample's two indexes: the named shares that are listed, and numbered companies to fill them
// up.

import { COMPANIES } from "../companies.ts";
import { allNamed, numberedFiler, padded } from "../edgar/filers.ts";
import { type Listing, NUMBERED_MAX, numberedListing } from "../listing.ts";
import type { Market } from "../market.ts";
import { keyOf, uniform } from "../randomness.ts";
import { dateAt, dateOf, dayOf } from "../sessions.ts";
import { tradeOf } from "../yahoo/quote-summary.ts";

export interface Member {
  /** With a dot before the class, as the lists write it. */
  readonly symbol: string;
  readonly name: string;
  readonly sector: string;
  readonly subIndustry: string;
  readonly headquarters: string;
  readonly added: string;
  readonly cik: string;
  readonly founded: string;
}

/** Shares in each index. */
export const SIZES = { sp500: 503, nasdaq100: 101 } as const;
export type SampleIndex = keyof typeof SIZES;

/** The price provider's sectors in the words of the two classifications. */
const WORDS: Readonly<Record<string, readonly [gics: string, icb: string]>> = {
  Technology: ["Information Technology", "Technology"],
  Industrials: ["Industrials", "Industrials"],
  "Consumer Defensive": ["Consumer Staples", "Consumer Staples"],
  "Consumer Cyclical": ["Consumer Discretionary", "Consumer Discretionary"],
  Healthcare: ["Health Care", "Health Care"],
  "Financial Services": ["Financials", "Financials"],
  "Basic Materials": ["Materials", "Basic Materials"],
  Utilities: ["Utilities", "Utilities"],
  "Communication Services": ["Communication Services", "Telecommunications"],
  "Real Estate": ["Real Estate", "Real Estate"],
  Energy: ["Energy", "Energy"],
};
const PLACES = [
  "Dunmore Falls, Ohio",
  "Port Ansel, Delaware",
  "Quillhaven, California",
  "New Tarrow, Ireland",
];

const NASDAQ = new Set(["NMS", "NGM", "NCM"]);
/** Ordinary shares only: no preferred shares, warrants or shares over the counter. */
const isOrdinary = ({ symbol, type, exchange }: Listing): boolean =>
  type === "EQUITY" && exchange !== "PNK" && /^[A-Z]+(-[AB])?$/.test(symbol);

function cikOf(listing: Listing): string {
  const filer = allNamed().find(({ listings }) => listings.some(({ symbol }) => symbol === listing.symbol));
  return padded(filer?.cik ?? 0);
}

function memberOf(market: Market, listing: Listing, symbol: string, cik: string, index: SampleIndex): Member {
  const key = keyOf(market.seed, `member ${listing.symbol}`);
  const [sector, industry] = tradeOf({ ...listing, symbol: listing.symbol.replace(/-.*$/, "") }, market.seed);
  const [gics, icb] = WORDS[sector] ?? ["Industrials", "Industrials"];
  const since = dayOf("1990-01-02") + Math.floor(uniform(key, 0) * 11_000);
  const founded = String(1850 + Math.floor(uniform(key, 1) * 130));
  return {
    symbol: symbol.replace("-", "."),
    name: listing.name.replace(/ \(formerly .*\)$/, ""),
    sector: index === "sp500" ? gics : icb,
    subIndustry: industry,
    headquarters: PLACES[Math.floor(uniform(key, 2) * PLACES.length)] ?? "Port Ansel, Delaware",
    added: listing.firstDate ?? dateOf(since),
    cik,
    founded: uniform(key, 3) < 0.1 ? `${founded} (${Number(founded) - 40})` : founded,
  };
}

/** The members of an index today, by symbol: always as many: a numbered one replaces each that leaves. */
export function membersOf(market: Market, index: SampleIndex): Member[] {
  const today = dateAt(market.now(), "America/New_York");
  const belongs = (listing: Listing) =>
    isOrdinary(listing) && (index === "sp500" || NASDAQ.has(listing.exchange));
  const named = COMPANIES.filter(belongs).flatMap((listing) => {
    const { firstDate, lastDate, formerly } = listing;
    if ((firstDate && today < firstDate) || (lastDate && today > lastDate)) return [];
    const symbol = formerly && today <= formerly.until ? formerly.symbol : listing.symbol;
    return [memberOf(market, listing, symbol, cikOf(listing), index)];
  });
  const numbered: Member[] = [];
  for (let i = 0; named.length + numbered.length < SIZES[index] && i < NUMBERED_MAX; i++) {
    const listing = numberedListing(market.seed, i);
    if (belongs(listing))
      numbered.push(
        memberOf(market, listing, listing.symbol, padded(numberedFiler(market.seed, i).cik), index),
      );
  }
  return [...named, ...numbered].sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
}
