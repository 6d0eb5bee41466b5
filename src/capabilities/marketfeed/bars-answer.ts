// The multi-ticker bars response of the brokerage-feed routes, from rows by symbol.
import { absentTickers } from "../../market/absence.ts";
import { inClientSpelling } from "../../market/client-ticker.ts";
import type { TickerRequest } from "../../market/ticker.ts";
import { columnsOf, tableOfRows } from "../../platform/cells.ts";
import { type AsofError, NotFound } from "../../platform/errors.ts";
import type { Table } from "../../platform/table.ts";
import type { MultiBars } from "./schema.ts";
import type { FeedInterval, IntradayRow } from "./timeframes.ts";

export interface BarsAnswerParts {
  readonly requests: readonly TickerRequest[];
  readonly interval: FeedInterval;
  readonly start: string;
  readonly end: string;
  readonly source: "alpaca_sip" | "alpaca_iex";
  readonly rows: ReadonlyMap<string, readonly IntradayRow[]>;
  readonly errors: ReadonlyMap<string, AsofError>;
  readonly delayedMinutes: number;
  readonly cached: boolean;
}

const NO_BARS = { kind: "nothing_there", sentence: "The feed has no bar of these days." } as const;

const timestampOf = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toString();

/** The answer by ticker as sent. Throws the feed's failure when it failed for every symbol. */
export function barsAnswer(parts: BarsAnswerParts): MultiBars {
  const { requests, rows, errors } = parts;
  const failures = requests.flatMap(({ symbol }) => errors.get(symbol) ?? []);
  const outage = failures.find((error) => !(error instanceof NotFound));
  if (outage && failures.length === requests.length) throw outage;
  const bars: MultiBars["bars"] = Object.create(null);
  const messages: MultiBars["errors"] = Object.create(null);
  const missing: string[] = [];
  const errorOf = new Map<string, AsofError>();
  let count = 0;
  for (const request of requests) {
    const { ticker, symbol } = request;
    const own = rows.get(symbol) ?? [];
    bars[ticker] = own.map(({ at, open, high, low, close, volume, vwap, trade_count, session }) => ({
      timestamp: timestampOf(at),
      open,
      high,
      low,
      close,
      volume,
      vwap,
      trade_count,
      session,
    }));
    count += own.length;
    if (own.length === 0) missing.push(ticker);
    const error = errors.get(symbol);
    if (!error) continue;
    errorOf.set(ticker, error);
    messages[ticker] = inClientSpelling(error.message, request);
  }
  return {
    source: parts.source,
    feed: parts.source === "alpaca_sip" ? "sip" : "iex",
    adjustment: "raw",
    interval: parts.interval,
    count,
    bars,
    symbols_requested: requests.length,
    symbols_returned: requests.length - missing.length,
    missing,
    errors: messages,
    start_date: parts.start,
    end_date: parts.end,
    delayed_minutes: parts.delayedMinutes,
    cached: parts.cached,
    warnings: absentTickers(missing, (ticker) => errorOf.get(ticker), NO_BARS),
  };
}

export function barsTable(answer: MultiBars): Table {
  const figures = ["open", "high", "low", "close", "volume", "vwap", "trade_count"] as const;
  const columns = [
    ...columnsOf("VARCHAR", "symbol"),
    ...columnsOf("TIMESTAMPTZ", "timestamp"),
    ...columnsOf("DOUBLE", ...figures),
    ...columnsOf("VARCHAR", "session"),
  ];
  return tableOfRows(`marketfeed_${answer.interval}`, columns, function* () {
    for (const [symbol, bars] of Object.entries(answer.bars))
      for (const bar of bars) yield [symbol, bar.timestamp, ...figures.map((name) => bar[name]), bar.session];
  });
}
