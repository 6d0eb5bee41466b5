// Work over many items where one failure must not spoil the rest.
import { AsofError, NotFound } from "../platform/errors.ts";
import { withFairnessKey } from "../platform/upstream/party.ts";

/** What became of one item. */
export type Settled<T, V> = { item: T; ok: true; value: V } | { item: T; ok: false; error: unknown };

/**
 * Runs `run` for each item, at most `concurrency` (≥ 1) at a time, and gives the outcomes in the items' order. Never
 * rejects for a failing item. Once `signal` is aborted no further item is begun: the rest fail with its reason.
 */
export async function mapSettled<T, V>(
  items: readonly T[],
  run: (item: T, index: number) => Promise<V> | V,
  options: { concurrency: number; signal?: AbortSignal | undefined },
): Promise<Settled<T, V>[]> {
  if (!(options.concurrency >= 1))
    throw new RangeError(`concurrency must be at least 1, not ${options.concurrency}`);
  const settled = new Array<Settled<T, V>>(items.length);
  // One iterator shared by all workers hands out each item once.
  const queue = items.entries();
  const work = async () => {
    for (const [index, item] of queue) {
      try {
        options.signal?.throwIfAborted();
        settled[index] = { item, ok: true, value: await run(item, index) };
      } catch (error) {
        settled[index] = { item, ok: false, error };
      }
    }
  };
  const begin = () => Promise.all(Array.from({ length: Math.min(options.concurrency, items.length) }, work));
  await (items.length > 1 ? withFairnessKey(begin) : begin());
  return settled;
}

/** A bulk answer (contract.md §2): one result a ticker, in the order of the request. */
export interface BulkAnswer<V> {
  total_requested: number;
  successful: number;
  failed: number;
  results: {
    ticker: string;
    success: boolean;
    data: V | null;
    error: string | null;
    error_code: string | null;
  }[];
  /** Milliseconds. */
  processing_time_ms: number;
}

/**
 * Asks for each ticker, so many at once; a foreseen failure is that ticker's own, any other is thrown, and so is the
 * signal's reason.
 */
export async function answerEach<T extends { readonly ticker: string }, V>(
  requests: readonly T[],
  one: (request: T) => Promise<V>,
  { concurrency, signal }: { concurrency: number; signal: AbortSignal },
): Promise<BulkAnswer<V>> {
  const started = performance.now();
  const outcomes = await mapSettled(requests, one, { concurrency, signal });
  signal.throwIfAborted();
  const results = outcomes.map((outcome) => {
    const { ticker } = outcome.item;
    if (outcome.ok) return { ticker, success: true, data: outcome.value, error: null, error_code: null };
    const { error } = outcome;
    if (!(error instanceof AsofError)) throw error;
    return { ticker, success: false, data: null, error: error.message, error_code: error.code };
  });
  const successful = results.filter(({ success }) => success).length;
  return {
    total_requested: results.length,
    successful,
    failed: results.length - successful,
    results,
    processing_time_ms: Math.round(performance.now() - started),
  };
}

/**
 * Works through `items` one after the other. A foreseen failure is told to `failed` and passed over; `faultsMax` of
 * them in a row end it with the last, for then it is not the items. NotFound is the item's own.
 */
export async function forEachSequential<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
  how: { faultsMax: number; signal: AbortSignal; failed(item: T, error: AsofError): void },
): Promise<void> {
  let errors = 0;
  for (const item of items) {
    how.signal.throwIfAborted();
    try {
      await work(item);
      errors = 0;
    } catch (error) {
      how.signal.throwIfAborted();
      if (!(error instanceof AsofError)) throw error;
      how.failed(item, error);
      if (error instanceof NotFound) continue;
      errors += 1;
      if (errors >= how.faultsMax) throw error;
    }
  }
}

/** The items in order, cut into pieces of at most `size` (≥ 1). */
export function inBatches<T>(items: readonly T[], size: number): T[][] {
  if (!(Number.isInteger(size) && size >= 1))
    throw new RangeError(`a batch holds at least 1 item, not ${size}`);
  const batches: T[][] = [];
  for (let from = 0; from < items.length; from += size) batches.push(items.slice(from, from + size));
  return batches;
}
