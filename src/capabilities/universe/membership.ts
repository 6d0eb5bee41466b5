// Which listings a snapshot has, and how their shares are counted. Pure.
import { newYorkDate } from "../../market/calendar.ts";
import type { Bounds } from "./inputs.ts";
import type { ValueInput } from "./market-value.ts";
import type { Listing } from "./registry.ts";

/** Securities whose price times a count of shares says what a company is worth. */
const STOCKS = new Set(["common", "adr"]);

export const isStock = ({ security_type }: Pick<Listing, "security_type">): boolean =>
  STOCKS.has(security_type);

const dayOf = (instant: string) => newYorkDate(Temporal.Instant.from(instant));

/**
 * Listings that are told of under another one: their symbol is borne by another listing by now, and so is what is stored
 * under it; or they were renamed, and the price provider has their history under the later symbol.
 */
export function supplanted(all: readonly Listing[]): ReadonlySet<string> {
  const bySymbol = Map.groupBy(all, ({ symbol }) => symbol);
  const found = new Set(all.flatMap(({ listing, continued_by }) => (continued_by === null ? [] : [listing])));
  for (const rows of bySymbol.values()) {
    if (rows.length < 2) continue;
    const holder = rows.find(({ is_active }) => is_active);
    for (const row of rows) if (row !== holder) found.add(row.listing);
  }
  return found;
}

/**
 * Whether a listing was listed on a day, as far as can be told: it has a bar of that day, or bars on both sides of it,
 * or the lists had it then. A symbol that was another company's before counts from when it was first seen.
 */
export function wasListed(
  { listing, symbol, first_seen, last_seen, is_active }: Listing,
  date: string,
  bounds: Bounds | undefined,
): boolean {
  const seenFrom = dayOf(first_seen);
  const isReused = listing.startsWith(`${symbol}~`);
  if (isReused && date < seenFrom) return false;
  if (bounds && bounds.first <= date && date <= bounds.last) return true;
  return seenFrom <= date && (is_active || (last_seen !== null && date <= dayOf(last_seen)));
}

/** What listings were before, by the listing they are now. */
export function earlierOf(all: readonly Listing[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { listing, continued_by } of all)
    if (continued_by !== null) found.set(continued_by, [...(found.get(continued_by) ?? []), listing]);
  return found;
}

/**
 * Filers with several classes of ordinary shares, listed now or delisted since: a report's count is over all of them.
 */
export function severalClasses(all: readonly Listing[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const row of all)
    if (row.cik !== null && row.continued_by === null && isStock(row))
      counts.set(row.cik, (counts.get(row.cik) ?? 0) + 1);
  return new Set([...counts].flatMap(([cik, count]) => (count > 1 ? [cik] : [])));
}

/** How the shares of a listing may be counted. */
export function countingOf(
  { cik, security_type }: Listing,
  several: ReadonlySet<string>,
): Pick<ValueInput, "counting" | "uncounted"> {
  // The regulator's counts are of the shares behind depositary ones; how many those stand for no source says.
  if (security_type === "adr") return { counting: "provider", uncounted: "depositary_shares" };
  if (security_type === "fund") return { counting: "provider", uncounted: null };
  if (security_type !== "common") return { counting: "none", uncounted: null };
  if (cik !== null && several.has(cik)) return { counting: "provider", uncounted: "several_classes" };
  return { counting: cik === null ? "provider" : "reports", uncounted: null };
}
