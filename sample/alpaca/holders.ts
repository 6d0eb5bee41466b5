// The company behind a symbol in the brokerage feed: its holder on the day of `asof`, former names included.
// Without a holder on that day, or with `asof=-`, any company that held the symbol, for as long as it did.
import { fromAlpaca, toYahoo } from "../../src/market/spelling.ts";
import type { Listing } from "../listing.ts";
import type { Market } from "../market.ts";
import { dateAt } from "../sessions.ts";

/** A listing, and the days of it that are meant, both inclusive. */
export interface Holder {
  /** In the feed's spelling, as asked. */
  readonly symbol: string;
  readonly listing: Listing;
  readonly from: string;
  readonly to: string;
}

const FIRST = "0000-01-01";
const LAST = "9999-12-31";
/** The form of symbols that the feed accepts: anything else fails the request. */
const WELL_FORMED = /^[A-Z]{1,6}(?:\.[A-Z]{1,3}){0,2}$/;

export const isWellFormed = (symbol: string): boolean => WELL_FORMED.test(symbol);

/** The listing and days behind a symbol; null when it has none. The feed carries shares and funds only. */
export function holderOf(market: Market, symbol: string, asof: string | null): Holder | null {
  const canonical = fromAlpaca(symbol);
  if (canonical === null) return null;
  const own = toYahoo(canonical);
  const listing = market.listing(own);
  if (listing?.hours !== "us" || (listing.type !== "EQUITY" && listing.type !== "ETF")) return null;
  const day = asof ?? dateAt(market.now(), "America/New_York");
  const isHeld = day !== "-" && market.findOn(own, day)?.kind === "listed";
  if (isHeld) return { symbol, listing, from: FIRST, to: LAST };
  const { formerly } = listing;
  if (!formerly) return { symbol, listing, from: FIRST, to: LAST };
  if (own === formerly.symbol) return { symbol, listing, from: FIRST, to: formerly.until };
  const next = Temporal.PlainDate.from(formerly.until).add({ days: 1 }).toString();
  return { symbol, listing, from: next, to: LAST };
}
