// The price routes' answers: each with its row form, ready for the server to render.
import type { Static } from "@sinclair/typebox";
import { JSON_BARS_MAX, PRICES_FIRST_PART_S, PRICES_WHOLE_MAX } from "../../../limits.ts";
import { answerEach } from "../../../market/bulk.ts";
import { canonical, parseTickers, type TickerRequest } from "../../../market/ticker.ts";
import type { Period } from "../../../market/time-span.ts";
import { Answer, ListsBody } from "../../../platform/answer.ts";
import type { LazySignal } from "../../../platform/cache/cache.ts";
import { columnsOf, tableOfObjects, tableOfRows } from "../../../platform/cells.ts";
import { InvalidFields, InvalidRequest } from "../../../platform/errors.ts";
import { notesOf } from "../../../platform/row-notes.ts";
import type { Table } from "../../../platform/table.ts";
import type { DailyQuery, FirstPart } from "../request/daily-query.ts";
import type {
  BulkPriceDataRequest,
  HistoryQuery,
  IntradayMultiQuery,
  IntradayQuery,
  IntradayResponse,
  MultiBarsResponse,
  MultiQuery,
  PriceDataResponse,
} from "../schema.ts";
import { adjustmentSuffix, barRows, OHLCV } from "./bar-rows.ts";
import type { DailyAnswers } from "./daily.ts";
import { isPlain } from "./daily-many.ts";
import type { HourlyAnswers } from "./hourly.ts";
import type { IntradayAnswers } from "./intraday.ts";
import type { quoteAnswers } from "./quote.ts";
import type { newestAnswers } from "./today.ts";

export interface PriceParts {
  readonly daily: DailyAnswers;
  readonly hourly: HourlyAnswers;
  readonly intraday: IntradayAnswers;
  readonly quote: ReturnType<typeof quoteAnswers>;
  readonly newest: ReturnType<typeof newestAnswers>;
}

/** Concurrent tickers of a bulk request. */
const BULK_CONCURRENCY = 25;

const requestOf = (ticker: string): TickerRequest => ({ ticker, symbol: canonical(ticker) });

function seriesTable(answer: PriceDataResponse): Table {
  const { columns, cells } = barRows(answer.interval);
  return tableOfRows(
    `${answer.ticker}_${answer.interval}${adjustmentSuffix(answer)}`,
    [...columnsOf("VARCHAR", "ticker"), ...columns],
    function* () {
      for (const b of answer.data) yield [answer.ticker, ...cells(b, answer.adjusted_through)];
    },
  );
}

const INTRADAY_COLUMNS = [...columnsOf("TIMESTAMPTZ", "timestamp"), ...OHLCV];

const intradayTable = ({ ticker, interval, data }: IntradayResponse): Table =>
  tableOfObjects(
    `${ticker}_${interval}`,
    [...columnsOf("VARCHAR", "ticker"), ...INTRADAY_COLUMNS, ...columnsOf("VARCHAR", "session")],
    data.map((bar) => ({ ticker, ...bar })),
  );

const intradayBarsTable = (answer: MultiBarsResponse): Table => ({
  ...tableOfObjects(
    `bars_${answer.interval}`,
    [...columnsOf("VARCHAR", "symbol"), ...INTRADAY_COLUMNS],
    Object.entries(answer.bars).flatMap(([symbol, bars]) => bars.map((bar) => ({ symbol, ...bar }))),
  ),
  notes: notesOf(answer),
});

/** Throws `no_tickers` when there are none. */
function atLeastOne(tickers: TickerRequest[]): TickerRequest[] {
  if (tickers.length > 0) return tickers;
  throw new InvalidRequest("no_tickers", "tickers names no symbol.", { hint: "Write them as AAPL,MSFT." });
}

/** The tickers of a multi-ticker query; `ticker` is an alias. */
function tickersOf(query: { readonly tickers?: string; readonly ticker?: string }): TickerRequest[] {
  const { tickers, ticker } = query;
  if (tickers !== undefined && ticker !== undefined && tickers !== ticker)
    throw new InvalidRequest("bad_request", "ticker and tickers name different symbols; give one of them.");
  const given = tickers ?? ticker;
  if (given === undefined)
    throw new InvalidFields([{ type: "missing", loc: ["query", "tickers"], msg: "Field required" }]);
  return atLeastOne(parseTickers(given).tickers);
}

/** A date and its alias as one. Throws when they differ. */
function onlyOne(name: string, a: string | undefined, b: string | undefined): string | undefined {
  if (a !== undefined && b !== undefined && a !== b)
    throw new InvalidRequest(
      "conflicting_time_selection",
      `${name}_date and its alias ${name} name different days; give one of them.`,
    );
  return a ?? b;
}

/**
 * When the answer on many tickers comes; undefined: once all are read. Throws where the request asks for
 * opposites.
 */
function firstPartOf({ wait, force_refresh }: Static<typeof MultiQuery>): FirstPart | undefined {
  if (!force_refresh)
    return wait === undefined
      ? { waitS: PRICES_FIRST_PART_S, wholeMax: PRICES_WHOLE_MAX }
      : { waitS: wait, wholeMax: 0 };
  if (wait === undefined) return undefined;
  throw new InvalidRequest(
    "bad_request",
    "wait and force_refresh contradict each other: every request with force_refresh asks for all tickers again.",
    { hint: "Leave out wait." },
  );
}

