// Builds monthly snapshots: has prices and counts of shares collected, then writes one month after the other.
import { universeSnapshots } from "../../datasets/universe-snapshots.ts";
import { inBatches } from "../../market/bulk.ts";
import { type Calendar, endOfDay, newYorkDate } from "../../market/calendar.ts";
import type { Clock } from "../../platform/clock.ts";
import { AsofError, NotConfigured, NotFound, StorageUnavailable } from "../../platform/errors.ts";
import { instantText } from "../../platform/instant-text.ts";
import { batchOf, type Lake } from "../../platform/lake/lake.ts";
import type { Report } from "./build-ledger.ts";
import type { SnapshotInputs, SnapshotRow } from "./inputs.ts";
import { marketValue, type ProviderCount } from "./market-value.ts";
import { countingOf, earlierOf, isStock, severalClasses, supplanted, wasListed } from "./membership.ts";
import { lastSessionOf } from "./months.ts";
import type { Listing } from "./registry.ts";
import type { CollectFigures, CollectPrices, ShareCount } from "./sources.ts";
import type { UniverseStore } from "./store.ts";

export interface BuildAsk {
  /** YYYY-MM, ascending. */
  readonly months: readonly string[];
  /** Canonical; null: every stock of the registry. */
  readonly symbols: readonly string[] | null;
  /** Makes rows that are stored anew, and stores those that differ. */
  readonly force: boolean;
}

export interface BuildDeps {
  readonly store: UniverseStore;
  readonly inputs: SnapshotInputs;
  readonly lake: Lake;
  readonly prices: CollectPrices;
  readonly figures: CollectFigures;
  readonly shareCount: ShareCount;
  readonly calendar: Calendar;
  readonly clock: Clock;
}

const SYMBOLS_A_BATCH = 100;
const NOT_ASKED =
  "The SEC was not asked, since SEC_USER_AGENT is not set: share counts are the price provider's, market_cap_pit is null. Build again with force once it is set.";

/** Everything a month is written from. */
interface Material {
  readonly listings: readonly Listing[];
  readonly symbols: readonly string[];
  readonly several: ReadonlySet<string>;
  readonly bounds: Awaited<ReturnType<SnapshotInputs["bounds"]>>;
  readonly splits: Awaited<ReturnType<SnapshotInputs["splits"]>>;
  readonly through: ReadonlyMap<string, string>;
  readonly counts: Awaited<ReturnType<SnapshotInputs["counts"]>>;
  readonly provider: ReadonlyMap<string, ProviderCount>;
}

/** Why something could not be had of one item; our own store's faults end the build. */
function reasonOf(error: unknown): AsofError {
  if (error instanceof AsofError && !(error instanceof StorageUnavailable)) return error;
  throw error;
}

const without = ({ known_at: _at, ...content }: SnapshotRow) => JSON.stringify(content);
const ordered = (row: SnapshotRow): SnapshotRow =>
  Object.fromEntries(
    Object.keys(universeSnapshots.columns).map((name) => [name, Reflect.get(row, name) ?? null]),
  ) as SnapshotRow;

