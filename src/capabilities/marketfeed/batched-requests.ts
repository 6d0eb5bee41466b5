// Requests of many symbols to the feed: in its spelling, in batches; one batch's failure does not affect the
// others.

import { UPSTREAM_BATCH_SYMBOLS } from "../../limits.ts";
import type { FeedBar } from "../../market/bar.ts";
import { inBatches, mapSettled } from "../../market/bulk.ts";
import { toAlpaca } from "../../market/spelling.ts";
import { AsofError, NotFound, UpstreamFailed, UpstreamRefused } from "../../platform/errors.ts";
import type { FeedBarsRequest, MarketFeed, Reported } from "./sources.ts";

/** Concurrent batches; the feed's pace is the real limit. */
const BATCH_CONCURRENCY = 3;
const TOO_MANY_HINT = "possibly too many symbols; try fewer than 100";

export type ManyBarsRequest = Omit<FeedBarsRequest, "symbols"> & { readonly symbols: readonly string[] };

export interface ManyBars {
  /** By canonical symbol; may be empty. */
  readonly bars: ReadonlyMap<string, readonly FeedBar[]>;
  /** By canonical symbol: why it has no bars. */
  readonly errors: ReadonlyMap<string, AsofError>;
  /** When the last answer was complete; null without one. */
  readonly receivedAt: Temporal.Instant | null;
  readonly asked: boolean;
}

const unknown = (symbol: string, message: string) =>
  new NotFound("unknown_ticker", message, { ticker: symbol, upstream: "marketfeed" });

/**
 * Adds what a client can do about a failure of the feed. A refusal of our keys is not about symbols and
 * stays.
 */
function withHint(error: AsofError): AsofError {
  if (error instanceof UpstreamFailed)
    return new UpstreamFailed("marketfeed", `${error.message}; ${TOO_MANY_HINT}`, error.facts);
  if (error instanceof UpstreamRefused && error.facts.upstreamStatus === 400)
    return new UpstreamRefused("marketfeed", `${error.message}; ${TOO_MANY_HINT}`, error.facts);
  return error;
}

/** Symbols in the feed's spelling, in batches, and an error for each symbol it cannot carry. */
function batchesOf(symbols: readonly string[]) {
  const errors = new Map<string, AsofError>();
  const canonical = new Map<string, string>();
  for (const symbol of symbols) {
    const spelled = toAlpaca(symbol);
    if (spelled === null)
      errors.set(
        symbol,
        unknown(symbol, `The brokerage feed carries US shares and funds only; ${symbol} is neither`),
      );
    else canonical.set(spelled, symbol);
  }
  return { batches: inBatches([...canonical.keys()], UPSTREAM_BATCH_SYMBOLS), canonical, errors };
}

/**
 * Runs `request` for each batch and `take` for each symbol of its answer; resolves to the errors by canonical
 * symbol. Throws any error that is not the provider's.
 */
export async function inSymbolBatches<T>(
  symbols: readonly string[],
  signal: AbortSignal | undefined,
  request: (batch: readonly string[]) => Promise<Reported<T>>,
  take: (answer: T, symbol: string, spelled: string) => void,
): Promise<ReadonlyMap<string, AsofError>> {
  const { batches, canonical, errors } = batchesOf(symbols);
  const outcomes = await mapSettled(batches, request, { concurrency: BATCH_CONCURRENCY, signal });
  signal?.throwIfAborted();
  for (const outcome of outcomes) {
    if (!outcome.ok && !(outcome.error instanceof AsofError)) throw outcome.error;
    const refused = new Set(outcome.ok ? outcome.value.invalid : []);
    for (const spelled of outcome.item) {
      const symbol = canonical.get(spelled) ?? spelled;
      if (!outcome.ok) errors.set(symbol, withHint(outcome.error as AsofError));
      else if (refused.has(spelled))
        errors.set(symbol, unknown(symbol, `The brokerage feed does not know the symbol ${symbol}`));
      else if (outcome.value.answer !== null) take(outcome.value.answer, symbol, spelled);
    }
  }
  return errors;
}

/** Fetches the bars of many symbols. */
export async function fetchBars(feed: MarketFeed, request: ManyBarsRequest): Promise<ManyBars> {
  const bars = new Map<string, readonly FeedBar[]>();
  let receivedAt: Temporal.Instant | null = null;
  let asked = false;
  const errors = await inSymbolBatches(
    request.symbols,
    request.signal,
    async (symbols) => {
      const reported = await feed.bars({ ...request, symbols });
      asked ||= reported.asked;
      return reported;
    },
    (answer, symbol, spelled) => {
      bars.set(symbol, answer.bars.get(spelled) ?? []);
      receivedAt = answer.receivedAt;
    },
  );
  const hasFailed = [...errors.values()].some((error) => !(error instanceof NotFound));
  return { bars, errors, receivedAt, asked: asked || hasFailed };
}
