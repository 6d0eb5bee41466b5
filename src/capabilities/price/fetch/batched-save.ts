// Combines the fetches of a busy moment into few writes: many small files would slow every reader.
import { batcher } from "../../../platform/batcher.ts";
import type { Fetched } from "../fetched.ts";
import type { PriceStore } from "../store/store.ts";

/** Fetches stored in one write at most. */
const BATCH_MAX = 25;
/** Longest a finished fetch waits for others. */
const WAIT_MS_MAX = 1_500;

/**
 * `after(fetchOne)` runs a fetch and resolves once it is stored, to the fetch as the store took it. A write
 * begins as soon as a batch is full or every running fetch waits for it, so that a lone fetch never waits,
 * and after `WAIT_MS_MAX` at the latest.
 */
export function batchedSave(store: Pick<PriceStore, "save">) {
  /** Fetches that are running or waiting for their write to begin. */
  let pending = 0;
  const batches = batcher<Fetched, Fetched>({
    sizeMax: BATCH_MAX,
    waitMs: WAIT_MS_MAX,
    async run(fetched) {
      pending -= fetched.length;
      return store.save(fetched);
    },
  });
  const flushIfNoneRuns = () => {
    if (batches.waiting >= pending) batches.flush();
  };
  return {
    async after(fetchOne: () => Promise<Fetched>): Promise<Fetched> {
      pending += 1;
      let fetched: Fetched;
      try {
        fetched = await fetchOne();
      } catch (error) {
        pending -= 1;
        flushIfNoneRuns();
        throw error;
      }
      const stored = batches.add(fetched);
      flushIfNoneRuns();
      return stored;
    },
  };
}
