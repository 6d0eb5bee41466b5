// Chart answers: daily rows, longer bars made of them, intraday bars, and the events of the window.

import type { Listing } from "../listing.ts";
import type { Found, Market } from "../market.ts";
import { spanOf } from "../minutes.ts";
import type { Bar } from "../prices.ts";
import { secondsAt } from "../sessions.ts";
import { type Correction, type Row, type View, viewOf } from "../view.ts";
import { currentSession, delistedMeta, metaOf, tradingPeriod } from "./chart-meta.ts";
import { type Refusal, readWindow, sessionSpan, sessionsTouched, type Window } from "./chart-window.ts";

/** One bar as sent; all null is a row without prices. */
interface SentBar {
  readonly at: number;
  readonly bar: Bar | null;
  readonly adjclose?: number | null;
}

/** `chart.result[0]`, or a refusal. */
export type ChartAnswer = { readonly result: Record<string, unknown> } | { readonly refusal: Refusal };

const WEEK_DAYS = 7;

/** Key of the longer bar a session belongs to: epoch seconds of its start. Weeks start where period1 lies. */
function bucketStart(row: Row, window: Window, zone: string): number {
  const date = Temporal.PlainDate.from(row.session.date);
  if (window.interval === "1mo") return secondsAt(date.with({ day: 1 }).toString(), "00:00", zone);
  if (window.interval === "3mo") {
    const month = date.month - ((date.month - 1) % 3);
    return secondsAt(date.with({ month, day: 1 }).toString(), "00:00", zone);
  }
  const anchor =
    window.range === ""
      ? Temporal.Instant.fromEpochMilliseconds(window.from * 1000).toZonedDateTimeISO(zone).dayOfWeek
      : 1;
  const back = (date.dayOfWeek - anchor + WEEK_DAYS) % WEEK_DAYS;
  return secondsAt(date.subtract({ days: back }).toString(), "00:00", zone);
}

function merge(bars: readonly Bar[]): Bar | null {
  const first = bars[0];
  const last = bars.at(-1);
  if (!first || !last) return null;
  return {
    open: first.open,
    high: Math.max(...bars.map((b) => b.high)),
    low: Math.min(...bars.map((b) => b.low)),
    close: last.close,
    volume: bars.reduce((sum, b) => sum + b.volume, 0),
  };
}

/** Weeks, months and quarters of daily rows; the live day stays a row of its own, as upstream has it. */
function longerBars(rows: readonly Row[], window: Window, zone: string): SentBar[] {
  const groups = new Map<number, Row[]>();
  const settled = rows.filter((row) => !row.live);
  settled.forEach((row, i) => {
    const start =
      window.interval === "5d" ? (settled[i - (i % 5)]?.at ?? row.at) : bucketStart(row, window, zone);
    const group = groups.get(start);
    if (group) group.push(row);
    else groups.set(start, [row]);
  });
  const bars = [...groups].map(([at, group]): SentBar => {
    const traded = group.filter((row) => row.bar);
    return {
      at,
      bar: merge(traded.flatMap((row) => row.bar ?? [])),
      adjclose: traded.at(-1)?.adjclose ?? null,
    };
  });
  return [...bars, ...rows.filter((row) => row.live)];
}

/** Bars of `width` minutes of one stretch of a session, as far as its minutes have ended or begun by now. */
function stretchBars(
  market: Market,
  view: View,
  listing: Listing,
  index: number,
  side: "pre" | "regular" | "post",
  width: number,
): SentBar[] {
  const session = view.history.sessions[index];
  if (!session) return [];
  const [from] = spanOf(session, side);
  const factor = view.factor(index);
  const groups = new Map<number, (Bar | null)[]>();
  for (const { at, bar } of market.minutes(listing, index, side)) {
    if (at + 60 > view.now) break;
    const start = at - ((at - from) % (width * 60));
    const group = groups.get(start);
    if (group) group.push(bar);
    else groups.set(start, [bar]);
  }
  return [...groups].map(([at, group]) => {
    const bar = merge(group.flatMap((b) => b ?? []));
    if (!bar || factor === 1) return { at, bar };
    const { open, high, low, close, volume } = bar;
    const prices = { open: open * factor, high: high * factor, low: low * factor, close: close * factor };
    return { at, bar: { ...prices, volume: Math.round(volume / factor) } };
  });
}

/**
 * The last trade of the newest session in the window, a flat row with volume 0: stamped now while the session
 * runs, at the close once it is over and only regular hours were asked.
 */
function trailingBar(view: View, window: Window, extended: boolean): SentBar[] {
  const last = view.lastTrade();
  if (!last || last.index !== view.lastIndex) return [];
  const { session, bar } = last;
  const over = view.now >= session.close;
  const at = over ? session.close : last.at;
  if (at < window.from || at >= window.to || (over && extended)) return [];
  const { close } = bar;
  return [{ at, bar: { open: close, high: close, low: close, close, volume: 0 } }];
}

