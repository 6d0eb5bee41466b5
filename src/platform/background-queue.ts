// Works on items in the background, a few at a time and newest first, until an outage: the other items would
// meet it too.
import type { AsofError } from "./errors.ts";
import { unnoted } from "./reading.ts";

export interface BackgroundQueueOptions {
  /** Items worked on at once: few, so that requests are not slowed down by a provider's rate limit. */
  readonly workers: number;
  /** Items that do not fit are dropped. */
  readonly itemsMax: number;
  /** Works on one item. Resolves with the outage it met, else null; reports every other failure itself. */
  run(item: string, signal: AbortSignal): Promise<AsofError | null>;
  /** Called when an outage ends the work, with the number of items that are dropped. */
  onOutage(outage: AsofError, dropped: number): void;
  /** Called when a worker has nothing left to do. */
  onEnd?(): void;
}

export interface BackgroundQueue {
  /** Adds items, newest first; one that waits already keeps its place. */
  add(items: readonly string[]): void;
  isBusy(): boolean;
  /** Resolves when no item waits and no work is in progress. */
  idle(): Promise<void>;
  /** Starts no further item and waits for those in progress. */
  stop(): Promise<void>;
}

// Of 300 items, an outage at the third drops it and the 297 that wait.
export function backgroundQueue(options: BackgroundQueueOptions): BackgroundQueue {
  const queue = new Set<string>();
  const stopping = new AbortController();
  const workers = new Set<Promise<void>>();
  let active = 0;

  const run = async () => {
    active++;
    for (const item of queue) {
      if (stopping.signal.aborted) break;
      queue.delete(item);
      const outage = await options.run(item, stopping.signal);
      if (outage === null) continue;
      options.onOutage(outage, queue.size + 1);
      queue.clear();
    }
    // Synchronous with the last look at the queue, so that a later `add` starts a new worker.
    active--;
    options.onEnd?.();
  };

  const start = () => {
    const worker = unnoted(run).finally(() => workers.delete(worker));
    workers.add(worker);
  };

  return {
    add(items) {
      if (stopping.signal.aborted) return;
      for (const item of items) if (queue.size < options.itemsMax) queue.add(item);
      while (active < Math.min(options.workers, queue.size)) start();
    },
    isBusy: () => workers.size > 0,
    async idle() {
      while (workers.size > 0) await Promise.all(workers);
    },
    async stop() {
      stopping.abort(new Error("the service is stopping"));
      await Promise.all(workers);
    },
  };
}
