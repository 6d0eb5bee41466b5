// Splits, dividends and capital gains of a listing, by rule from the calendar alone, as they were declared.
import type { Listing, SplitRule } from "./listing.ts";
import { keyOf, uniform } from "./randomness.ts";
import { dayOf, firstAtOrAfter, type Session } from "./sessions.ts";

/**
 * One action. `index` and `at` (epoch seconds, the open) are those of its ex session; amounts as declared.
 */
export type Action = { readonly date: string; readonly index: number; readonly at: number } & (
  | { readonly kind: "split"; readonly numerator: number; readonly denominator: number }
  | { readonly kind: "dividend" | "capital_gain"; readonly amount: number }
);

const SPLIT_YEARS = 5;
const DAYS_A_CYCLE = SPLIT_YEARS * 365.25;

/** Day number of the last day at or before `day` on which the rule names a split. */
function lastNominal(rule: SplitRule, day: number): number {
  const year = 1970 + Math.floor(day / 365.2425);
  const behind = (((year - rule.yearModulo5) % SPLIT_YEARS) + SPLIT_YEARS) % SPLIT_YEARS;
  for (const candidate of [year - behind + SPLIT_YEARS, year - behind, year - behind - SPLIT_YEARS]) {
    const nominal = dayOf(`${candidate}-${rule.monthDay}`);
    if (nominal <= day) return nominal;
  }
  return day;
}

/**
 * Returns the centre of the printed price on `day`. Between two forward splits it climbs by what the split
 * takes away (and between two reverse ones it sinks), so that prices of any year look alike.
 */
export function centreOn(listing: Listing, day: number): number {
  if (!listing.split) return listing.price;
  const ratio = listing.split.numerator / listing.split.denominator;
  const elapsed = (day - lastNominal(listing.split, day)) / DAYS_A_CYCLE;
  return (listing.price / Math.sqrt(ratio)) * ratio ** Math.min(1, elapsed);
}

/** The day on which a listing has about as many shares as its line says. */
const COUNTED_ON = dayOf("2026-01-01");
/** Part of its shares that a company whose price climbs from split to split buys back in a year. */
const BOUGHT_BACK = 0.01;

/**
 * Shares of a listing as they are counted on `day`. The count of a company whose price climbs between forward
 * splits moves slowly but for the splits. One whose price sinks between reverse splits sells new shares as
 * fast as it sinks.
 */
export function sharesCounted(listing: Listing, day: number): number {
  const { split, shares, price } = listing;
  if (!split || ratioOf(split) < 1) return (shares * price) / centreOn(listing, day);
  const splits = Math.round((lastNominal(split, day) - lastNominal(split, COUNTED_ON)) / DAYS_A_CYCLE);
  const kept = (1 - BOUGHT_BACK) ** ((day - COUNTED_ON) / 365.25);
  return ((shares * price) / centreOn(listing, COUNTED_ON)) * ratioOf(split) ** splits * kept;
}

/** The session a rule falls on: the first on or after the day, null when that lies outside the table. */
function exSession(sessions: readonly Session[], day: number): number | null {
  const first = sessions[0];
  if (!first || day < first.day) return null;
  const index = firstAtOrAfter(sessions, "day", day);
  return index < sessions.length ? index : null;
}

/** Yields the actions of a year, on the days the rules name, sessions or not. */
export function* nominalActions(listing: Listing, seed: number, year: number) {
  const { split } = listing;
  if (split && year % SPLIT_YEARS === split.yearModulo5)
    yield { kind: "split" as const, date: `${year}-${split.monthDay}`, ...split };
  const key = keyOf(seed, `dividends ${listing.symbol}`);
  if (listing.yieldPercent > 0)
    for (let quarter = 0; quarter < 4; quarter++) {
      const month = 1 + quarter * 3 + Math.floor(uniform(key, 0) * 3);
      const dayOfMonth = 2 + Math.floor(uniform(key, 10 + quarter) * 24);
      const date = `${year}-${String(month).padStart(2, "0")}-${String(dayOfMonth).padStart(2, "0")}`;
      const growth = 1 + 0.08 * uniform(key, year);
      const exact = (centreOn(listing, dayOf(date)) * listing.yieldPercent * growth) / 400;
      yield { kind: "dividend" as const, date, amount: Math.max(0.001, Math.round(exact * 1000) / 1000) };
    }
  if (listing.capitalGains) {
    const amount = Math.round(listing.price * (0.01 + 0.03 * uniform(key, year + 5000)) * 1000) / 1000;
    yield { kind: "capital_gain" as const, date: `${year}-12-12`, amount };
  }
}

/**
 * All actions of a listing whose ex session is in its table, oldest first; the first session itself has none.
 */
export function actionsOf(listing: Listing, seed: number, sessions: readonly Session[]): Action[] {
  const actions: Action[] = [];
  const first = sessions[0];
  const last = sessions.at(-1);
  if (!first || !last) return actions;
  for (let year = Number(first.date.slice(0, 4)); year <= Number(last.date.slice(0, 4)); year++) {
    for (const { date: nominal, ...action } of nominalActions(listing, seed, year)) {
      const index = exSession(sessions, dayOf(nominal));
      const session = index === null ? undefined : sessions[index];
      if (!index || !session) continue;
      const when = { date: session.date, index, at: session.open };
      if (action.kind === "split")
        actions.push({
          ...when,
          kind: "split",
          numerator: action.numerator,
          denominator: action.denominator,
        });
      else actions.push({ ...when, ...action });
    }
  }
  return actions.sort((a, b) => a.at - b.at);
}

/** New shares per old one: 4 for a 4:1 split, 0.1 for a 1:10. */
export function ratioOf(split: { numerator: number; denominator: number }): number {
  return split.numerator / split.denominator;
}
