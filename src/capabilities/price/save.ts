// Gathers the fetches of one busy moment into few writes: many small files would slow every reader.
import type { Fetched } from "./collect.ts";
import type { PriceStore } from "./store.ts";

/** Fetches stored in one write at most. */
const BATCH_MAX = 25;
/** Longest a finished fetch waits for others. */
const WAIT_MS_MAX = 1_500;

interface Waiting {
  readonly fetched: Fetched;
  resolve(fetched: Fetched): void;
  reject(error: unknown): void;
}

/**
 * `after(ask)` runs a fetch and resolves once it is stored. A write begins as soon as a batch is full or every
 * fetch under way is waiting for it, so that a lone fetch never waits; at the latest after a moment.
 */
export function batchedSave(store: Pick<PriceStore, "save">) {
  let underWay = 0;
  let waiting: Waiting[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (late = false) => {
    if (waiting.length === 0) return;
    if (!late && waiting.length < BATCH_MAX && waiting.length < underWay) {
      timer ??= setTimeout(() => flush(true), WAIT_MS_MAX);
      return;
    }
    clearTimeout(timer);
    timer = undefined;
    const batch = waiting;
    waiting = [];
    underWay -= batch.length;
    store.save(batch.map((w) => w.fetched)).then(
      () => {
        for (const w of batch) w.resolve(w.fetched);
      },
      (error) => {
        for (const w of batch) w.reject(error);
      },
    );
  };
  return {
    async after(ask: () => Promise<Fetched>): Promise<Fetched> {
      underWay += 1;
      let fetched: Fetched;
      try {
        fetched = await ask();
      } catch (error) {
        underWay -= 1;
        flush();
        throw error;
      }
      return new Promise((resolve, reject) => {
        waiting.push({ fetched, resolve, reject });
        flush();
      });
    },
  };
}
