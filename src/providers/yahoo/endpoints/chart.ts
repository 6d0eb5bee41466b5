// Yahoo's v8 chart: the bars and corporate actions of one symbol. Needs no crumb.
import type { BarHistory, BarRequest } from "../../../market/bar-history.ts";
import { type Calendar, newYorkDate } from "../../../market/calendar.ts";
import { toYahoo } from "../../../market/spelling.ts";
import { NotFound, UpstreamMisread, UpstreamRefused } from "../../../platform/errors.ts";
import { fetchDecoded } from "../../../platform/upstream/decode.ts";
import type { Upstream, UpstreamAnswer } from "../../../platform/upstream/policy.ts";
import { readActions, unappliedSplit } from "../parse/actions.ts";
import { type DroppedRows, makeBars } from "../parse/chart-bars.ts";
import { basisDate, type ChartMeta, NO_META, readMeta } from "../parse/chart-meta.ts";
import { readRows } from "../parse/chart-rows.ts";
import { type ChartInterval, minutesOf, sessionsOf } from "../parse/sessions.ts";
import { DATA_HOST } from "../policy.ts";
import { isDenied, readError, readJson, type Wire, type YahooError } from "../wire.ts";

/** A request for bars of one symbol. */
export type ChartRequest = Omit<BarRequest, "interval"> & { readonly interval: ChartInterval };

/**
 * The answer. Its actions are complete for daily bars only; for longer intervals Yahoo lists some of them.
 */
export interface ChartResult extends BarHistory {
  readonly symbol: string;
  readonly meta: ChartMeta;
  readonly dropped: DroppedRows;
}

/** 1900: earlier than Yahoo's oldest prices, of 1927. */
const BEGINNING_S = -2_208_988_800;
/** A bar may start this long after the answer: clocks differ, and some time zones are ahead of ours. */
// An answer of noon may have a bar of 11:59 tomorrow; with one of 12:01 it is refused as a whole.
const FUTURE_S_MAX = 86_400;

/**
 * The first moment of `startDate` and the first moment after `endDate` in a zone: the span of the bars of
 * these days and all between. Computed from local midnights, since UTC midnights cut off the evening and
 * shift Asian days. RangeError when a date is invalid.
 */
export function sessionWindow(
  startDate: string,
  endDate: string,
  zone = "America/New_York",
): { start: Temporal.Instant; end: Temporal.Instant } {
  const start = Temporal.PlainDate.from(startDate).toZonedDateTime(zone).toInstant();
  const end = Temporal.PlainDate.from(endDate).add({ days: 1 }).toZonedDateTime(zone).toInstant();
  return { start, end };
}

/** Rounds up to whole seconds, so that nothing before `at` is requested. */
function secondsFrom(at: Temporal.Instant): number {
  return Math.ceil(at.epochMilliseconds / 1000);
}

function chartUrl({ symbol, interval, start, end, prePost }: ChartRequest): string {
  const query = new URLSearchParams({
    period1: String(start === null ? BEGINNING_S : secondsFrom(start)),
    period2: String(secondsFrom(end)),
    interval: widthOf(interval) ?? interval,
    includePrePost: String(prePost),
    // Each type must be named: `split` alone lists no dividends.
    events: "div|split|capitalGains",
  });
  return `https://${DATA_HOST}/v8/finance/chart/${encodeURIComponent(toYahoo(symbol))}?${query}`;
}

function notFound(
  symbol: string,
  code: "unknown_ticker" | "no_data",
  message: string,
  hint?: string,
): NotFound {
  return new NotFound(code, message, { ticker: symbol, upstream: "yahoo", hint });
}

/**
 * True for Yahoo's error about a span before the first trade of a symbol, which is an answer without bars.
 */
function isBeforeFirstTrade({ description }: YahooError): boolean {
  return /^data doesn'?t exist for startdate/i.test(description);
}

/** Yahoo's refusal as an error. Only its own "not found" means that the symbol does not exist. */
function refusal(symbol: string, error: YahooError, status: number): NotFound | UpstreamRefused {
  const facts = { ticker: symbol, upstreamStatus: status, hint: error.description };
  const isNotFound = error.envelope === "chart" && (status === 404 || /^not found$/i.test(error.code));
  if (isNotFound && !isDenied(error, status)) {
    return notFound(symbol, "unknown_ticker", `Yahoo knows no ticker ${symbol}`, error.description);
  }
  return new UpstreamRefused("yahoo", `Yahoo refused the chart of ${symbol}: ${error.description}`, facts);
}

/**
 * True for a delisted symbol of which Yahoo keeps the name: a fund without a price, under the code for
 * delisted ones.
 */
