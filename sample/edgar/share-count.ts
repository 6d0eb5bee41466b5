// Shares and dividends as reports tell them: consistent with the printed prices, splits and dividends of the
// market.
import { centreOn, nominalActions, ratioOf, sharesCounted } from "../actions.ts";
import type { Listing } from "../listing.ts";
import { dateOf, dayOf } from "../sessions.ts";
import type { Filer } from "./filers.ts";

/** The common shares of a filer, the first class first; preferred shares and warrants are none. */
export function commonOf(filer: Filer): readonly Listing[] {
  return filer.listings.filter(({ symbol }) => /^[^-]+(-[AB])?$/.test(symbol));
}

/** Dollars its shares are worth on `day`, at the price that theirs wander about. */
export function worthOn(filer: Filer, day: number): number {
  return commonOf(filer).reduce((sum, one) => sum + sharesCounted(one, day) * centreOn(one, day), 0);
}

/** New shares per old one by the splits after day `from` up to day `to`: 4 over a 4:1 split. */
export function splitRatio(filer: Filer, from: number, to: number): number {
  const listing = commonOf(filer)[0];
  if (!listing?.split || to <= from) return 1;
  const { split } = listing;
  let ratio = 1;
  for (let year = Number(dateOf(from).slice(0, 4)); year <= Number(dateOf(to).slice(0, 4)); year++) {
    const day = dayOf(`${year}-${split.monthDay}`);
    if (year % 5 === split.yearModulo5 && day > from && day <= to) ratio *= ratioOf(split);
  }
  return ratio;
}

/** Shares of all classes as they were counted on the day: the count the quotes have, too. */
function countedOn(listings: readonly Listing[], day: number): number {
  return listings.reduce((sum, one) => sum + sharesCounted(one, day), 0);
}

const thousands = (count: number) => Math.round(count / 1000) * 1000;

/** Shares outstanding on `day`, as they are counted on day `basis`, which is not earlier. */
export function sharesOn(filer: Filer, day: number, basis: number): number {
  return Math.round(thousands(countedOn(commonOf(filer), day)) * splitRatio(filer, day, basis));
}

/** Weighted shares of a period: counted in thousands on its last day, then carried over to `basis`. */
export function weightedShares(filer: Filer, start: number, end: number, basis: number) {
  const points = [0, 1, 2, 3, 4].map((n) => Math.round(start + ((end - start) * n) / 4));
  const counts = points.map((day) => countedOn(commonOf(filer), day) * splitRatio(filer, day, end));
  const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  const ratio = splitRatio(filer, end, basis);
  return {
    basic: Math.round(thousands(mean) * ratio),
    diluted: Math.round(thousands(mean * 1.012) * ratio),
  };
}

/** Dividends with a day in the period: dollars a share as counted on `basis`, and dollars in all. */
export function dividendsOf(filer: Filer, seed: number, start: number, end: number, basis: number) {
  let perShare = 0;
  let total = 0;
  for (const [i, listing] of commonOf(filer).entries())
    for (let year = Number(dateOf(start).slice(0, 4)); year <= Number(dateOf(end).slice(0, 4)); year++)
      for (const action of nominalActions(listing, seed, year)) {
        const day = dayOf(action.date);
        if (action.kind !== "dividend" || day < start || day > end) continue;
        total += action.amount * countedOn([listing], day);
        if (i === 0) perShare += action.amount / splitRatio(filer, day, basis);
      }
  return { perShare: Math.round(perShare * 10_000) / 10_000, total };
}
