// Newest trade, quote and day of many symbols from the single-exchange feed: fetched live, never stored.
import type { FeedBar } from "../../market/bar.ts";
import { newYorkDate } from "../../market/calendar.ts";
import { inClientSpelling } from "../../market/client-ticker.ts";
import type { Services } from "../../market/services.ts";
import type { TickerRequest } from "../../market/ticker.ts";
import { type AsofError, NotFound } from "../../platform/errors.ts";
import { inSymbolBatches } from "./batched-requests.ts";
import type { SnapshotAnswer } from "./schema.ts";
import type { FeedSnapshot, MarketFeed } from "./sources.ts";

type Row = SnapshotAnswer["snapshots"][string];

/** Removes what binary fractions leave behind in a difference of prices. */
const round = (x: number) => Number(x.toPrecision(12));

const minuteOf = (bar: FeedBar): NonNullable<Row["minute_bar"]> => {
  const { at, open, high, low, close, volume, vwap, trade_count } = bar;
  return { timestamp: at.toString(), open, high, low, close, volume, vwap, trade_count };
};

const NO_DATA: Omit<Row, "symbol"> = {
  price: null,
  price_time: null,
  bid: null,
  bid_size: null,
  ask: null,
  ask_size: null,
  date: null,
  open: null,
  high: null,
  low: null,
  close: null,
  volume: null,
  vwap: null,
  trade_count: null,
  prev_close: null,
  prev_close_date: null,
  change: null,
  change_percent: null,
  minute_bar: null,
  status: "no_data",
};

/**
 * The last daily bar before the session of the trade. Before the open the feed's day is still that of the
 * session before; a trade older than the feed's day has no bar to be compared with but an older one, and none
 * where that is its own.
 */
// A trade of Tuesday 16:30 is compared with Monday's bar, one of Wednesday 08:00 with Tuesday's.
export function barBeforeTrade({ trade, day, previous }: FeedSnapshot): FeedBar | null {
  if (!trade) return previous;
  const traded = newYorkDate(trade.at);
  return [day, previous].find((bar) => bar !== null && newYorkDate(bar.at) < traded) ?? null;
}

function snapshotRow(symbol: string, snapshot: FeedSnapshot | null | undefined): Row {
  const { trade = null, quote = null, minute = null, day = null, previous = null } = snapshot ?? {};
  if (!trade && !quote && !minute && !day && !previous) return { ...NO_DATA, symbol };
  const price = trade?.price ?? null;
  const compared = snapshot ? barBeforeTrade(snapshot) : null;
  const before = compared?.close ?? null;
  const change = price === null || before === null ? null : price - before;
  return {
    symbol,
    price,
    price_time: trade?.at.toString() ?? null,
    bid: quote?.bid ?? null,
    bid_size: quote?.bid_size ?? null,
    ask: quote?.ask ?? null,
    ask_size: quote?.ask_size ?? null,
    date: day && newYorkDate(day.at),
    open: day?.open ?? null,
    high: day?.high ?? null,
    low: day?.low ?? null,
    close: day?.close ?? null,
    volume: day?.volume ?? null,
    vwap: day?.vwap ?? null,
    trade_count: day?.trade_count ?? null,
    prev_close: before,
    prev_close_date: compared && newYorkDate(compared.at),
    change: change === null ? null : round(change),
    change_percent: change === null || before === null ? null : round((change / before) * 100),
    minute_bar: minute && minuteOf(minute),
    status: "ok",
  };
}

export function snapshotAnswers({ feed, clock }: { readonly feed: MarketFeed } & Pick<Services, "clock">) {
  return async function answerSnapshot(
    requests: readonly TickerRequest[],
    signal: AbortSignal,
  ): Promise<SnapshotAnswer> {
    feed.demandKeys();
    const found = new Map<string, FeedSnapshot | null>();
    let asOf = clock.now();
    const errors: ReadonlyMap<string, AsofError> = await inSymbolBatches(
      requests.map((request) => request.symbol),
      signal,
      (symbols) => feed.snapshots(symbols, signal),
      (answer, symbol, spelled) => {
        found.set(symbol, answer.snapshots.get(spelled) ?? null);
        asOf = answer.receivedAt;
      },
    );
    const outage = [...errors.values()].find((error) => !(error instanceof NotFound));
    if (outage && errors.size === requests.length) throw outage;
    const snapshots: SnapshotAnswer["snapshots"] = Object.create(null);
    const messages: SnapshotAnswer["errors"] = Object.create(null);
    const missing: string[] = [];
    for (const request of requests) {
      const { ticker, symbol } = request;
      const row = snapshotRow(ticker, found.get(symbol));
      snapshots[ticker] = row;
      if (row.status === "no_data") missing.push(ticker);
      const error = errors.get(symbol);
      if (error) messages[ticker] = inClientSpelling(error.message, request);
    }
    return {
      source: "alpaca_iex",
      count: requests.length - missing.length,
      as_of: asOf.toString(),
      snapshots,
      missing,
      errors: messages,
    };
  };
}

export type SnapshotAnswers = ReturnType<typeof snapshotAnswers>;
