// Keeps the regulator's lists of tickers in the registry: read daily, and when a requested ticker is in none
// of them.
import { COMPANY_CACHE_S, UNKNOWN_TICKER_CACHE_S } from "../../limits.ts";
import { toSec } from "../../market/spelling.ts";
import type { Clock } from "../../platform/clock.ts";
import { UpstreamFailed } from "../../platform/errors.ts";
import { instantMs } from "../../platform/instant-text.ts";
import { isReplaying } from "../../platform/reading.ts";
import { singleFlight } from "../../platform/upstream/single-flight.ts";
import type { ListVersions } from "./list-versions.ts";
import { type CompanyRegistry, companyRows, fundRows, type Listing, type ListKind } from "./registry.ts";
import type { CompanyLog, Regulator } from "./sources.ts";

export interface ListDeps {
  readonly regulator: Regulator;
  readonly registry: CompanyRegistry;
  readonly clock: Clock;
  readonly log: CompanyLog;
  readonly versions: Pick<ListVersions, "publish" | "load">;
}

const KINDS: readonly ListKind[] = ["company", "fund"];
/**
 * Age up to which a list that lacks the requested ticker is trusted: new listings appear in it within the
 * day.
 */
// A ticker missing from a list read 50 minutes ago is unknown; after 61 minutes the list is read again first.
const UNKNOWN_LIST_S = 60 * 60;
/** Seconds for which a list is not requested again after a failed attempt. */
const FAILED_LIST_S = UNKNOWN_TICKER_CACHE_S;

export function tickerLists({ regulator, registry, clock, log, versions }: ListDeps) {
  const flights = singleFlight<number>();
  const failures = new Map<ListKind, { readonly atMs: number; readonly error: unknown }>();

  const read = async (kind: ListKind, signal: AbortSignal): Promise<number> => {
    const rows =
      kind === "company"
        ? companyRows(await regulator.listedTickers(signal))
        : fundRows(await regulator.fundTickers(signal));
    const before = registry.list(kind);
    // A truncated list would make the missing companies unknown.
    if (rows.length * 2 < (before?.rows ?? 0))
      throw new UpstreamFailed(
        "edgar",
        `The SEC's list of ${kind} tickers has shrunk from ${before?.rows} lines to ${rows.length}; the stored list is used instead.`,
      );
    const { added, gone } = await registry.saveList(kind, rows, clock.nowMs());
    failures.delete(kind);
    log.info("list of tickers read", { kind, rows: rows.length, added, gone });
    return rows.length;
  };

  const refreshOne = (kind: ListKind, signal: AbortSignal | undefined): Promise<number> =>
    flights.run(kind, signal, async (shared) => {
      try {
        return await read(kind, shared);
      } catch (error) {
        if (!shared.aborted) failures.set(kind, { atMs: clock.nowMs(), error: error });
        throw error;
      }
    });

  /** Reads a list again when it is older than `ageS`. Returns the error when that fails, else null. */
  const ensure = async (kind: ListKind, ageS: number, signal: AbortSignal | undefined): Promise<unknown> => {
    const list = registry.list(kind);
    const now = clock.nowMs();
    if (list && now - instantMs(list.read_at) <= ageS * 1000) return null;
    const failure = failures.get(kind);
    if (failure && now - failure.atMs < FAILED_LIST_S * 1000) return failure.error;
    try {
      await refreshOne(kind, signal);
      return null;
    } catch (error) {
      signal?.throwIfAborted();
      return error;
    }
  };

  return {
    /**
     * Reads both lists and returns the number of lines. Throws when one cannot be read; the other is stored
     * all the same.
     */
    async refresh(signal?: AbortSignal): Promise<number> {
      const done = await Promise.allSettled(KINDS.map((kind) => refreshOne(kind, signal)));
      await versions.publish();
      for (const outcome of done) if (outcome.status === "rejected") throw outcome.reason;
      return done.reduce((sum, outcome) => sum + (outcome.status === "fulfilled" ? outcome.value : 0), 0);
    },

    /**
     * Finds the listing of a canonical symbol. Returns null only when it is not a US symbol, or when both
     * lists were read and do not contain it; throws when they cannot be read and no stored list contains it.
     * `force` reads a list that lacks the symbol again however recent it is.
     */
    async find(symbol: string, force: boolean, signal?: AbortSignal): Promise<Listing | null> {
      if (toSec(symbol) === null) return null;
      if (isReplaying()) {
        await versions.load(symbol, signal);
        return registry.listing(symbol);
      }
      const known = registry.listing(symbol);
      if (known && known.gone_at === null) {
        await ensure(known.kind, COMPANY_CACHE_S, signal);
        return registry.listing(symbol);
      }
      const ageS = force ? UNKNOWN_TICKER_CACHE_S : UNKNOWN_LIST_S;
      let found = known;
      let error: unknown = null;
      for (const kind of KINDS) {
        error = (await ensure(kind, ageS, signal)) ?? error;
        found = registry.listing(symbol);
        // A ticker that a company no longer uses may belong to a fund now.
        if (found && found.gone_at === null) return found;
      }
      if (!found && error) throw error;
      return found;
    },
  };
}

export type TickerLists = ReturnType<typeof tickerLists>;
