// The holdings of the sample's funds: shares of the sample market with their weights, and the numbers by
// which securities are known.
import { COMPANIES } from "./companies.ts";
import type { Listing } from "./listing.ts";
import { keyOf, uniform } from "./randomness.ts";

export interface Held {
  readonly listing: Listing;
  /** Of the fund, a fraction; a basket's weights add up to less than one. */
  readonly weight: number;
}

/** Shares of a basket, and how much of the fund they make. */
const BASKETS: Readonly<Record<string, { readonly count: number; readonly invested: number }>> = {
  SMPLF: { count: 50, invested: 0.998 },
  ZTEKF: { count: 24, invested: 0.9941 },
  ZDVDF: { count: 18, invested: 0.9876 },
  ZCAPF: { count: 12, invested: 1.08 },
};

/** Whether a listing trades on a day. */
const tradesOn = ({ firstDate, lastDate }: Listing, date: string): boolean =>
  (!firstDate || date >= firstDate) && (!lastDate || date <= lastDate);

const isShare = ({ type, symbol }: Listing) => type === "EQUITY" && !symbol.includes("-");

/** The shares a fund holds on a day, the heaviest first; none for a fund of other things. */
export function basketOf(fund: string, seed: number, date: string): readonly Held[] {
  const basket = BASKETS[fund];
  if (!basket) return [];
  const key = keyOf(seed, `basket ${fund}`);
  const drawn = COMPANIES.filter((listing) => isShare(listing) && tradesOn(listing, date))
    .map((listing) => ({ listing, draw: uniform(key, keyOf(0, listing.symbol) % 100_000) }))
    .sort((a, b) => b.draw - a.draw)
    .slice(0, basket.count);
  const total = drawn.reduce((sum, { draw }) => sum + draw ** 2, 0);
  return drawn.map(({ listing, draw }) => ({ listing, weight: (basket.invested * draw ** 2) / total }));
}

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Check digit of a CUSIP (step 1) or an ISIN (over the digits of its letters). */
function checkDigit(digits: readonly number[], fromRight: boolean): number {
  const sum = digits.reduce((total, digit, i) => {
    const place = fromRight ? digits.length - 1 - i : i;
    const doubled = (fromRight ? place % 2 === 0 : place % 2 === 1) ? digit * 2 : digit;
    return total + Math.floor(doubled / 10) + (doubled % 10);
  }, 0);
  return (10 - (sum % 10)) % 10;
}

/** An invented CUSIP from the range that is never assigned (it ends in 99 before its check digit). */
export function cusipOf(symbol: string): string {
  const number = String(keyOf(0, `cusip ${symbol}`) % 100_000).padStart(5, "0");
  const body = `${number}Z99`;
  return `${body}${checkDigit(
    [...body].map((c) => DIGITS.indexOf(c)),
    false,
  )}`;
}

export function isinOf(symbol: string): string {
  const body = `US${cusipOf(symbol)}`;
  const digits = [...body].flatMap((c) => [...String(DIGITS.indexOf(c))].map(Number));
  return `${body}${checkDigit(digits, true)}`;
}
