// The `meta` of chart and spark answers, keys in the provider's order.
import type { Listing } from "../listing.ts";
import { dateAt, dayOf, firstAtOrAfter, offsetAt, type Session } from "../sessions.ts";
import type { View } from "../view.ts";

export const EXCHANGE_NAMES: Readonly<Record<Listing["exchange"], string>> = {
  NMS: "NasdaqGS",
  NGM: "NasdaqGM",
  NCM: "NasdaqCM",
  NYQ: "NYSE",
  ASE: "NYSE American",
  PCX: "NYSEArca",
  BTS: "Cboe US",
  PNK: "OTC Markets OTCPK",
  SNP: "SNP",
  CCY: "CCY",
  CCC: "CCC",
};

const YEAR_S = 31_557_600;
/** How far back each range needs the listing to reach before upstream calls it valid. */
const RANGES: readonly (readonly [range: string, ageYears: number])[] = [
  ["1d", 0],
  ["5d", 0],
  ["1mo", 0],
  ["3mo", 0],
  ["6mo", 0],
  ["1y", 0.5],
  ["2y", 1],
  ["5y", 2],
  ["10y", 5],
];

/** Decimals a price is shown with. */
export function priceHint(listing: Listing): number {
  return listing.price < 5 ? 4 : 2;
}

/** `price` with at most `digits` decimals. */
export function rounded(price: number, digits: number): number {
  return Number(price.toFixed(digits));
}

/** One stretch of trading as the provider writes it. */
export function tradingPeriod(start: number, end: number, zone: string) {
  const { gmtoffset, timezone } = offsetAt(start, zone);
  return { timezone, start, end, gmtoffset };
}

/** Early, regular and late hours of today, or of the last session when today has none. */
export function currentSession(sessions: readonly Session[], now: number, zone: string): Session | undefined {
  const next = firstAtOrAfter(sessions, "day", dayOf(dateAt(now, zone)) + 1);
  return sessions[Math.max(0, next - 1)];
}

/** Highest high and lowest low of the last 52 weeks on the basis of now; null before the first trade. */
export function yearRange(view: View): { high: number; low: number } | null {
  const { sessions, bars } = view.history;
  const last = view.lastTrade();
  if (!last) return null;
  let { high, low } = last.bar;
  for (let i = last.index - 1; i >= 0 && (sessions[i]?.open ?? 0) > view.now - YEAR_S; i--) {
    const bar = bars[i];
    if (!bar) continue;
    high = Math.max(high, bar.high * view.factor(i));
    low = Math.min(low, bar.low * view.factor(i));
  }
  return { high, low };
}

function periods(session: Session | undefined, zone: string) {
  if (!session) return {};
  return {
    pre: tradingPeriod(session.pre, session.open, zone),
    regular: tradingPeriod(session.open, session.close, zone),
    post: tradingPeriod(session.close, session.post, zone),
  };
}

/** The facts of the answer beside the listing itself. */
export interface MetaFacts {
  readonly symbol: string;
  readonly zone: string;
  readonly interval: string;
  readonly range: string;
  /** Close before the first bar of the window. */
  readonly chartPreviousClose: number | null;
  /** Intraday only: the close before the window's first session, and the trading periods of its sessions. */
  readonly intraday?: { readonly previousClose: number | null; readonly tradingPeriods: unknown };
}

/** `meta` of a listed security. */
export function metaOf(listing: Listing, view: View, facts: MetaFacts) {
  const { zone, intraday } = facts;
  const { sessions } = view.history;
  const last = view.lastTrade();
  const year = yearRange(view);
  const hint = priceHint(listing);
  const digits = hint + 2;
  const first = sessions[0]?.open ?? null;
  const age = first === null ? 0 : (view.now - first) / YEAR_S;
  const today = currentSession(sessions, view.now, zone);
  return {
    currency: listing.currency,
    symbol: facts.symbol,
    exchangeName: listing.exchange,
    fullExchangeName: EXCHANGE_NAMES[listing.exchange],
    instrumentType: listing.type,
    firstTradeDate: first,
    ...(last && { regularMarketTime: last.at }),
    hasPrePostMarketData: listing.hours === "us" && listing.type !== "INDEX",
    ...offsetAt(view.now, zone),
    exchangeTimezoneName: zone,
    ...(last &&
      year && {
        regularMarketPrice: rounded(last.bar.close, digits),
        fiftyTwoWeekHigh: rounded(year.high, digits),
        fiftyTwoWeekLow: rounded(year.low, digits),
        regularMarketDayHigh: rounded(last.bar.high, digits),
        regularMarketDayLow: rounded(last.bar.low, digits),
        regularMarketVolume: last.bar.volume,
      }),
    longName: listing.name,
    shortName: listing.name.slice(0, 31),
    ...(facts.chartPreviousClose !== null && {
      chartPreviousClose: rounded(facts.chartPreviousClose, hint + 1),
    }),
    ...(intraday && {
      ...(intraday.previousClose !== null && { previousClose: rounded(intraday.previousClose, hint + 1) }),
      scale: 3,
    }),
    priceHint: hint,
    currentTradingPeriod: periods(today, zone),
    ...(intraday && { tradingPeriods: intraday.tradingPeriods }),
    dataGranularity: facts.interval,
    range: facts.range,
    validRanges: [...RANGES.filter(([, years]) => age >= years).map(([range]) => range), "ytd", "max"],
  };
}

/**
 * `meta` of a delisted security the provider keeps an empty page of: another type, another exchange, no
 * price.
 */
export function delistedMeta(
  listing: Listing,
  symbol: string,
  now: number,
  today: Session | undefined,
  interval: string,
  range: string,
) {
  const zone = "America/New_York";
  return {
    currency: null,
    symbol,
    exchangeName: "YHD",
    fullExchangeName: "YHD",
    instrumentType: "MUTUALFUND",
    firstTradeDate: null,
    hasPrePostMarketData: false,
    ...offsetAt(now, zone),
    exchangeTimezoneName: zone,
    longName: listing.name,
    priceHint: 2,
    currentTradingPeriod: periods(today, zone),
    dataGranularity: interval,
    range,
    validRanges: ["1mo", "3mo", "6mo", "ytd", "1y", "2y", "5y", "10y", "max"],
  };
}
