// Collects items that are added at about the same moment and processes them together, with a result for each
// caller.
import { systemTimers, type Timers } from "./clock.ts";
import { currentReading, type Reading, sharedKey, sharedReading } from "./reading.ts";

export interface BatcherOptions<T, R> {
  /**
   * Processes one batch; the results are in the order of the items. A rejection reaches every caller of the
   * batch. `signal` aborts once every caller of the batch has aborted; a caller without a signal never does.
   */
  run(items: readonly T[], signal: AbortSignal): Promise<readonly R[]>;
  /** Items with different keys are never in one batch. Default: all items share one key. */
  keyOf?(item: T): string;
  /** A batch of this many items starts at once. Default: no limit. */
  readonly sizeMax?: number;
  /** Longest a batch waits after its first item. Default 0: until the next turn of the event loop. */
  readonly waitMs?: number;
  readonly timers?: Timers;
}

export interface Batcher<T, R> {
  /** Resolves with the item's own result. Rejects with the reason of `signal` when that aborts first. */
  add(item: T, signal?: AbortSignal): Promise<R>;
  /** Starts all waiting batches now. */
  flush(): void;
  /** Items that wait for their batch to start. */
  readonly waiting: number;
}

interface Entry<T, R> {
  readonly item: T;
  readonly signal: AbortSignal | undefined;
  /** The reading of the caller's request: the version and the loaded rows of the store that it sees. */
  readonly reading: Reading | undefined;
  resolve(result: R): void;
  reject(reason: unknown): void;
}

interface Batch<T, R> {
  readonly entries: Entry<T, R>[];
  cancelTimer(): void;
}

/**
 * Calls `start` after `waitMs`, or in the next turn of the event loop; gives a function that cancels the
 * call.
 */
function startLater(start: () => void, waitMs: number, timers: Timers): () => void {
  if (waitMs === 0) {
    const turn = setImmediate(start);
    return () => clearImmediate(turn);
  }
  return timers.after(waitMs, start);
}

/**
 * Rejects each entry whose signal aborts; `signal` aborts with the last of them. `release` removes the
 * listeners.
 */
function untilAllAbort<T, R>(entries: readonly Entry<T, R>[]): { signal: AbortSignal; release(): void } {
  const all = new AbortController();
  const finished = new AbortController();
  let left = entries.length;
  for (const { signal, reject } of entries) {
    const leave = () => {
      reject(signal?.reason);
      left -= 1;
      if (left === 0) all.abort(signal?.reason);
    };
    if (signal?.aborted) leave();
    else signal?.addEventListener("abort", leave, { once: true, signal: finished.signal });
  }
  return { signal: all.signal, release: () => finished.abort() };
}

async function processBatch<T, R>(
  entries: readonly Entry<T, R>[],
  run: BatcherOptions<T, R>["run"],
): Promise<void> {
  const { signal, release } = untilAllAbort(entries);
  const own = sharedReading();
  const absorb = () => {
    for (const { reading } of entries) reading?.absorb(own);
  };
  try {
    const items = entries.map(({ item }) => item);
    const results = await own.run(() => run(items, signal)).finally(absorb);
    if (results.length !== entries.length)
      throw new RangeError(`a batch of ${entries.length} items had ${results.length} results`);
    entries.forEach(({ resolve }, i) => {
      resolve(results[i] as R);
    });
  } catch (error) {
    for (const { reject } of entries) reject(error);
  } finally {
    release();
  }
}

export function batcher<T, R>(options: BatcherOptions<T, R>): Batcher<T, R> {
  const {
    run,
    keyOf = () => "",
    sizeMax = Number.POSITIVE_INFINITY,
    waitMs = 0,
    timers = systemTimers,
  } = options;
  const batches = new Map<string, Batch<T, R>>();

  const start = (key: string) => {
    const batch = batches.get(key);
    if (!batch) return;
    batches.delete(key);
    batch.cancelTimer();
    void processBatch(batch.entries, run);
  };

  const open = (key: string): Batch<T, R> => {
    const batch = { entries: [], cancelTimer: startLater(() => start(key), waitMs, timers) };
    batches.set(key, batch);
    return batch;
  };

  return {
    add: (item, signal) =>
      new Promise((resolve, reject) => {
        const key = sharedKey(keyOf(item));
        const { entries } = batches.get(key) ?? open(key);
        entries.push({ item, signal, reading: currentReading(), resolve, reject });
        if (entries.length >= sizeMax) start(key);
      }),
    flush() {
      for (const key of [...batches.keys()]) start(key);
    },
    get waiting() {
      return [...batches.values()].reduce((sum, { entries }) => sum + entries.length, 0);
    },
  };
}
