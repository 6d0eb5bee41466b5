// v7 quote results: market state by the clock, early and late prices by state, and the provider's odd stubs.
import { sharesCounted } from "../actions.ts";
import type { Listing } from "../listing.ts";
import type { Market } from "../market.ts";
import { dateAt, offsetAt, type Session } from "../sessions.ts";
import { type Correction, type View, viewOf } from "../view.ts";
import { EXCHANGE_NAMES, priceHint, rounded, yearRange } from "./chart-meta.ts";

type Quote = Record<string, unknown>;
type MarketState = "PREPRE" | "PRE" | "REGULAR" | "POST" | "POSTPOST" | "CLOSED";

const TYPE_NAMES = {
  EQUITY: "Equity",
  ETF: "ETF",
  INDEX: "Index",
  CURRENCY: "Currency",
  CRYPTOCURRENCY: "Cryptocurrency",
};
/** Fields that come whether or not `fields` asks for them. */
const ALWAYS = [
  "language",
  "region",
  "quoteType",
  "typeDisp",
  "quoteSourceName",
  "triggerable",
  "customPriceAlertConfidence",
  "exchange",
  "market",
  "marketState",
  "exchangeTimezoneName",
  "exchangeTimezoneShortName",
  "gmtOffSetMilliseconds",
  "esgPopulated",
  "hasPrePostMarketData",
  "sourceInterval",
  "exchangeDataDelayedBy",
  "tradeable",
  "cryptoTradeable",
  "symbol",
];

/** The state of a market at `now`, given the session of today's date, if it has one. */
export function marketState(session: Session | undefined, now: number): MarketState {
  if (!session) return "CLOSED";
  if (now < session.pre) return "PREPRE";
  if (now < session.open) return "PRE";
  if (now < session.close) return "REGULAR";
  return now < session.post ? "POST" : "POSTPOST";
}

/**
 * Price and its change as the provider names them: `preMarketPrice`, `preMarketChange`,
 * `preMarketChangePercent`.
 */
function priced(prefix: string, price: number, against: number | null, time: number, digits: number): Quote {
  return {
    [`${prefix}Price`]: rounded(price, digits),
    [`${prefix}Time`]: time,
    ...(against !== null && {
      [`${prefix}Change`]: rounded(price - against, digits + 3),
      [`${prefix}ChangePercent`]: rounded((price / against - 1) * 100, 7),
    }),
  };
}

/**
 * The newest trade before the open (in PRE) or after the close (in every closed state); none while the
 * session runs.
 */
function extendedPrice(market: Market, listing: Listing, view: View, state: MarketState): Quote {
  const last = view.lastTrade();
  if (!last || state === "REGULAR") return {};
  const side = state === "PRE" ? "pre" : "post";
  const index = state === "PRE" ? view.lastIndex + 1 : last.index;
  const minute = market.minutes(listing, index, side).findLast((m) => m.at <= view.now);
  if (!minute?.bar) return {};
  const price = minute.bar.open * view.factor(index);
  return priced(
    `${side}Market`,
    price,
    last.bar.close,
    Math.min(view.now, minute.at + 30),
    priceHint(listing) + 2,
  );
}

function averageVolume(view: View, sessions: number): number {
  const volumes = view
    .rows(view.lastIndex - sessions, view.lastIndex - 1)
    .flatMap((row) => row.bar?.volume ?? []);
  return volumes.length === 0 ? 0 : Math.round(volumes.reduce((a, b) => a + b, 0) / volumes.length);
}

function averageClose(view: View, sessions: number): number | null {
  const closes = view
    .rows(view.lastIndex - sessions + 1, view.lastIndex)
    .flatMap((row) => row.bar?.close ?? []);
  return closes.length === 0 ? null : closes.reduce((a, b) => a + b, 0) / closes.length;
}

