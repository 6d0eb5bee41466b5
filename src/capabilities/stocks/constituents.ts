// The members of an index: cached for a day, served from the last good list when the source fails, stored
// when changed.
import { indexConstituents } from "../../datasets/index-constituents.ts";
import { INDEX_CACHE_S, INDEX_FETCH_S } from "../../limits.ts";
import type { Services } from "../../market/services.ts";
import { type CacheHit, createCache } from "../../platform/cache/cache.ts";
import type { Clock } from "../../platform/clock.ts";
import { type AsofError, InvalidRequest, UpstreamTimeout } from "../../platform/errors.ts";
import { batchOf, type Lake } from "../../platform/lake/lake.ts";
import type { Log } from "../../platform/log.ts";
import type { IndexName, IndexSource, SourceMembers } from "./sources.ts";

export const INDEX_NAMES: readonly IndexName[] = ["sp500", "nasdaq100"];

/** The last good list is served until the source gives a better one. */
const STALE_S = 100 * 366 * 86_400;
/** After a failure the source is not asked for this long; requests get the last good list at once. */
// A failure at 10:00:00: requests up to 10:01:00 do not wait for the source.
const PAUSE_MS = 60_000;

/** The index with the given name, in upper or lower case. Throws InvalidRequest `unsupported_index`. */
export function indexOf(given: string): IndexName {
  const name = INDEX_NAMES.find((index) => index === given.trim().toLowerCase());
  if (name) return name;
  throw new InvalidRequest("unsupported_index", "This index is not supported.", {
    hint: `The supported indexes are ${INDEX_NAMES.join(" and ")}.`,
  });
}

/** Runs `work` with a time limit that includes waiting for the source's pace. Throws UpstreamTimeout. */
async function withTimeout<T>(
  clock: Clock,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const done = new AbortController();
  clock.sleep(INDEX_FETCH_S * 1000, done.signal).then(
    () => limit.abort(new UpstreamTimeout("wikimedia", `The list did not arrive within ${INDEX_FETCH_S} s`)),
    () => {},
  );
  try {
    return await work(AbortSignal.any([signal, limit.signal]));
  } finally {
    done.abort();
  }
}

type Row = SourceMembers["constituents"][number];

/**
 * The content by which lists are compared: the members and their fields, without the revision of the page.
 */
const contentOf = (classification: string | null, rows: readonly Row[]): string =>
  JSON.stringify([
    classification,
    ...rows
      .map((r) => [
        r.symbol,
        r.company_name,
        r.sector,
        r.sub_industry,
        r.headquarters,
        r.date_added,
        r.cik,
        r.founded,
      ])
      .sort(([a], [b]) => ((a ?? "") < (b ?? "") ? -1 : 1)),
  ]);

/** Stores a list if it differs from the newest stored one. Returns the number of rows stored. */
async function storeChange(lake: Lake, index: IndexName, members: SourceMembers): Promise<number> {
  const stored = await lake.query<Row & { classification: string | null }>(
    "SELECT * FROM index_members(NULL) WHERE index_name = $index",
    { index },
  );
  const { classification, constituents, source, received_at } = members;
  const newest = stored.length > 0 ? contentOf(stored[0]?.classification ?? null, stored) : "";
  if (contentOf(classification, constituents) === newest) return 0;
  const rows = constituents.map((row) => ({
    index_name: index,
    ...row,
    classification,
    source,
    known_at: received_at,
  }));
  await lake.append([batchOf(indexConstituents, rows)]);
  return rows.length;
}

export interface IndexLists {
  /** Throws the source's error when there is no good list to serve, or when `force` excludes it. */
  members(index: IndexName, force: boolean, signal: AbortSignal): Promise<CacheHit<SourceMembers>>;
  /**
   * Reads every list again and stores changes. Returns the number of rows stored. Throws the first error
   * after trying all.
   */
  refresh(signal: AbortSignal): Promise<number>;
}

export interface IndexDeps extends Pick<Services, "lake" | "clock" | "cacheDeps"> {
  readonly source: IndexSource;
  readonly log: Pick<Log, "warn">;
}

export function indexLists({ source, lake, clock, log, cacheDeps }: IndexDeps): IndexLists {
  const cache = createCache<SourceMembers>(
    { name: "index_constituents", ttlS: INDEX_CACHE_S, staleS: STALE_S, entriesMax: INDEX_NAMES.length },
    cacheDeps,
  );
  const paused = new Map<IndexName, { readonly untilMs: number; readonly error: AsofError }>();
  let stored = 0;

  const load = async (index: IndexName, shared: AbortSignal): Promise<SourceMembers> => {
    const members = await withTimeout(clock, shared, (signal) => source.indexMembers(index, signal));
    try {
      stored += await storeChange(lake, index, members);
    } catch (error) {
      // The answer does not fail when the lake cannot be written; the next reading stores the list.
      log.warn("the members of an index could not be stored", { index, error });
    }
    return members;
  };

  const members: IndexLists["members"] = (index, force, signal) =>
    cache.get(
      index,
      async (shared) => {
        const pause = force ? undefined : paused.get(index);
        if (pause && pause.untilMs > clock.nowMs()) throw pause.error;
        try {
          const loaded = await load(index, shared);
          paused.delete(index);
          return loaded;
        } catch (error) {
          if (!shared.aborted)
            paused.set(index, { untilMs: clock.nowMs() + PAUSE_MS, error: error as AsofError });
          throw error;
        }
      },
      { force, signal },
    );

  return {
    members,
    async refresh(signal) {
      stored = 0;
      const outcomes: PromiseSettledResult<unknown>[] = [];
      for (const index of INDEX_NAMES)
        outcomes.push(...(await Promise.allSettled([members(index, true, signal)])));
      const failed = outcomes.find((outcome) => outcome.status === "rejected");
      if (failed) throw failed.reason;
      return stored;
    },
  };
}