function isDelistedStub(meta: ChartMeta): boolean {
  const isPriceless = meta.regular_market_price === null;
  return isPriceless && (meta.exchange === "YHD" || meta.instrument_type === "MUTUALFUND");
}

/** Yahoo's name of an interval, in requests and answers. It names the answer to `60m` `1h`. */
function widthOf(interval: string | null): string | null {
  if (interval === "60m") return "1h";
  return interval === "1w" ? "1wk" : interval;
}

/** The answer for a span before the first trade: no bars, on the basis of the day of the request. */
function emptyResult(symbol: string, received_at: Temporal.Instant): ChartResult {
  const dropped: DroppedRows = {
    null_rows: [],
    out_of_range: 0,
    duplicates: 0,
    extended: 0,
    misplaced: 0,
    between_bars: 0,
  };
  const basis_date = newYorkDate(received_at);
  return { symbol, meta: NO_META, bars: [], actions: [], dropped, basis_date, received_at };
}

function checkAbout(result: Wire, request: ChartRequest, meta: ChartMeta): void {
  const symbol = result.at("meta").at("symbol").text();
  if (symbol.toUpperCase() !== toYahoo(request.symbol).toUpperCase()) {
    throw new UpstreamMisread("yahoo", `yahoo answered for another symbol than ${request.symbol}`);
  }
  if (widthOf(meta.data_granularity) !== widthOf(request.interval)) {
    const got = meta.data_granularity ?? "unnamed";
    throw new UpstreamMisread("yahoo", `yahoo sent ${got} bars of ${request.symbol} for ${request.interval}`);
  }
}

/** Reads one answer. Pure. Throws as `askChart`. */
export function readChart(answer: UpstreamAnswer, request: ChartRequest, calendar: Calendar): ChartResult {
  const { symbol, interval, prePost } = request;
  const { receivedAt } = answer;
  const body = readJson("chart", answer);
  const error = readError(body);
  if (error && isBeforeFirstTrade(error)) return emptyResult(symbol, receivedAt);
  if (error) throw refusal(symbol, error, answer.status);
  const result = body.at("chart").at("result").first();
  const { meta, frame } = readMeta(result.at("meta"));
  const rows = readRows(result, meta.instrument_type === "FUTURE");
  if (rows.rows.length === 0 && isDelistedStub(meta)) {
    throw notFound(
      symbol,
      "no_data",
      `Yahoo keeps the name of ${symbol} but no price: it is no longer listed`,
    );
  }
  checkAbout(result, request, meta);
  const newest = rows.rows.findLast((row) => row.close !== null);
  if (newest && newest.seconds > secondsFrom(receivedAt) + FUTURE_S_MAX) {
    throw result.at("timestamp").wrong("of the past");
  }
  const start = request.start && secondsFrom(request.start);
  const span = { interval, start, end: secondsFrom(request.end), prePost };
  const { bars, dropped } = makeBars(rows, span, frame, sessionsOf(frame, calendar, receivedAt));
  const daily = interval === "1d" ? bars : [];
  const context = { zone: frame.zone, currency: meta.currency, bars: daily, nullRows: dropped.null_rows };
  const { actions, bars: adjusted } = readActions(result.at("events"), context);
  const split = unappliedSplit(actions, daily);
  if (split) {
    const what = `a split of ${symbol} on ${split.ex_date} that its prices do not know of`;
    throw new UpstreamRefused("yahoo", `Yahoo lists ${what}`, { ticker: symbol });
  }
  return {
    symbol,
    meta,
    bars: interval === "1d" ? adjusted : bars,
    actions,
    dropped,
    basis_date: basisDate(frame, receivedAt, calendar),
    received_at: receivedAt,
  };
}

/**
 * Fetches the bars of one symbol.
 *
 * Throws NotFound (`unknown_ticker`: Yahoo does not know it; `no_data`: it is delisted and has no prices),
 * UpstreamRefused (a span or interval Yahoo does not serve; a session is required; a listed split contradicts
 * the prices), UpstreamFailed (broken, another shape, another symbol or interval than requested),
 * UpstreamRateLimited, UpstreamTimeout. A span without bars, or before the first trade, gives an empty
 * result.
 */
export async function askChart(
  upstream: Upstream,
  calendar: Calendar,
  request: ChartRequest,
): Promise<ChartResult> {
  const isIntraday = minutesOf(request.interval) !== null;
  const asked = { ...request, prePost: request.prePost && isIntraday };
  if (asked.start !== null && Temporal.Instant.compare(asked.start, asked.end) >= 0) {
    throw new RangeError("a chart's end must lie after its start");
  }
  return fetchDecoded(upstream, { url: chartUrl(asked), signal: asked.signal }, (answer) =>
    readChart(answer, asked, calendar),
  );
}
