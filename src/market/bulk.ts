// Work over many items in which one failure does not affect the rest.
import { systemTimers } from "../platform/clock.ts";
import { AsofError, NotFound } from "../platform/errors.ts";
import { withFairnessKey } from "../platform/upstream/fairness.ts";

/** The outcome of one item: its value or its error. */
export type Settled<T, V> = { item: T; ok: true; value: V } | { item: T; ok: false; error: unknown };

/**
 * Runs `run` for each item, at most `concurrency` (≥ 1) at a time, and resolves with the outcomes in the
 * items' order: `Promise.allSettled` with a limit. A failing item never rejects the whole. Once `signal`
 * aborts, no further item starts; the remaining ones fail with the signal's reason. All items of one call
 * share one fairness key.
 */
export async function mapSettled<T, V>(
  items: readonly T[],
  run: (item: T, index: number) => Promise<V> | V,
  options: { concurrency: number; signal?: AbortSignal | undefined },
): Promise<Settled<T, V>[]> {
  if (!(options.concurrency >= 1))
    throw new RangeError(`concurrency must be at least 1, not ${options.concurrency}`);
  const settled = new Array<Settled<T, V>>(items.length);
  // The workers share one iterator, so each item is taken once.
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

/** A bulk answer (docs/contract.md): one result per ticker, in the order of the request. */
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

/** An answer that lacks what it was asked for, with the error that says why. */
export class Lacking<V> {
  constructor(
    readonly data: V | null,
    readonly error: unknown,
  ) {}
}

/**
 * Answers each ticker with `one`, at most `concurrency` at a time. An AsofError becomes the result of its
 * ticker, with what the answer has all the same where it is `Lacking`. Throws any other error, and the
 * signal's reason once it aborts.
 */
export async function answerEach<T extends { readonly ticker: string }, V>(
  requests: readonly T[],
  one: (request: T) => Promise<V | Lacking<V>>,
  { concurrency, signal }: { concurrency: number; signal: AbortSignal },
): Promise<BulkAnswer<V>> {
  const started = systemTimers.elapsedMs();
  const outcomes = await mapSettled(requests, one, { concurrency, signal });
  signal.throwIfAborted();
  const results = outcomes.map((outcome) => {
    const { ticker } = outcome.item;
    const value = outcome.ok ? outcome.value : new Lacking<V>(null, outcome.error);
    if (!(value instanceof Lacking))
      return { ticker, success: true, data: value, error: null, error_code: null };
    const { data, error } = value;
    if (!(error instanceof AsofError)) throw error;
    return { ticker, success: false, data, error: error.message, error_code: error.code };
  });
  const successful = results.filter(({ success }) => success).length;
  return {
    total_requested: results.length,
    successful,
    failed: results.length - successful,
    results,
    processing_time_ms: Math.round(systemTimers.elapsedMs() - started),
  };
}

/**
 * Runs `work` for one item after another. Reports an AsofError to `failed` and goes on with the next item.
 * After `failuresMax` failures in a row, or when no item has succeeded, it throws the last one, since the
 * cause is then not the items. NotFound concerns one item only and does not count. Throws any other error,
 * and the signal's reason once it aborts.
 */
// With `failuresMax` 5: four outages, one success and four outages go on to the end; five outages in a row
// throw.
export async function forEachSequential<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
  options: { failuresMax: number; signal: AbortSignal; failed(item: T, error: AsofError): void },
): Promise<void> {
  const { failuresMax, signal, failed } = options;
  let failures = 0;
  let succeeded = 0;
  let last: AsofError | null = null;
  for (const item of items) {
    signal.throwIfAborted();
    try {
      await work(item);
      failures = 0;
      succeeded += 1;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof AsofError)) throw error;
      failed(item, error);
      if (error instanceof NotFound) continue;
      failures += 1;
      last = error;
      if (failures >= failuresMax) throw error;
    }
  }
  if (succeeded === 0 && last) throw last;
}

/** Splits the items, in order, into batches of at most `size` (≥ 1). */
export function inBatches<T>(items: readonly T[], size: number): T[][] {
  if (!(Number.isInteger(size) && size >= 1))
    throw new RangeError(`a batch holds at least 1 item, not ${size}`);
  const batches: T[][] = [];
  for (let from = 0; from < items.length; from += size) batches.push(items.slice(from, from + size));
  return batches;
}
