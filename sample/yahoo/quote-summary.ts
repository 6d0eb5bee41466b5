// v10 quoteSummary results: invented profiles of the fictional companies, with what upstream leaves out or
// fills in late.

import type { Listing } from "../listing.ts";
import type { Market } from "../market.ts";
import { keyOf, uniform } from "../randomness.ts";
import { dateAt } from "../sessions.ts";
import type { Correction } from "../view.ts";
import { calendarEvents } from "./calendar-events.ts";
import { fundModules, type Trade } from "./fund-modules.ts";
import { quoteOf } from "./quote.ts";

type Module = Record<string, unknown>;

/** A company's trade, by a word of its name. */
const BY_WORD: readonly (readonly [RegExp, Trade])[] = [
  [/Semiconductor|Graphics/, ["Technology", "Semiconductors", "designs chips"]],
  [/Robotics|Industries|Aerospace/, ["Industrials", "Specialty Industrial Machinery", "builds machines"]],
  [/Foods|Bakeries/, ["Consumer Defensive", "Packaged Foods", "makes packaged food"]],
  [/Beverages|Soda|Vineyards/, ["Consumer Defensive", "Beverages - Non-Alcoholic", "bottles drinks"]],
  [/Airways/, ["Industrials", "Airlines", "flies passengers and freight"]],
  [/Logistics|Railways/, ["Industrials", "Integrated Freight & Logistics", "moves goods"]],
  [/Biosciences|Therapeutics|Genomics/, ["Healthcare", "Biotechnology", "develops medicines"]],
  [/Bancorp/, ["Financial Services", "Banks - Regional", "takes deposits and lends"]],
  [/Insurance/, ["Financial Services", "Insurance - Diversified", "insures people and goods"]],
  [/Payments/, ["Financial Services", "Credit Services", "carries out payments"]],
  [/Mining|Timber|Paper/, ["Basic Materials", "Other Industrial Metals & Mining", "wins raw materials"]],
  [/Water/, ["Utilities", "Utilities - Regulated Water", "supplies water"]],
  [/Motors|Auto|Mobility|Charging/, ["Consumer Cyclical", "Auto Manufacturers", "makes vehicles and parts"]],
  [/Retail|Furnishings|Gear|Pet/, ["Consumer Cyclical", "Specialty Retail", "keeps shops"]],
  [/Restaurants|Travel/, ["Consumer Cyclical", "Travel Services", "looks after guests"]],
  [/Media|Social|Telecom/, ["Communication Services", "Telecom Services", "connects people"]],
];
const OTHERWISE: readonly Trade[] = [
  ["Technology", "Software - Application", "writes software"],
  ["Technology", "Software - Infrastructure", "runs computers for others"],
  ["Real Estate", "Real Estate Services", "manages buildings"],
  ["Energy", "Oil & Gas Equipment & Services", "serves oil fields"],
];
const CITIES = [
  ["Dunmore Falls", "OH", "United States"],
  ["Port Ansel", "DE", "United States"],
  ["Quillhaven", "CA", "United States"],
  ["New Tarrow", null, "Ireland"],
] as const;

/**
 * Companies whose record upstream has not filled in yet: the first so many answers hold placeholders in place
 * of sector and industry, and are then followed by the real ones.
 */
const LATE: Readonly<
  Record<string, { readonly answers: number; readonly sector: string; readonly industry: string }>
> = {
  CRUMQ: { answers: 1, sector: "N/A", industry: "Unknown" },
  PLONQ: { answers: 2, sector: "", industry: "--" },
};
/** A company with nothing but zeros and dashes where others have figures and addresses. */
const HOLLOW = "VROOQ";

/** Sector, industry and what it does. */
export function tradeOf(listing: Listing, seed: number): Trade {
  const named = BY_WORD.find(([word]) => word.test(listing.name))?.[1];
  const index = Math.floor(uniform(keyOf(seed, `trade ${listing.symbol}`), 0) * OTHERWISE.length);
  return named ?? OTHERWISE[index] ?? ["Technology", "Software - Application", "writes software"];
}

/** A share class has the profile of its company. */
const companyOf = (symbol: string) => symbol.replace(/-.*$/, "");

/** Dollars of a company's worth for each of its people: from a shop's to a software house's. */
const WORTH_EACH = { least: 0.8e6, most: 12e6 };

/** People by what the company is worth; `part` is drawn. */
const employeesOf = ({ shares, price }: Listing, part: number): number =>
  Math.max(
    12,
    Math.round((shares * price) / (WORTH_EACH.least * (WORTH_EACH.most / WORTH_EACH.least) ** part)),
  );