/** Day's figures, year's range and averages. */
function figures(listing: Listing, view: View): Quote {
  const last = view.lastTrade();
  const year = yearRange(view);
  if (!last || !year) return {};
  const digits = priceHint(listing) + 2;
  const { bar } = last;
  const before = view.closeBefore(last.index);
  const show = (price: number) => rounded(price, digits);
  const lastRow = view.rows(last.index, last.index)[0];
  // Late corrections reach the close of a settled day; open, high, low and volume stay those of the live
  // feed.
  const close = lastRow?.bar?.close ?? bar.close;
  const shares = Math.round(sharesCounted(listing, last.session.day));
  const [fifty, twoHundred] = [averageClose(view, 50), averageClose(view, 200)];
  return {
    ...priced("regularMarket", close, before, last.at, digits),
    regularMarketDayHigh: show(bar.high),
    regularMarketDayRange: `${show(bar.low)} - ${show(bar.high)}`,
    regularMarketDayLow: show(bar.low),
    regularMarketVolume: bar.volume,
    ...(before !== null && { regularMarketPreviousClose: show(before) }),
    ...(listing.hours === "us" &&
      listing.type !== "INDEX" && {
        bid: rounded(close * 0.9997, priceHint(listing)),
        ask: rounded(close * 1.0003, priceHint(listing)),
        bidSize: 2,
        askSize: 1,
      }),
    regularMarketOpen: show(bar.open),
    averageDailyVolume3Month: averageVolume(view, 63),
    averageDailyVolume10Day: averageVolume(view, 10),
    fiftyTwoWeekLowChange: show(close - year.low),
    fiftyTwoWeekLowChangePercent: rounded(close / year.low - 1, 8),
    fiftyTwoWeekRange: `${show(year.low)} - ${show(year.high)}`,
    fiftyTwoWeekHighChange: show(close - year.high),
    fiftyTwoWeekHighChangePercent: rounded(close / year.high - 1, 8),
    fiftyTwoWeekLow: show(year.low),
    fiftyTwoWeekHigh: show(year.high),
    ...(fifty !== null && { fiftyDayAverage: show(fifty) }),
    ...(twoHundred !== null && { twoHundredDayAverage: show(twoHundred) }),
    ...(listing.type === "EQUITY" && {
      sharesOutstanding: shares,
      marketCap: Math.round(shares * close),
    }),
  };
}

function listedQuote(market: Market, listing: Listing, symbol: string, correct: Correction): Quote {
  const view = viewOf(market, listing, symbol, correct);
  const { zone, sessions } = market.table(listing);
  const today = dateAt(view.now, zone);
  const { gmtoffset, timezone } = offsetAt(view.now, zone);
  const session = sessions.find((s) => s.date === today);
  const state = listing.hours === "crypto" ? "REGULAR" : marketState(session, view.now);
  const extended = listing.hours === "us" && listing.type !== "INDEX";
  const first = view.history.sessions[0];
  return {
    language: "en-US",
    region: "US",
    quoteType: listing.type,
    typeDisp: TYPE_NAMES[listing.type],
    quoteSourceName: listing.exchange.startsWith("N") ? "Nasdaq Real Time Price" : "Delayed Quote",
    triggerable: true,
    customPriceAlertConfidence: "HIGH",
    ...(listing.currency !== null && { currency: listing.currency }),
    shortName: listing.name.slice(0, 31),
    longName: listing.name,
    hasPrePostMarketData: extended,
    ...(first && { firstTradeDateMilliseconds: first.open * 1000 }),
    priceHint: priceHint(listing),
    ...(extended && extendedPrice(market, listing, view, state)),
    ...figures(listing, view),
    fullExchangeName: EXCHANGE_NAMES[listing.exchange],
    ...(listing.type === "EQUITY" && { financialCurrency: "USD" }),
    marketState: state,
    corporateActions: [],
    exchange: listing.exchange,
    messageBoardId: `sample_${symbol}`,
    exchangeTimezoneName: zone,
    exchangeTimezoneShortName: timezone,
    gmtOffSetMilliseconds: gmtoffset * 1000,
    market: { us: "us_market", fx: "ccy_market", crypto: "ccc_market" }[listing.hours],
    esgPopulated: false,
    sourceInterval: 15,
    exchangeDataDelayedBy: 0,
    tradeable: false,
    cryptoTradeable: listing.hours === "crypto",
    symbol,
  };
}

/** Returns the quote of a delisted security. */
function delistedQuote(symbol: string): Quote {
  return {
    language: "en-US",
    region: "US",
    quoteType: "NONE",
    triggerable: false,
    customPriceAlertConfidence: "NONE",
    corporateActions: [],
    messageBoardId: `sample_${symbol}`,
    esgPopulated: false,
    hasPrePostMarketData: false,
    tradeable: false,
    cryptoTradeable: false,
    symbol,
  };
}

/** The quote of a symbol; null when upstream leaves it out. `fields` null: all of them. */
export function quoteOf(
  market: Market,
  symbol: string,
  fields: readonly string[] | null,
  correct: Correction,
): Quote | null {
  const found = market.find(symbol);
  if (!found) {
    // A share class spelled with a dot gets an equity without exchange or price.
    const dotted = /^([A-Z]+)\.([A-Z])$/i.exec(symbol);
    const meant = dotted && market.find(`${dotted[1]}-${dotted[2]}`);
    return meant ? { ...delistedQuote(symbol.toUpperCase()), quoteType: "EQUITY", typeDisp: "Equity" } : null;
  }
  if (found.kind === "stub") return delistedQuote(found.symbol);
  const quote = listedQuote(market, found.listing, found.symbol, correct);
  if (!fields) return quote;
  const kept = new Set([...ALWAYS, ...fields]);
  return Object.fromEntries(Object.entries(quote).filter(([name]) => kept.has(name)));
}
