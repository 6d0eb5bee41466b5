// Collects what snapshots are made of: has missing prices and reports fetched, then reads them from the
// store.
import { inBatches } from "../../market/bulk.ts";
import { newYorkDate } from "../../market/calendar.ts";
import type { Services } from "../../market/services.ts";
import { AsofError, NotConfigured, NotFound, StorageUnavailable } from "../../platform/errors.ts";
import type { BuildProgress } from "./build-ledger.ts";
import type { SnapshotInputs } from "./inputs.ts";
import type { ProviderCount } from "./market-value.ts";
import { countingOf, severalClasses } from "./membership.ts";
import type { Listing } from "./registry.ts";
import type { CollectFigures, CollectPrices, ShareCount } from "./sources.ts";

export interface CollectDeps extends Pick<Services, "clock"> {
  readonly inputs: SnapshotInputs;
  readonly prices: CollectPrices;
  readonly figures: CollectFigures;
  readonly shareCount: ShareCount;
}

const SYMBOLS_PER_BATCH = 100;
const SEC_NOT_CONFIGURED =
  "The SEC was not asked because SEC_USER_AGENT is not set: share counts are the price provider's, and market_cap_pit is null. Set it and build again with force.";

/** Everything a month's snapshot is made of. */
export interface Material {
  readonly listings: readonly Listing[];
  readonly symbols: readonly string[];
  /** Filers with several classes of ordinary shares. */
  readonly several: ReadonlySet<string>;
  readonly bounds: Awaited<ReturnType<SnapshotInputs["bounds"]>>;
  readonly splits: Awaited<ReturnType<SnapshotInputs["splits"]>>;
  readonly through: ReadonlyMap<string, string>;
  readonly counts: Awaited<ReturnType<SnapshotInputs["counts"]>>;
  readonly provider: ReadonlyMap<string, ProviderCount>;
}

/**
 * The reason an item failed. Failures of our own store, and unforeseen ones, are thrown and end the build.
 */
function reasonOf(error: unknown): string {
  if (error instanceof AsofError && !(error instanceof StorageUnavailable)) return error.message;
  throw error;
}

/** Has daily bars fetched. Returns the symbols that failed. */
async function collectPrices(
  { prices, clock }: CollectDeps,
  listings: readonly Listing[],
  start: string,
  progress: BuildProgress,
  signal: AbortSignal,
): Promise<Set<string>> {
  const failed = new Set<string>();
  const symbols = listings.map(({ symbol }) => symbol);
  progress.phase("prices", symbols.length);
  const end = newYorkDate(clock.now());
  for (const batch of inBatches(symbols, SYMBOLS_PER_BATCH)) {
    signal.throwIfAborted();
    await prices(batch, { start, end, signal }, (symbol, error) => {
      progress.step();
      // The provider has no data for a delisted symbol: its stored bars are used.
      if (error === null || error instanceof NotFound) return;
      failed.add(symbol);
      progress.failed(symbol, reasonOf(error));
    });
  }
  signal.throwIfAborted();
  return failed;
}

/** Has the filers' reports fetched. Returns the symbols that failed. */
async function collectFigures(
  { figures }: CollectDeps,
  listings: readonly Listing[],
  several: ReadonlySet<string>,
  progress: BuildProgress,
  signal: AbortSignal,
): Promise<Set<string>> {
  const failed = new Set<string>();
  const byReports = listings.filter((row) => countingOf(row, several).counting === "reports");
  progress.phase("figures", byReports.length);
  for (const batch of inBatches(
    byReports.map(({ symbol }) => symbol),
    SYMBOLS_PER_BATCH,
  )) {
    signal.throwIfAborted();
    let isConfigured = true;
    await figures(batch, signal, (symbol, error) => {
      progress.step();
      if (error === null || error instanceof NotFound) return;
      if (error instanceof NotConfigured) {
        isConfigured = false;
        return;
      }
      failed.add(symbol);
      progress.failed(symbol, reasonOf(error));
    });
    if (isConfigured) continue;
    progress.warn(SEC_NOT_CONFIGURED);
    break;
  }
  signal.throwIfAborted();
  return failed;
}

/**
 * Fetches the price provider's share counts where no report has one. Adds the symbols that failed to
 * `failed`.
 */
async function collectCounts(
  { shareCount }: CollectDeps,
  listings: readonly Listing[],
  { several, counts }: Pick<Material, "several" | "counts">,
  failed: Set<string>,
  progress: BuildProgress,
  signal: AbortSignal,
): Promise<Map<string, ProviderCount>> {
  const uncounted = listings.filter((row) => {
    const { counting } = countingOf(row, several);
    if (!row.is_active || counting === "none") return false;
    return counting === "provider" || (counts.get(row.cik ?? "")?.length ?? 0) === 0;
  });
  progress.phase("counts", uncounted.length);
  const found = new Map<string, ProviderCount>();
  for (const { symbol } of uncounted) {
    signal.throwIfAborted();
    try {
      const count = await shareCount(symbol, signal);
      if (count)
        found.set(symbol, {
          shares: count.shares,
          date: newYorkDate(Temporal.Instant.from(count.received_at)),
        });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof NotFound)) {
        failed.add(symbol);
        progress.failed(symbol, reasonOf(error));
      }
    }
    progress.step();
  }
  return found;
}

/**
 * Collects the material of listings from a day on. `all` are all listings of the registry. A listing whose
 * data could not be fetched is left out: it waits for the next build, since its gap is not one of the market.
 */
export async function collectMaterial(
  deps: CollectDeps,
  all: readonly Listing[],
  listings: readonly Listing[],
  start: string,
  progress: BuildProgress,
  signal: AbortSignal,
): Promise<Material> {
  const { inputs } = deps;
  const several = severalClasses(all);
  const failed = await collectPrices(deps, listings, start, progress, signal);
  for (const symbol of await collectFigures(deps, listings, several, progress, signal)) failed.add(symbol);
  const ciks = [...new Set(listings.flatMap(({ cik }) => cik ?? []))];
  const counts = await inputs.counts(ciks, signal);
  const collected = listings.filter(({ symbol }) => !failed.has(symbol));
  const provider = await collectCounts(deps, collected, { several, counts }, failed, progress, signal);
  const ready = collected.filter(({ symbol }) => !failed.has(symbol));
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
}