export function snapshotBuilder(deps: BuildDeps) {
  const { store, inputs, lake, calendar, clock } = deps;

  /** Listings a build is about, those left out whose symbol is another's by now. */
  const chosen = (symbols: readonly string[] | null): Listing[] => {
    const all = store.listings();
    const foreign = supplanted(all);
    const wanted = symbols && new Set(symbols);
    return all.filter((row) => !foreign.has(row.listing) && (wanted ? wanted.has(row.symbol) : isStock(row)));
  };

  /** Has daily bars collected. Gives the symbols of which they could not be had. */
  const collectPrices = async (
    listings: readonly Listing[],
    start: string,
    report: Report,
    signal: AbortSignal,
  ): Promise<Set<string>> => {
    const lost = new Set<string>();
    const symbols = listings.map(({ symbol }) => symbol);
    report.phase("prices", symbols.length);
    const end = newYorkDate(clock.now());
    for (const batch of inBatches(symbols, SYMBOLS_A_BATCH)) {
      signal.throwIfAborted();
      await deps.prices(batch, { start, end, signal }, (symbol, error) => {
        report.step();
        // Of a delisted symbol the provider says that there is none: what is stored of it stands.
        if (error === null || error instanceof NotFound) return;
        lost.add(symbol);
        report.failed(symbol, reasonOf(error).message);
      });
    }
    signal.throwIfAborted();
    return lost;
  };

  /** Has the filers' reports collected. Gives the symbols of which they could not be had. */
  const collectFigures = async (
    listings: readonly Listing[],
    several: ReadonlySet<string>,
    report: Report,
    signal: AbortSignal,
  ): Promise<Set<string>> => {
    const lost = new Set<string>();
    const byReports = listings.filter((row) => countingOf(row, several).counting === "reports");
    report.phase("figures", byReports.length);
    for (const batch of inBatches(
      byReports.map(({ symbol }) => symbol),
      SYMBOLS_A_BATCH,
    )) {
      signal.throwIfAborted();
      let isConfigured = true;
      await deps.figures(batch, signal, (symbol, error) => {
        report.step();
        if (error === null || error instanceof NotFound) return;
        if (error instanceof NotConfigured) {
          isConfigured = false;
          return;
        }
        lost.add(symbol);
        report.failed(symbol, reasonOf(error).message);
      });
      if (isConfigured) continue;
      report.warn(NOT_ASKED);
      break;
    }
    signal.throwIfAborted();
    return lost;
  };

  /** The price provider's counts where no report has one. Symbols whose count could not be had are put into `lost`. */
  const collectCounts = async (
    listings: readonly Listing[],
    { several, counts }: Pick<Material, "several" | "counts">,
    lost: Set<string>,
    report: Report,
    signal: AbortSignal,
  ): Promise<Map<string, ProviderCount>> => {
    const wanted = listings.filter((row) => {
      const { counting } = countingOf(row, several);
      if (!row.is_active || counting === "none") return false;
      return counting === "provider" || (counts.get(row.cik ?? "")?.length ?? 0) === 0;
    });
    report.phase("counts", wanted.length);
    const found = new Map<string, ProviderCount>();
    for (const { symbol } of wanted) {
      signal.throwIfAborted();
      try {
        const count = await deps.shareCount(symbol, signal);
        if (count)
          found.set(symbol, {
            shares: count.shares,
            date: newYorkDate(Temporal.Instant.from(count.received_at)),
          });
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof NotFound)) {
          lost.add(symbol);
          report.failed(symbol, reasonOf(error).message);
        }
      }
      report.step();
    }
    return found;
  };

  const collectBatch = async (
    ask: BuildAsk,
    listings: readonly Listing[],
    report: Report,
    signal: AbortSignal,
  ): Promise<Material> => {
    const several = severalClasses(store.listings());
    const start = `${ask.months[0]}-01`;
    const lost = await collectPrices(listings, start, report, signal);
    for (const symbol of await collectFigures(listings, several, report, signal)) lost.add(symbol);
    const ciks = [...new Set(listings.flatMap(({ cik }) => cik ?? []))];
    const counts = await inputs.counts(ciks, signal);
    const kept = listings.filter(({ symbol }) => !lost.has(symbol));
    const provider = await collectCounts(kept, { several, counts }, lost, report, signal);
    // What could not be had now is no gap of the market: such a listing waits for the next build.
    const ready = kept.filter(({ symbol }) => !lost.has(symbol));
    const symbols = ready.map(({ symbol }) => symbol);
    return {
      listings: ready,
      symbols,
      several,
      bounds: await inputs.bounds(symbols, signal),
      splits: await inputs.splits(symbols, signal),
      through: inputs.through(symbols),
      counts,
      provider,
    };
  };

  const rowOf = (
    listing: Listing,
    date: string,
    close: { readonly close: number | null; readonly currency: string | null } | undefined,
    material: Material,
    known_at: string,
  ): SnapshotRow => {
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
      ...{ listing: listing.listing, snapshot_date: date, symbol, name, cik, sector, industry },
      ...{ exchange, security_type, currency: close?.currency ?? null, basis_date },
      ...value,
      known_at,
    });
  };

  /** Writes what a month lacks, all of it at once: a reader meets the month with those rows or without. */
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
      if (before && !force) continue;
      // Built while it was not known to be the same: it stands in the snapshot already.
      if (earlier.get(listing.listing)?.some((name) => stored.has(name))) continue;
      if (!wasListed(listing, date, material.bounds.get(listing.symbol))) continue;
      const row = rowOf(listing, date, closes.get(listing.symbol), material, known_at);
      if (!before || without(ordered(before)) !== without(row)) rows.push(row);
    }
    if (rows.length > 0) await lake.append([batchOf(universeSnapshots, rows)]);
    return rows.length;
  };

  return {
    /** How many listings a build would be about. */
    size: (symbols: readonly string[] | null): number => chosen(symbols).length,

    /** Symbols that no listing of the registry bears. */
    unknown(symbols: readonly string[]): string[] {
      const known = new Set(store.listings().map(({ symbol }) => symbol));
      return symbols.filter((symbol) => !known.has(symbol));
    },

    /**
     * Builds. A build that was broken off is simply started again: what is stored is neither asked for nor written a
     * second time, and a month is in the store whole or not at all.
     */
    async build(ask: BuildAsk, report: Report, signal: AbortSignal): Promise<void> {
      const material = await collectBatch(ask, chosen(ask.symbols), report, signal);
      report.phase("snapshots", ask.months.length);
      for (const month of ask.months) {
        signal.throwIfAborted();
        report.month(await writeMonth(month, material, ask.force, signal));
      }
    },
  };
}

export type SnapshotBuilder = ReturnType<typeof snapshotBuilder>;
