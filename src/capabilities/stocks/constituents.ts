// The members of an index: remembered for a day, the last good list kept for when the source fails, each change stored.
import { indexConstituents } from "../../datasets/index-constituents.ts";
import { INDEX_CACHE_S, INDEX_FETCH_S } from "../../limits.ts";
import { type CacheDeps, type CacheHit, createCache } from "../../platform/cache/cache.ts";
import type { Clock } from "../../platform/clock.ts";
import { type AsofError, InvalidRequest, UpstreamTimeout } from "../../platform/errors.ts";
import { batchOf, type Lake } from "../../platform/lake/lake.ts";
import type { IndexName, IndexSource, SourceMembers, StocksLog } from "./sources.ts";

export const INDEX_NAMES: readonly IndexName[] = ["sp500", "nasdaq100"];

/** The last good list serves for as long as the source does not give a better one. */
const STALE_S = 100 * 366 * 86_400;
/** For so long the source is left alone after a failure; who asks meanwhile gets the last good list at once. */
const REST_MS = 60_000;

/** The index a client names, in any case. Throws InvalidRequest `unsupported_index`. */
export function indexOf(given: string): IndexName {
  const name = INDEX_NAMES.find((index) => index === given.trim().toLowerCase());
  if (name) return name;
  throw new InvalidRequest("unsupported_index", "There is no list of this index.", {
    hint: `Supported are ${INDEX_NAMES.join(" and ")}.`,
  });
}

/** Runs `work` for as long as fetching a list may take, the wait for the source's pace included. */
async function inTime<T>(
  clock: Clock,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const done = new AbortController();
  clock.sleep(INDEX_FETCH_S * 1000, done.signal).then(
    () => limit.abort(new UpstreamTimeout("wikimedia", `The list did not come within ${INDEX_FETCH_S} s`)),
    () => {},
  );
  try {
    return await work(AbortSignal.any([signal, limit.signal]));
  } finally {
    done.abort();
  }
}

type Row = SourceMembers["constituents"][number];

/** What makes a list another list: the members and what is said of them, not the revision it stands in. */
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

/** Stores a list where it differs from the newest one stored. */
async function storeVintage(lake: Lake, index: IndexName, members: SourceMembers): Promise<number> {
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
  /** Throws what the source throws where there is no good list to serve, or one was refused by `force`. */
  members(index: IndexName, force: boolean, signal: AbortSignal): Promise<CacheHit<SourceMembers>>;
  /** Reads every list anew and stores what changed; gives the rows stored. Throws the first fault after trying all. */
  refresh(signal: AbortSignal): Promise<number>;
}

export interface IndexNeeds {
  readonly source: IndexSource;
  readonly lake: Lake;
  readonly clock: Clock;
  readonly log: StocksLog;
  readonly cacheDeps: CacheDeps;
}

export function indexLists({ source, lake, clock, log, cacheDeps }: IndexNeeds): IndexLists {
  const memory = createCache<SourceMembers>(
    { name: "index_constituents", ttlS: INDEX_CACHE_S, staleS: STALE_S, entriesMax: INDEX_NAMES.length },
    cacheDeps,
  );
  const resting = new Map<IndexName, { readonly untilMs: number; readonly fault: AsofError }>();
  let stored = 0;

  const load = async (index: IndexName, shared: AbortSignal): Promise<SourceMembers> => {
    const members = await inTime(clock, shared, (signal) => source.indexMembers(index, signal));
    try {
      stored += await storeVintage(lake, index, members);
    } catch (error) {
      // An answer does not wait for a lake that cannot be written; the next reading stores the list.
      log.warn("the members of an index could not be stored", { index, error });
    }
    return members;
  };

  const members: IndexLists["members"] = (index, force, signal) =>
    memory.get(
      index,
      async (shared) => {
        const rest = force ? undefined : resting.get(index);
        if (rest && rest.untilMs > clock.nowMs()) throw rest.fault;
        try {
          const read = await load(index, shared);
          resting.delete(index);
          return read;
        } catch (error) {
          if (!shared.aborted)
            resting.set(index, { untilMs: clock.nowMs() + REST_MS, fault: error as AsofError });
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
