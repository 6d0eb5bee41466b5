// Bars of many symbols from the feed: canonical symbols in its spelling, in batches, one batch's failure its own.

import { UPSTREAM_BATCH_SYMBOLS } from "../../limits.ts";
import type { FeedBar } from "../../market/bar.ts";
import { inBatches, mapSettled } from "../../market/bulk.ts";
import { toAlpaca } from "../../market/spelling.ts";
import { AsofError, NotFound, UpstreamFailed, UpstreamRefused } from "../../platform/errors.ts";
import type { FeedBarsRequest, MarketFeed, Reported } from "./sources.ts";

/** Batches under way at once; the feed's pace is the real limit. */
const BATCHES_AT_ONCE = 3;
export const TOO_MANY_HINT = "possibly too many symbols; try fewer than 100";

export type ManyBarsRequest = Omit<FeedBarsRequest, "symbols"> & { readonly symbols: readonly string[] };

export interface ManyBars {
  /** By canonical symbol: its bars, maybe none. */
  readonly bars: ReadonlyMap<string, readonly FeedBar[]>;
  /** By canonical symbol: why it has no answer. */
  readonly errors: ReadonlyMap<string, AsofError>;
  /** When the last answer was complete; null without any. */
  readonly receivedAt: Temporal.Instant | null;
  readonly asked: boolean;
}

const unknown = (symbol: string, message: string) =>
  new NotFound("unknown_ticker", message, { ticker: symbol, upstream: "marketfeed" });

/** A failure of the feed with what a client can do about it; its refusal of our keys is not about symbols. */
export function hinted(error: AsofError): AsofError {
  if (error instanceof UpstreamFailed)
    return new UpstreamFailed("marketfeed", `${error.message}; ${TOO_MANY_HINT}`, error.facts);
  if (error instanceof UpstreamRefused && error.facts.upstreamStatus === 400)
    return new UpstreamRefused("marketfeed", `${error.message}; ${TOO_MANY_HINT}`, error.facts);
  return error;
}

/** Symbols as the feed spells them, cut into batches; those it cannot carry are told at once. */
export function batchesOf(symbols: readonly string[]) {
  const errors = new Map<string, AsofError>();
  const canonical = new Map<string, string>();
  for (const symbol of symbols) {
    const spelled = toAlpaca(symbol);
    if (spelled === null)
      errors.set(
        symbol,
        unknown(symbol, `The brokerage feed carries US shares and funds; ${symbol} is none`),
      );
    else canonical.set(spelled, symbol);
  }
  return { batches: inBatches([...canonical.keys()], UPSTREAM_BATCH_SYMBOLS), canonical, errors };
}

/** Outcomes of batches by canonical symbol. Throws what is no provider's fault. */
export async function askBatches<T>(
  symbols: readonly string[],
  signal: AbortSignal | undefined,
  ask: (batch: readonly string[]) => Promise<Reported<T>>,
  take: (answer: T, symbol: string, spelled: string) => void,
): Promise<ReadonlyMap<string, AsofError>> {
  const { batches, canonical, errors } = batchesOf(symbols);
  const outcomes = await mapSettled(batches, ask, { concurrency: BATCHES_AT_ONCE, signal });
  signal?.throwIfAborted();
  for (const outcome of outcomes) {
    if (!outcome.ok && !(outcome.error instanceof AsofError)) throw outcome.error;
    const refused = new Set(outcome.ok ? outcome.value.invalid : []);
    for (const spelled of outcome.item) {
      const symbol = canonical.get(spelled) ?? spelled;
      if (!outcome.ok) errors.set(symbol, hinted(outcome.error as AsofError));
      else if (refused.has(spelled))
        errors.set(symbol, unknown(symbol, `The brokerage feed knows no symbol ${symbol}`));
      else if (outcome.value.answer !== null) take(outcome.value.answer, symbol, spelled);
    }
  }
  return errors;
}

export async function askManyBars(feed: MarketFeed, request: ManyBarsRequest): Promise<ManyBars> {
  const bars = new Map<string, readonly FeedBar[]>();
  let receivedAt: Temporal.Instant | null = null;
  let asked = false;
  const errors = await askBatches(
    request.symbols,
    request.signal,
    async (symbols) => {
      const told = await feed.bars({ ...request, symbols });
      asked ||= told.asked;
      return told;
    },
    (answer, symbol, spelled) => {
      bars.set(symbol, answer.bars.get(spelled) ?? []);
      receivedAt = answer.receivedAt;
    },
  );
  const isOutage = [...errors.values()].some((error) => !(error instanceof NotFound));
  return { bars, errors, receivedAt, asked: asked || isOutage };
}