function intradayBars(
  market: Market,
  view: View,
  listing: Listing,
  window: Window,
  extended: boolean,
): SentBar[] {
  const width = window.minutes ?? 1;
  const sides = extended ? (["pre", "regular", "post"] as const) : (["regular"] as const);
  const bars = sessionsTouched(view, window).flatMap(({ index }) =>
    sides.flatMap((side) => stretchBars(market, view, listing, index, side, width)),
  );
  const asked = bars.filter(({ at }) => at >= window.from && at < window.to);
  const trailing = trailingBar(view, window, extended).filter(({ at }) => !asked.some((b) => b.at === at));
  return [...asked, ...trailing].sort((a, b) => a.at - b.at);
}

/**
 * Trading periods of an intraday answer: a plain list, or three lists when early and late hours were asked.
 */
function tradingPeriods(view: View, window: Window, zone: string, extended: boolean) {
  const touched = sessionsTouched(view, window);
  const list = (side: "pre" | "regular" | "post") =>
    touched.map(({ session }) => [tradingPeriod(...spanOf(session, side), zone)]);
  return extended ? { pre: list("pre"), post: list("post"), regular: list("regular") } : list("regular");
}

/** Events of the window, of the kinds that were asked for; keyed by the open of the ex session. */
function eventsOf(view: View, window: Window, asked: string): Record<string, Record<string, object>> {
  const kinds = new Set(asked.split(/[|,;]/).map((kind) => kind.trim().toLowerCase()));
  const events: Record<string, Record<string, object>> = {};
  const add = (group: string, at: number, event: object) => {
    events[group] = { ...events[group], [at]: event };
  };
  for (const action of view.actions) {
    const { at } = action;
    if (at < window.from || at >= window.to) continue;
    if (action.kind === "split") {
      if (!kinds.has("split") && !kinds.has("splits")) continue;
      const { numerator, denominator } = action;
      add("splits", at, { date: at, numerator, denominator, splitRatio: `${numerator}:${denominator}` });
    } else if (action.kind === "dividend" && (kinds.has("div") || kinds.has("dividends")))
      add("dividends", at, { amount: action.amount, date: at });
    else if (action.kind === "capital_gain" && kinds.has("capitalgains"))
      add("capitalGains", at, { amount: action.amount, date: at });
  }
  return events;
}

function indicators(bars: readonly SentBar[], intraday: boolean) {
  if (bars.length === 0) return { quote: [{}], ...(!intraday && { adjclose: [{}] }) };
  const column = (name: keyof Bar) => bars.map(({ bar }) => bar?.[name] ?? null);
  const quote = {
    open: column("open"),
    high: column("high"),
    low: column("low"),
    close: column("close"),
    volume: column("volume"),
  };
  return {
    quote: [quote],
    ...(!intraday && { adjclose: [{ adjclose: bars.map((bar) => bar.adjclose ?? null) }] }),
  };
}

/** The answer to a chart request for a symbol that is listed, or a delisted stub. */
export function chartOf(
  market: Market,
  found: Found,
  query: URLSearchParams,
  correct: Correction,
): ChartAnswer {
  const { listing, symbol } = found;
  const { zone, sessions } = market.table(listing);
  if (found.kind === "stub") {
    const today = currentSession(sessions, market.now(), zone);
    const meta = delistedMeta(
      listing,
      symbol,
      market.now(),
      today,
      query.get("interval") ?? "1d",
      query.get("range") ?? "",
    );
    return { result: { meta, indicators: { quote: [{}], adjclose: [{}] } } };
  }
  const view = viewOf(market, listing, symbol, correct);
  const window = readWindow(query, view, zone);
  if ("status" in window) return { refusal: window };
  const intraday = window.minutes !== null;
  const extended = /^(true|1)$/i.test(query.get("includePrePost") ?? "");
  const [first, last] = sessionSpan(view, window);
  const rows = intraday ? [] : view.rows(first, last);
  const bars = intraday
    ? intradayBars(market, view, listing, window, extended)
    : window.interval === "1d"
      ? rows
      : longerBars(rows, window, zone);
  const firstIndex = intraday ? (sessionsTouched(view, window)[0]?.index ?? first) : first;
  const before = view.closeBefore(firstIndex);
  const meta = metaOf(listing, view, {
    symbol,
    zone,
    interval: window.interval,
    range: window.range,
    chartPreviousClose: before,
    ...(intraday && {
      intraday: { previousClose: before, tradingPeriods: tradingPeriods(view, window, zone, extended) },
    }),
  });
  const events = eventsOf(view, window, query.get("events") ?? "");
  return {
    result: {
      meta,
      ...(bars.length > 0 && { timestamp: bars.map((bar) => bar.at) }),
      ...(Object.keys(events).length > 0 && { events }),
      indicators: indicators(bars, intraday),
    },
  };
}
