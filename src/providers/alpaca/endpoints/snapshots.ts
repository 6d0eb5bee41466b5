// GET /v2/stocks/snapshots: newest trade, quote, minute and day of up to 100 symbols.
import type { FeedBar } from "../../../market/bar.ts";
import type { AlpacaClient } from "../client.ts";
import { fieldsOf, instantOf, numberOf, priceOf, shapeChanged } from "../wire.ts";
import { barOrNull } from "./bars.ts";

/**
 * The current state of a symbol; each part may be missing. Sizes in shares (round lots before 2025-11-03).
 */
export interface Snapshot {
  readonly trade: { readonly at: Temporal.Instant; readonly price: number | null } | null;
  readonly quote: {
    readonly at: Temporal.Instant;
    readonly bid: number | null;
    readonly bid_size: number | null;
    readonly ask: number | null;
    readonly ask_size: number | null;
  } | null;
  readonly minute: FeedBar | null;
  readonly day: FeedBar | null;
  readonly previous: FeedBar | null;
}

const isNone = (value: unknown): value is null | undefined => value === undefined || value === null;

function readTrade(value: unknown, path: string): Snapshot["trade"] {
  if (isNone(value)) return null;
  const trade = fieldsOf(value, path);
  return { at: instantOf(trade.t, `${path}.t`), price: priceOf(trade.p, `${path}.p`) };
}

function readQuote(value: unknown, path: string): Snapshot["quote"] {
  if (isNone(value)) return null;
  const quote = fieldsOf(value, path);
  const [bid, ask] = [priceOf(quote.bp, `${path}.bp`), priceOf(quote.ap, `${path}.ap`)];
  return {
    at: instantOf(quote.t, `${path}.t`),
    bid,
    // A side without a price has no size either.
    bid_size: bid === null ? null : numberOf(quote.bs, `${path}.bs`),
    ask,
    ask_size: ask === null ? null : numberOf(quote.as, `${path}.as`),
  };
}

/** Reads the body, a map of snapshots by the feed's spelling; null for a symbol without data. */
export function readSnapshots(body: unknown): Map<string, Snapshot | null> {
  const snapshots = new Map<string, Snapshot | null>();
  for (const [symbol, value] of Object.entries(fieldsOf(body, "snapshots"))) {
    if (isNone(value)) {
      snapshots.set(symbol, null);
      continue;
    }
    const path = `snapshots.${symbol}`;
    const parts = fieldsOf(value, path);
    snapshots.set(symbol, {
      trade: readTrade(parts.latestTrade, `${path}.latestTrade`),
      quote: readQuote(parts.latestQuote, `${path}.latestQuote`),
      minute: barOrNull(parts.minuteBar, `${path}.minuteBar`),
      day: barOrNull(parts.dailyBar, `${path}.dailyBar`),
      previous: barOrNull(parts.prevDailyBar, `${path}.prevDailyBar`),
    });
  }
  return snapshots;
}

export async function askSnapshots(ask: AlpacaClient, symbols: readonly string[], signal?: AbortSignal) {
  // Without `feed` the account's default applies, and the basic plan is refused the consolidated feed.
  const query = { symbols: symbols.join(","), feed: "iex" };
  const decode = (body: unknown) => {
    const snapshots = readSnapshots(body);
    for (const symbol of snapshots.keys())
      if (!symbols.includes(symbol))
        throw shapeChanged("snapshots", `about the symbols asked for, not ${symbol.slice(0, 20)}`);
    return snapshots;
  };
  const { content: snapshots, receivedAt } = await ask.get("/v2/stocks/snapshots", query, decode, signal);
  return { snapshots, receivedAt };
}
