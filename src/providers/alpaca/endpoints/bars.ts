// GET /v2/stocks/bars: bars of up to 100 symbols, all pages.

import { UPSTREAM_BATCH_SYMBOLS } from "../../../limits.ts";
import type { FeedBar } from "../../../market/bar.ts";
import { wholeShares } from "../../../market/float.ts";
import type { AlpacaClient, Decoded } from "../client.ts";
import { fieldsOf, instantOf, itemsOf, numberOf, priceOf, requiredText, shapeChanged } from "../wire.ts";

/**
 * `raw` prices are unadjusted; `split` and `all` (splits, dividends, spin-offs) are adjusted up to the
 * request.
 */
export type Adjustment = "raw" | "split" | "all";
export type Timeframe = "1Min" | "5Min" | "15Min" | "30Min" | "1Hour" | "1Day";

export interface BarsRequest {
  /** In the feed's spelling, at most 100. */
  readonly symbols: readonly string[];
  readonly timeframe: Timeframe;
  /** Both inclusive. */
  readonly start: Temporal.Instant;
  readonly end: Temporal.Instant;
  readonly adjustment: Adjustment;
  /** `sip`: all exchanges, at least 15 minutes old on the basic plan; `iex`: one exchange, live. */
  readonly feed: "sip" | "iex";
  /** A symbol means the company that held it on this day, including bars under its earlier symbols. */
  readonly asof?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface BarsAnswer {
  /** By the feed's spelling, ascending, one bar per start; symbols without bars are left out. */
  readonly bars: ReadonlyMap<string, readonly FeedBar[]>;
  readonly currency: string;
  /** When the first page was complete; adjustments are as of that moment or slightly later. */
  readonly askedAt: Temporal.Instant;
  /** When the last page was complete. */
  readonly receivedAt: Temporal.Instant;
}

/** Most bars of a page, over all symbols. */
const PAGE_BARS_MAX = 10_000;

function readBar(value: unknown, path: string): FeedBar {
  const bar = fieldsOf(value, path);
  const volume = numberOf(bar.v, `${path}.v`);
  if (volume !== null && volume < 0) throw shapeChanged(`${path}.v`, "a number of shares");
  return {
    at: instantOf(bar.t, `${path}.t`),
    open: priceOf(bar.o, `${path}.o`),
    high: priceOf(bar.h, `${path}.h`),
    low: priceOf(bar.l, `${path}.l`),
    close: priceOf(bar.c, `${path}.c`),
    // Split-adjusted volumes may have a fraction of a share.
    volume: volume === null ? null : wholeShares(volume),
    trade_count: numberOf(bar.n, `${path}.n`),
    vwap: priceOf(bar.vw, `${path}.vw`),
  };
}

/** Reads a bar; null when it is absent or null. */
export const barOrNull = (value: unknown, path: string): FeedBar | null =>
  value === undefined || value === null ? null : readBar(value, path);

function queryOf(request: BarsRequest): Record<string, string> {
  return {
    symbols: request.symbols.join(","),
    timeframe: request.timeframe,
    start: request.start.toString(),
    end: request.end.toString(),
    limit: String(PAGE_BARS_MAX),
    adjustment: request.adjustment,
    feed: request.feed,
    sort: "asc",
    ...(request.asof === undefined ? {} : { asof: request.asof }),
  };
}

interface BarsPage {
  readonly bars: ReadonlyMap<string, readonly FeedBar[]>;
  readonly next: string | null;
  readonly currency: string | null;
}

/** Reads one page. Rows are ordered by symbol, then time, so a page may hold only one symbol. */
export function readBarsPage(body: unknown): BarsPage {
  const fields = fieldsOf(body, "bars");
  // Null means no bars; a missing key has an unknown meaning.
  if (fields.bars === undefined) throw shapeChanged("bars.bars", "an object");
  const bars = new Map<string, FeedBar[]>();
  for (const [symbol, rows] of Object.entries(fieldsOf(fields.bars ?? {}, "bars.bars")))
    bars.set(
      symbol,
      itemsOf(rows, `bars.${symbol}`).map((row, i) => readBar(row, `bars.${symbol}[${i}]`)),
    );
  const token = fields.next_page_token;
  return {
    bars,
    next:
      token === undefined || token === null || token === "" ? null : requiredText(token, "next_page_token"),
    currency: typeof fields.currency === "string" && fields.currency !== "" ? fields.currency : null,
  };
}

/** Fetches all pages. Throws a RangeError for too many symbols, and what AlpacaClient.get throws. */
export async function askBars(ask: AlpacaClient, request: BarsRequest): Promise<BarsAnswer> {
  const { symbols, signal } = request;
  if (symbols.length === 0 || symbols.length > UPSTREAM_BATCH_SYMBOLS)
    throw new RangeError(`a request takes 1 to ${UPSTREAM_BATCH_SYMBOLS} symbols, not ${symbols.length}`);
  const requested = new Set(symbols);
  const byStart = new Map<string, Map<number, FeedBar>>();
  const query = queryOf(request);
  const seen = new Set<string>();
  let [token, currency, askedAt]: [string | null, string, Temporal.Instant | null] = [null, "USD", null];
  for (;;) {
    const { content: page, receivedAt }: Decoded<BarsPage> = await ask.get(
      "/v2/stocks/bars",
      token === null ? query : { ...query, page_token: token },
      (body) => expectedPage(body, requested, seen),
      signal,
    );
    askedAt ??= receivedAt;
    currency = page.currency ?? currency;
    for (const [symbol, rows] of page.bars) {
      const own = byStart.get(symbol) ?? new Map<number, FeedBar>();
      byStart.set(symbol, own);
      for (const bar of rows) {
        const ms = bar.at.epochMilliseconds;
        if (ms >= request.start.epochMilliseconds && ms <= request.end.epochMilliseconds) own.set(ms, bar);
      }
    }
    if (page.next === null) {
      const ordered = [...byStart]
        .filter(([, own]) => own.size > 0)
        .map(([symbol, own]): [string, FeedBar[]] => [
          symbol,
          [...own].sort(([a], [b]) => a - b).map(([, bar]) => bar),
        ]);
      return { bars: new Map(ordered), currency, askedAt, receivedAt };
    }
    seen.add(page.next);
    token = page.next;
  }
}

/**
 * Reads a page. Throws UpstreamMisread when it has a symbol not in `requested`, or its next page is one of
 * `seen`.
 */
function expectedPage(body: unknown, requested: ReadonlySet<string>, seen: ReadonlySet<string>): BarsPage {
  const page = readBarsPage(body);
  for (const symbol of page.bars.keys())
    if (!requested.has(symbol)) throw shapeChanged("bars", `about the symbols asked for, not ${symbol}`);
  if (page.next !== null && seen.has(page.next)) throw shapeChanged("next_page_token", "another than before");
  return page;
}
