// Who has which ticker on which exchange.
import { LRUCache } from "lru-cache";
import type { Listing } from "../listing.ts";
import type { Market } from "../market.ts";
import { jsonReply, type Reply } from "../wire.ts";
import { type Filer, nameOn, TRUST_CIK } from "./filers.ts";
import { trustFunds } from "./fund-plan.ts";
import type { Register } from "./register.ts";

const EXCHANGES: Readonly<Record<string, string>> = {
  NMS: "Nasdaq",
  NGM: "Nasdaq",
  NCM: "Nasdaq",
  BTS: "CBOE",
  PNK: "OTC",
};
/** The exchange a listing has in the regulator's spelling. */
export const exchangeOf = (listing: Listing) => EXCHANGES[listing.exchange] ?? "NYSE";

/** Listings that trade now, with the symbol of the day: what has left the exchange leaves these lists too. */
export function tickersOf(
  market: Market,
  filer: Filer,
  today: string,
): { ticker: string; listing: Listing }[] {
  return filer.listings.flatMap((listing) => {
    const { formerly } = listing;
    const ticker = formerly && today <= formerly.until ? formerly.symbol : listing.symbol;
    return market.find(ticker)?.kind === "listed" ? [{ ticker, listing }] : [];
  });
}

/** Tickers under which a filer's securities trade now. */
export const tickersNow = (market: Market, filer: Filer, today: string): string[] =>
  tickersOf(market, filer, today).map(({ ticker }) => ticker);

/** `company_tickers_mf.json`: the funds of the trust, series and share class. */
const fundRows = () =>
  trustFunds().map(({ symbol, seriesId, classId }) => [TRUST_CIK, seriesId, classId, symbol]);

/** `company_tickers.json`, `…_exchange` and `…_mf`, kept for the day; null for another name. */
export function createTickerFiles(market: Market, register: Register): (name: string) => Reply | null {
  const files = new LRUCache<string, Reply>({ max: 3 });
  const rows = (today: string) =>
    register
      .filers()
      .flatMap((filer) =>
        tickersOf(market, filer, today).map((one) => ({
          ...one,
          cik: filer.cik,
          name: nameOn(filer, today),
        })),
      )
      .sort((a, b) => b.listing.price * b.listing.shares - a.listing.price * a.listing.shares);
  const made: Readonly<Record<string, (today: string) => unknown>> = {
    "company_tickers.json": (today) =>
      Object.fromEntries(
        rows(today).map(({ cik, ticker, name }, i) => [i, { cik_str: cik, ticker, title: name }]),
      ),
    "company_tickers_exchange.json": (today) => ({
      fields: ["cik", "name", "ticker", "exchange"],
      data: rows(today).map(({ cik, name, ticker, listing }) => [cik, name, ticker, exchangeOf(listing)]),
    }),
    "company_tickers_mf.json": () => ({ fields: ["cik", "seriesId", "classId", "symbol"], data: fundRows() }),
  };
  return (name) => {
    const today = register.today();
    const reply = files.get(`${name} ${today}`) ?? (made[name] ? jsonReply(200, made[name](today)) : null);
    if (reply) files.set(`${name} ${today}`, reply);
    return reply;
  };
}
