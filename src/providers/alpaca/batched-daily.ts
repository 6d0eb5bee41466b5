// Questions about single symbols, asked at one moment for one span, put together into questions of up to 100.

import { UPSTREAM_BATCH_SYMBOLS } from "../../limits.ts";
import type { BarHistory } from "../../market/bar-history.ts";
import { inBatches } from "../../market/bulk.ts";
import { AsofError } from "../../platform/errors.ts";
import type { DailyAnswers, DailyRequest, OneDailyRequest } from "./daily.ts";

/** How long the first of a batch waits for others: they come in the same turn of the event loop, or nearly. */
const GATHER_MS = 5;

interface Caller {
  readonly request: OneDailyRequest;
  resolve(answer: BarHistory): void;
  reject(reason: unknown): void;
}

/** Aborted once every caller has gone; one without a signal stays. `end` lets go of the callers' signals. */
function untilAllGone(callers: readonly Caller[]): { signal: AbortSignal; end(): void } {
  const stop = new AbortController();
  const over = new AbortController();
  let left = callers.length;
  for (const { request, reject } of callers) {
    const { signal } = request;
    const leave = () => {
      reject(signal?.reason);
      left--;
      if (left === 0) stop.abort(signal?.reason);
    };
    if (signal?.aborted) leave();
    else signal?.addEventListener("abort", leave, { once: true, signal: over.signal });
  }
  return { signal: stop.signal, end: () => over.abort() };
}

/** Answers one symbol at a time by way of `many`; rejects with the symbol's own error. */
export function gathered(many: (request: DailyRequest) => Promise<DailyAnswers>) {
  let waiting: Caller[] = [];

  const ask = async (callers: readonly Caller[]) => {
    const [first] = callers;
    if (!first) return;
    const { start, end, asof } = first.request;
    const symbols = [...new Set(callers.map(({ request }) => request.symbol))];
    const interest = untilAllGone(callers);
    try {
      const answers = await many({ symbols, start, end, asof, signal: interest.signal });
      for (const { request, resolve, reject } of callers) {
        const answer = answers.get(request.symbol);
        if (answer === undefined) reject(new Error(`no answer for ${request.symbol}`));
        else if (answer instanceof AsofError) reject(answer);
        else resolve(answer);
      }
    } catch (error) {
      for (const { reject } of callers) reject(error);
    } finally {
      interest.end();
    }
  };

  const flush = () => {
    const all = waiting;
    waiting = [];
    const bySpan = Map.groupBy(all, ({ request: { start, end, asof } }) => `${start} ${end} ${asof}`);
    for (const group of bySpan.values())
      for (const batch of inBatches(group, UPSTREAM_BATCH_SYMBOLS)) void ask(batch);
  };

  return (request: OneDailyRequest): Promise<BarHistory> =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setTimeout(flush, GATHER_MS);
      waiting.push({ request, resolve, reject });
    });
}
