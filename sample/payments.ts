// Dividends of the fictional listings as calendars tell them: declared some weeks before, paid some weeks
// after. They are those of the market; what is said of a few of them changes on the way.
import { nominalActions } from "./actions.ts";
import { businessDayFrom } from "./edgar/days.ts";
import type { Listing } from "./listing.ts";
import type { Market } from "./market.ts";
import { keyOf, uniform } from "./randomness.ts";
import { dateAt, dateOf, dayOf, firstAtOrAfter } from "./sessions.ts";

/** One payment as published now; amounts as declared. */
export interface Payment {
  readonly exDate: string;
  readonly declared: string;
  readonly record: string;
  readonly paid: string;
  readonly amount: number;
  readonly type: "Cash" | "Special Cash";
}

/** Its dividend of the last quarter is a special one. */
const SPECIAL = "FIZZQ";
/** Declares a smaller amount first, and corrects it so many days later. */
const CORRECTED = { symbol: "OBBLQ", part: 0.8, days: 10 };
/** Declares an extra dividend each August that it takes back before its ex date. */
const CANCELLED = {
  symbol: "TRELB",
  declared: "08-25",
  withdrawn: "09-12",
  ex: "09-25",
  paid: "10-16",
  amount: 0.5,
};

const money = (amount: number) => Math.round(amount * 1000) / 1000;

function paymentOf(market: Market, listing: Listing, exDate: string, amount: number, today: string): Payment {
  const ex = dayOf(exDate);
  const key = keyOf(market.seed, `payment ${listing.symbol} ${exDate}`);
  const declared = businessDayFrom(ex - 21 - Math.floor(uniform(key, 0) * 14));
  const isFirstWord =
    listing.symbol === CORRECTED.symbol && dayOf(today) < Math.min(ex, declared + CORRECTED.days);
  return {
    exDate,
    declared: dateOf(declared),
    record: exDate,
    paid: dateOf(businessDayFrom(ex + 14 + Math.floor(uniform(key, 1) * 10))),
    amount: isFirstWord ? money(amount * CORRECTED.part) : amount,
    type: listing.symbol === SPECIAL && Number(exDate.slice(5, 7)) >= 10 ? "Special Cash" : "Cash",
  };
}

function takenBack(market: Market, listing: Listing, year: number, today: string): Payment[] {
  if (listing.symbol !== CANCELLED.symbol || today >= `${year}-${CANCELLED.withdrawn}`) return [];
  const exDate = sessionFrom(market, listing, `${year}-${CANCELLED.ex}`);
  if (exDate === null) return [];
  const { amount } = CANCELLED;
  const declared = `${year}-${CANCELLED.declared}`;
  return [{ exDate, declared, record: exDate, paid: `${year}-${CANCELLED.paid}`, amount, type: "Cash" }];
}

/**
 * The first session on or after a date; null outside the table, and on its first session, as in the market.
 */
function sessionFrom(market: Market, listing: Listing, date: string): string | null {
  const { sessions } = market.table(listing);
  const index = firstAtOrAfter(sessions, "day", dayOf(date));
  return index === 0 ? null : (sessions[index]?.date ?? null);
}

/** Payments that go ex in the years asked for and are declared by now, oldest first. */
export function paymentsOf(market: Market, listing: Listing, fromYear: number, toYear: number): Payment[] {
  const today = dateAt(market.now(), "America/New_York");
  const found: Payment[] = [];
  for (let year = fromYear; year <= toYear; year++) {
    for (const action of nominalActions(listing, market.seed, year)) {
      if (action.kind !== "dividend") continue;
      const exDate = sessionFrom(market, listing, action.date);
      if (exDate === null || exDate <= (listing.firstDate ?? "") || exDate > (listing.lastDate ?? "9999"))
        continue;
      found.push(paymentOf(market, listing, exDate, action.amount, today));
    }
    found.push(...takenBack(market, listing, year, today));
  }
  return found
    .filter(({ declared }) => declared <= today)
    .sort((a, b) => (a.exDate < b.exDate ? -1 : a.exDate > b.exDate ? 1 : 0));
}

/** First and last year of a listing's table. */
export function yearsOf(market: Market, listing: Listing): readonly [number, number] {
  const { sessions } = market.table(listing);
  const year = (date: string | undefined) => Number((date ?? "2026").slice(0, 4));
  return [year(sessions[0]?.date), year(sessions.at(-1)?.date)];
}
