// Splits and dividends as the brokerage feed lists them: by the day they are processed, under the name borne
// then.
import { fromAlpaca, fromYahoo, toAlpaca, toYahoo } from "../../src/market/spelling.ts";
import type { Market } from "../market.ts";
import { dateAt } from "../sessions.ts";

const ZONE = "America/New_York";
/** A dividend is processed when it is paid. */
const PAID_AFTER_DAYS = 21;
/** Actions are announced so long ahead. */
const ANNOUNCED_DAYS = 10;

const plus = (date: string, days: number) => Temporal.PlainDate.from(date).add({ days }).toString();

export interface Listed {
  readonly group: "cash_dividends" | "forward_splits" | "reverse_splits";
  readonly process_date: string;
  readonly row: Record<string, unknown>;
}

/** The symbol of a listing on a day, in the feed's spelling. */
function nameOn(
  listing: { symbol: string; formerly?: { symbol: string; until: string } },
  date: string,
): string {
  const own = listing.formerly && date <= listing.formerly.until ? listing.formerly.symbol : listing.symbol;
  return toAlpaca(fromYahoo(own) ?? own) ?? own;
}

/** Every symbol that the feed carries or once carried, in its spelling. */
export function everySymbol(market: Market): string[] {
  const all = market
    .listings()
    .flatMap(({ symbol, formerly }) => [symbol, ...(formerly ? [formerly.symbol] : [])]);
  return [...new Set(all.flatMap((symbol) => toAlpaca(fromYahoo(symbol) ?? symbol) ?? []))].sort();
}

/** Returns a symbol's actions known today, processed from `start` to `end`, oldest first. */
export function actionsOf(market: Market, symbol: string, start: string, end: string): Listed[] {
  const canonical = fromAlpaca(symbol);
  const listing = canonical === null ? null : market.listing(toYahoo(canonical));
  if (listing?.hours !== "us") return [];
  const known = plus(dateAt(market.now(), ZONE), ANNOUNCED_DAYS);
  const listed = market.history(listing).actions.flatMap((action): Listed[] => {
    if (action.date > known || nameOn(listing, action.date) !== symbol) return [];
    const ex = { symbol, ex_date: action.date, id: `${symbol}-${action.kind}-${action.date}` };
    if (action.kind === "split") {
      const { numerator, denominator } = action;
      const rates = { new_rate: numerator, old_rate: denominator, process_date: action.date };
      const group = numerator > denominator ? "forward_splits" : "reverse_splits";
      return [{ group, process_date: action.date, row: { ...ex, ...rates } }];
    }
    const process_date = plus(action.date, PAID_AFTER_DAYS);
    const paid = {
      rate: action.amount,
      special: action.kind === "capital_gain",
      foreign: false,
      process_date,
    };
    return [{ group: "cash_dividends", process_date, row: { ...ex, ...paid, payable_date: process_date } }];
  });
  return listed
    .filter(({ process_date }) => process_date >= start && process_date <= end)
    .sort((a, b) => (a.process_date < b.process_date ? -1 : 1));
}
