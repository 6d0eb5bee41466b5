// Which listings belong to a snapshot, and how their shares are counted. Pure.
import { newYorkDate } from "../../market/calendar.ts";
import type { Bounds } from "./inputs.ts";
import type { ValueInput } from "./market-value.ts";
import type { Listing } from "./registry.ts";

/** Securities whose price times the count of shares is the value of a company. */
const STOCKS = new Set(["common", "adr"]);

export const isStock = ({ security_type }: Pick<Listing, "security_type">): boolean =>
  STOCKS.has(security_type);

const dayOf = (instant: string) => newYorkDate(Temporal.Instant.from(instant));

/**
 * Listings that another listing has replaced. Either the other one has their symbol now, so that the data
 * stored under the symbol is the other one's. Or they were renamed, and the price provider has their history
 * under the later symbol.
 */
// Made up: ZQX of a delisted company and ZQX of a new one: the former. OLDZ renamed to NEWZ: OLDZ.
export function supplanted(all: readonly Listing[]): ReadonlySet<string> {
  const bySymbol = Map.groupBy(all, ({ symbol }) => symbol);
  const found = new Set(all.flatMap(({ listing, continued_by }) => (continued_by === null ? [] : [listing])));
  for (const rows of bySymbol.values()) {
    if (rows.length < 2) continue;
    const current = rows.find(({ is_active }) => is_active);
    for (const row of rows) if (row !== current) found.add(row.listing);
  }
  return found;
}

/**
 * Whether a listing was listed on a day, as far as known: its stored bars begin by that day and end no
 * earlier, or the lists had it then. A symbol that another company had before counts from the day it was
 * first seen.
 */
// Made up: first seen on 1 June with bars from 2 January on: listed on 1 March; for a reused symbol only from
// 1 June.
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

/** Earlier listings, by the listing that continues them. */
export function earlierOf(all: readonly Listing[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { listing, continued_by } of all)
    if (continued_by !== null) found.set(continued_by, [...(found.get(continued_by) ?? []), listing]);
  return found;
}

/**
 * Filers with several classes of ordinary shares, listed or delisted: the count in a report covers all of
 * them.
 */
// Made up: ZQX.A and ZQX.B are two classes; ZQX and its warrant ZQX.WS are one.
export function severalClasses(all: readonly Listing[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const row of all)
    if (row.cik !== null && row.continued_by === null && isStock(row))
      counts.set(row.cik, (counts.get(row.cik) ?? 0) + 1);
  return new Set([...counts].flatMap(([cik, count]) => (count > 1 ? [cik] : [])));
}

/** How the shares of a listing are counted. */
export function countingOf(
  { cik, security_type }: Listing,
  several: ReadonlySet<string>,
): Pick<ValueInput, "counting" | "uncounted"> {
  // The regulator counts the shares behind depositary shares. No source gives the ratio between the two.
  if (security_type === "adr") return { counting: "provider", uncounted: "depositary_shares" };
  if (security_type === "fund") return { counting: "provider", uncounted: null };
  if (security_type !== "common") return { counting: "none", uncounted: null };
  if (cik !== null && several.has(cik)) return { counting: "provider", uncounted: "several_classes" };
  return { counting: cik === null ? "provider" : "reports", uncounted: null };
}
