// Builds monthly snapshots: collects their material, then writes one month after the other.
import { universeSnapshots } from "../../datasets/universe-snapshots.ts";
import { endOfDay } from "../../market/calendar.ts";
import type { Services } from "../../market/services.ts";
import { instantText } from "../../platform/instant-text.ts";
import { batchOf } from "../../platform/lake/lake.ts";
import { refuseDamage } from "../../platform/reading.ts";
import type { BuildProgress } from "./build-ledger.ts";
import { type CollectDeps, collectMaterial, type Material } from "./collect.ts";
import type { Close, SnapshotRow } from "./inputs.ts";
import { marketValue } from "./market-value.ts";
import { countingOf, earlierOf, isStock, supplanted, wasListed } from "./membership.ts";
import { lastSessionOf } from "./months.ts";
import type { Listing } from "./registry.ts";
import type { UniverseStore } from "./store.ts";

export interface BuildRequest {
  /** YYYY-MM, ascending. */
  readonly months: readonly string[];
  /** Canonical; null: every stock of the registry. */
  readonly symbols: readonly string[] | null;
  /** Computes stored rows again, and stores those that differ. */
  readonly force: boolean;
}

export interface BuildDeps extends CollectDeps, Pick<Services, "lake" | "calendar"> {
  readonly store: UniverseStore;
}

const contentOf = ({ known_at: _at, ...content }: SnapshotRow) => JSON.stringify(content);
/** A row with its columns in the order of the dataset, so that rows can be compared as text. */
const ordered = (row: SnapshotRow): SnapshotRow =>
  Object.fromEntries(
    Object.keys(universeSnapshots.columns).map((name) => [name, Reflect.get(row, name) ?? null]),
  ) as SnapshotRow;

/** The row of a listing in the snapshot of a day. */
function snapshotRow(
  listing: Listing,
  date: string,
  close: Close | undefined,
  material: Material,
  known_at: string,
): SnapshotRow {
  const { symbol, name, cik, sector, industry, exchange, security_type } = listing;
  const basis_date = material.through.get(symbol) ?? null;
  const value = marketValue({
    snapshot_date: date,
    day_end: endOfDay(date).toString(),
    close: close?.close ?? null,
    basis_date,
    splits: material.splits.get(symbol) ?? [],
    ...countingOf(listing, material.several),
    facts: cik === null ? [] : (material.counts.get(cik) ?? []),
    provider: material.provider.get(symbol) ?? null,
  });
  return ordered({
    listing: listing.listing,
    snapshot_date: date,
    symbol,
    name,
    cik,
    sector,
    industry,
    exchange,
    security_type,
    currency: close?.currency ?? null,
    basis_date,
    ...value,
    known_at,
  });
}

export function snapshotBuilder(deps: BuildDeps) {
  const { store, inputs, lake, calendar, clock } = deps;

  /** The listings of a build, without those whose symbol belongs to another listing by now. */
  const selectListings = (symbols: readonly string[] | null): Listing[] => {
    const all = store.listings();
    const replaced = supplanted(all);
    const selected = symbols && new Set(symbols);
    return all.filter(
      (row) => !replaced.has(row.listing) && (selected ? selected.has(row.symbol) : isStock(row)),
    );
  };

  /**
   * Writes the missing rows of a month in one commit, so that a reader sees all of them or none. A stored row
   * that lacked something is computed again: what it lacked may have come since. Returns the number of rows.
   */
  const writeMonth = async (
    month: string,
    material: Material,
    force: boolean,
    signal: AbortSignal,
  ): Promise<number> => {
    const date = lastSessionOf(month, calendar);
    const stored = await inputs.snapshot(date, signal);
    const closes = await inputs.closes(material.symbols, date, signal);
    const known_at = instantText(clock.nowMs());
    const earlier = earlierOf(store.listings());
    const rows: SnapshotRow[] = [];
    for (const listing of material.listings) {
      const before = stored.get(listing.listing);
      if (before?.missing === null && !force) continue;
      // Renamed since: it is in the snapshot already, under its earlier listing.
      if (earlier.get(listing.listing)?.some((name) => stored.has(name))) continue;
      if (!wasListed(listing, date, material.bounds.get(listing.symbol))) continue;
      const row = snapshotRow(listing, date, closes.get(listing.symbol), material, known_at);
      if (!before || contentOf(ordered(before)) !== contentOf(row)) rows.push(row);
    }
    refuseDamage();
    if (rows.length > 0) await lake.append([batchOf(universeSnapshots, rows)]);
    return rows.length;
  };

  return {
    /** Number of listings of a build. */
    size: (symbols: readonly string[] | null): number => selectListings(symbols).length,

    /** Whether the snapshot of a month has rows. */
    hasRows: async (month: string, signal: AbortSignal): Promise<boolean> =>
      (await inputs.snapshot(lastSessionOf(month, calendar), signal)).size > 0,

    /** Symbols that no listing of the registry has. */
    unknown(symbols: readonly string[]): string[] {
      const known = new Set(store.listings().map(({ symbol }) => symbol));
      return symbols.filter((symbol) => !known.has(symbol));
    },

    /**
     * Builds snapshots. An interrupted build is continued by starting it again: what is stored whole is
     * neither fetched nor written a second time, and a month is stored in one commit or not at all.
     */
    async build(request: BuildRequest, progress: BuildProgress, signal: AbortSignal): Promise<void> {
      const listings = selectListings(request.symbols);
      const start = `${request.months[0]}-01`;
      const material = await collectMaterial(deps, store.listings(), listings, start, progress, signal);
      progress.phase("snapshots", request.months.length);
      for (const month of request.months) {
        signal.throwIfAborted();
        progress.month(await writeMonth(month, material, request.force, signal));
      }
    },
  };
}

export type SnapshotBuilder = ReturnType<typeof snapshotBuilder>;
