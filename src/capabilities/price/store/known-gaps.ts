// Known gaps: days a provider was asked for and had no close of. They are stored, so that not every request
// asks again.
import { and, eq, inArray } from "drizzle-orm";
import type { Db } from "../../../platform/sqlite/sqlite.ts";
import type { KnownGap } from "../gaps.ts";
import { price_known_gaps } from "../tables.ts";

/** Known gaps in daily bars, by symbol. */
export function knownGapsOf(db: Db, symbols: readonly string[]): Map<string, KnownGap[]> {
  const knownGaps = new Map<string, KnownGap[]>();
  const rows = db
    .select()
    .from(price_known_gaps)
    .where(and(inArray(price_known_gaps.symbol, [...symbols]), eq(price_known_gaps.interval, "1d")))
    .all();
  for (const row of rows) {
    const list = knownGaps.get(row.symbol) ?? [];
    list.push({ date: row.date, kind: row.kind, last_asked_at_ms: Date.parse(row.last_asked_at) });
    knownGaps.set(row.symbol, list);
  }
  return knownGaps;
}

/** Stores days as empty, asked for at `now` (RFC 3339 UTC). */
export function saveKnownGaps(
  tx: Db,
  symbol: string,
  absent: readonly { readonly date: string; readonly kind: "null" | "absent" }[],
  now: string,
): void {
  for (const { date, kind } of absent)
    tx.insert(price_known_gaps)
      .values({ symbol, interval: "1d", date, kind, first_asked_at: now, last_asked_at: now })
      .onConflictDoUpdate({
        target: [price_known_gaps.symbol, price_known_gaps.interval, price_known_gaps.date],
        set: { kind, last_asked_at: now },
      })
      .run();
}

/** Deletes the gaps of days that have a bar by now. */
export function deleteKnownGaps(tx: Db, symbol: string, dates: readonly string[]): void {
  if (dates.length === 0) return;
  const known = tx
    .select({ date: price_known_gaps.date })
    .from(price_known_gaps)
    .where(eq(price_known_gaps.symbol, symbol))
    .all();
  const have = new Set(dates);
  for (const { date } of known)
    if (have.has(date))
      tx.delete(price_known_gaps)
        .where(and(eq(price_known_gaps.symbol, symbol), eq(price_known_gaps.date, date)))
        .run();
}