function assetProfile(listing: Listing, market: Market, asks: number): Module | null {
  const { seed } = market;
  if (listing.type === "ETF")
    return { longBusinessSummary: `${listing.name} holds invented shares.`, maxAge: 86_400 };
  if (listing.type !== "EQUITY") return null;
  const symbol = companyOf(listing.symbol);
  const key = keyOf(seed, `profile ${symbol}`);
  const [sector, industry, does] = tradeOf({ ...listing, symbol }, seed);
  const [city, state, country] = CITIES[Math.floor(uniform(key, 0) * CITIES.length)] ?? CITIES[0];
  const late = LATE[symbol];
  const isLate = late !== undefined && asks <= late.answers;
  return {
    address1: `${1 + Math.floor(uniform(key, 1) * 900)} Sample Street`,
    city,
    ...(state !== null && { state }),
    country,
    website: symbol === HOLLOW ? "-" : `https://www.${symbol.toLowerCase()}.example`,
    industry: isLate ? late.industry : industry,
    sector: isLate ? late.sector : sector,
    longBusinessSummary: `${listing.name} ${does}. It is invented and stands in no register.`,
    fullTimeEmployees:
      symbol === HOLLOW ? 0 : employeesOf(market.listing(symbol) ?? listing, uniform(key, 2)),
    companyOfficers: [],
    maxAge: 86_400,
  };
}

/** Under `price` a change in percent is a fraction, where the quote has percent points. */
function priceModule(quote: Module): Module {
  const percent = quote.regularMarketChangePercent;
  return {
    maxAge: 1,
    ...(typeof percent === "number" && { regularMarketChangePercent: percent / 100 }),
    regularMarketTime: quote.regularMarketTime,
    regularMarketPrice: quote.regularMarketPrice,
    exchange: quote.exchange,
    exchangeName: quote.fullExchangeName,
    exchangeDataDelayedBy: quote.exchangeDataDelayedBy,
    marketState: quote.marketState,
    quoteType: quote.quoteType,
    symbol: quote.symbol,
    shortName: quote.shortName,
    longName: quote.longName,
    currency: quote.currency ?? null,
    ...(quote.marketCap !== undefined && { marketCap: quote.marketCap }),
  };
}

function modulesOf(
  market: Market,
  listing: Listing,
  quote: Module,
  asks: number,
): Record<string, Module | null> {
  const first = quote.firstTradeDateMilliseconds;
  const shares = quote.sharesOutstanding;
  const fund =
    listing.type === "ETF"
      ? fundModules({
          listing,
          seed: market.seed,
          date: dateAt(market.now(), "America/New_York"),
          price: quote.regularMarketPrice,
          tradeOf: (share) => tradeOf(share, market.seed),
        })
      : {};
  return {
    ...fund,
    assetProfile: assetProfile(listing, market, asks),
    price: priceModule(quote),
    summaryDetail: {
      maxAge: 1,
      currency: quote.currency ?? null,
      ...(quote.marketCap !== undefined && { marketCap: quote.marketCap }),
      ...fund.summaryDetail,
    },
    defaultKeyStatistics:
      shares === undefined && !fund.defaultKeyStatistics
        ? null
        : {
            maxAge: 1,
            ...(shares !== undefined && { sharesOutstanding: shares }),
            ...fund.defaultKeyStatistics,
          },
    quoteType: {
      exchange: quote.exchange,
      quoteType: quote.quoteType,
      symbol: quote.symbol,
      longName: quote.longName,
      ...(typeof first === "number" && { firstTradeDateEpochUtc: first / 1000 }),
      timeZoneFullName: quote.exchangeTimezoneName,
      maxAge: 1,
    },
  };
}

/** A name that upstream keeps without quoting it: a mutual fund of no exchange, whatever it was. */
const delistedStub = (symbol: string): Record<string, Module> => ({
  price: {
    maxAge: 1,
    exchange: "YHD",
    exchangeName: "YHD",
    quoteType: "MUTUALFUND",
    symbol,
    shortName: "90210",
    longName: null,
  },
});

/** `missing`: upstream knows no such symbol; null: it has none of the asked modules. */
export type Summary = Record<string, Module> | null | "missing";

/** The modules asked of a symbol, by what was asked before. */
export function createSummaries(
  market: Market,
): (symbol: string, wanted: readonly string[], correct: Correction) => Summary {
  const asks = new Map<string, number>();
  return (symbol, wanted, correct) => {
    const found = market.find(symbol);
    if (!found) return "missing";
    const company = companyOf(found.listing.symbol);
    const count = (asks.get(company) ?? 0) + 1;
    if (LATE[company]) asks.set(company, count);
    const quote = found.kind === "stub" ? null : quoteOf(market, symbol, null, correct);
    const all = quote ? modulesOf(market, found.listing, quote, count) : delistedStub(found.symbol);
    // Costs more than all others together, and is asked for by itself.
    const events = quote && wanted.includes("calendarEvents") ? calendarEvents(market, found.listing) : null;
    const known: Record<string, Module | null> = { ...all, calendarEvents: events };
    const kept = wanted.flatMap((name) => (known[name] ? [[name, known[name]] as const] : []));
    return kept.length === 0 ? null : Object.fromEntries(kept);
  };
}