/** Hourly bars are adjusted by splits only. */
function refuseHourly({ interval, adjustment = "split" }: DailyQuery, part: "query" | "body"): void {
  if (interval !== "1h" || adjustment === "split") return;
  const msg = "Input should be 'split': hourly bars are adjusted by splits only";
  throw new InvalidFields([{ type: "enum", loc: [part, "adjustment"], msg }]);
}

/**
 * JSON that is not of plain daily bars is in memory as a whole, several times over; rows can be streamed
 * instead.
 */
function refuseHuge(count: number): void {
  if (count > JSON_BARS_MAX)
    throw new InvalidRequest(
      "bad_request",
      `The answer has ${count} bars; JSON serves up to ${JSON_BARS_MAX}.`,
      { hint: "Request fewer tickers or days, or format=parquet, csv or ndjson." },
    );
}

export function priceAnswers({ daily, hourly, intraday, quote, newest }: PriceParts) {
  const series = (request: TickerRequest, query: DailyQuery, fallback: Period | undefined) =>
    query.interval === "1h" ? hourly(request, query, fallback) : daily.one(request, query, fallback);

  return {
    async history(
      ticker: string,
      query: Omit<Static<typeof HistoryQuery>, "start" | "end" | "format"> & {
        start?: string;
        end?: string;
        quarters?: string[];
      },
      fallback: Period | undefined,
      signal: AbortSignal,
    ) {
      const { start, end, interval = "1d", ...rest } = query;
      const dailyQuery: DailyQuery = {
        ...rest,
        start_date: onlyOne("start", rest.start_date, start),
        end_date: onlyOne("end", rest.end_date, end),
        interval,
        signal,
      };
      refuseHourly(dailyQuery, fallback === undefined ? "body" : "query");
      const answer = await series(requestOf(ticker.trim()), dailyQuery, fallback);
      return new Answer(() => answer, { table: seriesTable(answer) });
    },

    bars(query: Static<typeof MultiQuery>, signal: AbortSignal) {
      const { interval = "1d", start_date, end_date, as_of, adjustment, force_refresh, stored_only } = query;
      const requests = tickersOf(query);
      const fields = { interval, start_date, end_date, as_of, adjustment, force_refresh, stored_only };
      const dailyQuery: DailyQuery = { ...fields, feed: "first", firstPart: firstPartOf(query), signal };
      daily.checkSpan(fields);
      const read = () => daily.many(requests, dailyQuery);
      const body = async () => {
        if (!isPlain(dailyQuery)) refuseHuge(await daily.countAbove(requests, dailyQuery, JSON_BARS_MAX));
        return new ListsBody(async () => {
          const { count, json } = await read();
          if (!isPlain(dailyQuery)) refuseHuge(count);
          return json;
        });
      };
      return new Answer(body, { table: async () => (await read()).table });
    },

    async bulk(
      tickers: readonly string[],
      body: Omit<Static<typeof BulkPriceDataRequest>, "tickers">,
      signal: AbortSignal,
    ) {
      const { interval = "1d", ...rest } = body;
      daily.checkSpan(rest);
      const requests = atLeastOne(parseTickers(tickers).tickers);
      const query = { ...rest, interval, signal };
      refuseHourly(query, "body");
      const answered = await daily.feedFirst(requests, query);
      const one = (request: TickerRequest) =>
        series(request, answered.has(request.symbol) ? { ...query, feed: answered } : query, undefined);
      return answerEach(requests, one, { concurrency: BULK_CONCURRENCY, signal });
    },

    latest: (ticker: string, signal: AbortSignal) => newest.latest(requestOf(ticker.trim()), signal),
    today: (ticker: string, signal: AbortSignal) => newest.today(requestOf(ticker.trim()), signal),

    async quote(ticker: string, usePrepost: boolean, signal: LazySignal) {
      const { body, entry } = await quote(requestOf(ticker.trim()), usePrepost, signal);
      return new Answer(body, {
        cache: entry,
        derivedFrom: { value: entry.value, variant: `${ticker.trim()} ${usePrepost}` },
      });
    },

    async intraday(ticker: string, query: Static<typeof IntradayQuery>, signal: AbortSignal) {
      const { interval = "1m", period = "1d" } = query;
      const answer = await intraday.one(requestOf(ticker.trim()), { interval, period }, signal);
      return new Answer(() => answer, { table: intradayTable(answer) });
    },

    async intradayMany(query: Static<typeof IntradayMultiQuery>, signal: AbortSignal) {
      const { interval = "5m", start_date, end_date, force_refresh } = query;
      const { body, cache } = await intraday.many(
        tickersOf(query),
        { interval, start_date, end_date, force: force_refresh ?? false },
        signal,
      );
      return new Answer(
        () => {
          refuseHuge(body.count);
          return body;
        },
        { cache, table: intradayBarsTable(body) },
      );
    },
  };
}

export type PriceAnswers = ReturnType<typeof priceAnswers>;
