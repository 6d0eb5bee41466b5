// Combines requests for the days of single symbols, made at one moment for one span, into requests of up to
// 100 symbols.
import { UPSTREAM_BATCH_SYMBOLS } from "../../limits.ts";
import type { BarHistory } from "../../market/bar-history.ts";
import { batcher } from "../../platform/batcher.ts";
import type { DailyAnswers, DailyRequest, OneDailyRequest } from "./daily.ts";

/**
 * How long the first request of a batch waits for others, which come in the same turn of the event loop or
 * nearly so.
 */
// A hundred symbols asked for in one turn are one request; one asked for 6 ms later begins a second.
const WAIT_MS = 5;

/** Answers one symbol at a time through `many`; rejects with the symbol's own error. */
export function batchedDaily(many: (request: DailyRequest) => Promise<DailyAnswers>) {
  const batches = batcher<OneDailyRequest, BarHistory | Error>({
    keyOf: ({ start, end, asof }) => `${start} ${end} ${asof}`,
    sizeMax: UPSTREAM_BATCH_SYMBOLS,
    waitMs: WAIT_MS,
    async run(requests, signal) {
      const [first] = requests;
      if (!first) return [];
      const { start, end, asof } = first;
      const symbols = [...new Set(requests.map(({ symbol }) => symbol))];
      const answers = await many({ symbols, start, end, asof, signal });
      return requests.map(({ symbol }) => answers.get(symbol) ?? new Error(`no answer for ${symbol}`));
    },
  });
  return async (request: OneDailyRequest): Promise<BarHistory> => {
    const answer = await batches.add(request, request.signal);
    if (answer instanceof Error) throw answer;
    return answer;
  };
}
