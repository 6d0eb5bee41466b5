// Bars of the brokerage feed: many symbols, one after the other, in pages; raw, split-adjusted or fully
// adjusted.
import type { Market } from "../market.ts";
import { spanOf } from "../minutes.ts";
import type { Bar } from "../prices.ts";
import { dayOf, firstAtOrAfter, secondsAt } from "../sessions.ts";
import { viewOf } from "../view.ts";
import type { Holder } from "./holders.ts";

export interface SentBar {
  readonly t: string;
  readonly o: number;
  readonly h: number;
  readonly l: number;
  readonly c: number;
  readonly v: number;
  readonly n: number;
  readonly vw: number;
}

export interface BarsAsk {
  /** Minutes of a bar; null for a day. */
  readonly minutes: number | null;
  /** Epoch seconds, both inclusive. */
  readonly from: number;
  readonly to: number;
  readonly adjustment: "raw" | "split" | "all";
  readonly feed: "sip" | "iex";
}

const ZONE = "America/New_York";
/** The single exchange sees so much of all trading. */
const IEX_SHARE = 0.03;
/** This market counts no shares outside the session, and the feed has no bar without a trade. */
const EXTENDED_VOLUME = 100;

const stamp = (seconds: number) => Temporal.Instant.fromEpochMilliseconds(seconds * 1000).toString();

/** Adjusted prices come in cents, below a dollar in hundredths of one. */
const rounded = (price: number) =>
  price >= 1 ? Math.round(price * 100) / 100 : Math.round(price * 1e4) / 1e4;

/** A bar as sent. */
export function sentBar(at: number, bar: Bar, feed: "sip" | "iex"): SentBar {
  const volume = feed === "iex" ? Math.max(1, Math.round(bar.volume * IEX_SHARE)) : bar.volume;
  return {
    t: stamp(at),
    o: bar.open,
    h: bar.high,
    l: bar.low,
    c: bar.close,
    v: volume,
    n: Math.max(1, Math.round(volume / 90)),
    vw: Math.round(((bar.high + bar.low + bar.close) / 3) * 1e6) / 1e6,
  };
}

function scaled(bar: Bar, price: number, shares: number): Bar {
  const of = (value: number) => (price === 1 ? value : rounded(value * price));
  return {
    open: of(bar.open),
    high: of(bar.high),
    low: of(bar.low),
    close: of(bar.close),
    volume: shares === 1 ? bar.volume : Math.round(bar.volume * shares),
  };
}

/** A price to ten digits: what rescaling there and back leaves of a printed one. */
const clean = (price: number) => Number(price.toPrecision(10));

/** The bar as printed, of one on the basis of now. */
function printed(bar: Bar, factor: number): Bar {
  if (factor === 1) return bar;
  const { open, high, low, close, volume } = bar;
  return {
    open: clean(open / factor),
    high: clean(high / factor),
    low: clean(low / factor),
    close: clean(close / factor),
    volume: Math.round(volume * factor),
  };
}

function dailyBars(market: Market, { listing, symbol, from, to }: Holder, ask: BarsAsk): SentBar[] {
  const view = viewOf(market, listing, symbol, () => undefined);
  const { sessions } = view.history;
  const firstDay = Math.max(dayOf(stamp(ask.from).slice(0, 10)) - 1, from > "1900-01-01" ? dayOf(from) : 0);
  const lastDay = Math.min(dayOf(stamp(ask.to).slice(0, 10)) + 1, to < "9999-01-01" ? dayOf(to) : 1e6);
  const rows = view.rows(
    firstAtOrAfter(sessions, "day", firstDay),
    firstAtOrAfter(sessions, "day", lastDay + 1) - 1,
  );
  return rows.flatMap(({ index, session, bar, adjclose }) => {
    const at = secondsAt(session.date, "00:00", ZONE);
    // Without a trade there is no bar here, where others send a flat row or one of nulls.
    if (!bar || bar.volume === 0 || at < ask.from || at > ask.to) return [];
    const factor = view.factor(index);
    const raw = printed(bar, factor);
    const paid = adjclose === null ? 1 : adjclose / bar.close;
    const [price, shares] =
      ask.adjustment === "raw" ? [1, 1] : [ask.adjustment === "all" ? factor * paid : factor, 1 / factor];
    return [sentBar(at, scaled(raw, price, shares), ask.feed)];
  });
}

function merge(bars: readonly Bar[]): Bar | null {
  const [first, last] = [bars[0], bars.at(-1)];
  if (!first || !last) return null;
  return {
    open: first.open,
    high: Math.max(...bars.map((bar) => bar.high)),
    low: Math.min(...bars.map((bar) => bar.low)),
    close: last.close,
    volume: bars.reduce((sum, bar) => sum + bar.volume, 0),
  };
}

/**
 * Bars within the day on the clock's own grid: an hour begins at the hour, so that of the open holds
 * pre-market too.
 */
function minuteBars(market: Market, holder: Holder, ask: BarsAsk, width: number): SentBar[] {
  const { listing, symbol } = holder;
  const view = viewOf(market, listing, symbol, () => undefined);
  const groups = new Map<number, Bar[]>();
  for (const [index, session] of view.history.sessions.entries()) {
    if (session.post < ask.from || session.pre > Math.min(ask.to, view.now)) continue;
    if (session.date < holder.from || session.date > holder.to) continue;
    const factor = ask.adjustment === "raw" ? 1 : view.factor(index);
    for (const side of ["pre", "regular", "post"] as const) {
      if (spanOf(session, side)[0] > view.now) continue;
      for (const { at, bar } of market.minutes(listing, index, side)) {
        if (!bar || at + 60 > view.now) continue;
        const start = at - (at % (width * 60));
        if (start < ask.from || start > ask.to) continue;
        const traded = side === "regular" ? bar : { ...bar, volume: EXTENDED_VOLUME };
        const group = groups.get(start);
        const own = scaled(traded, factor, 1 / factor);
        if (group) group.push(own);
        else groups.set(start, [own]);
      }
    }
  }
  return [...groups]
    .sort(([a], [b]) => a - b)
    .flatMap(([at, group]) => {
      const bar = merge(group);
      return bar && bar.volume > 0 ? [sentBar(at, bar, ask.feed)] : [];
    });
}

/** All bars of one bearer that are asked for, oldest first. */
export const barsOf = (market: Market, holder: Holder, ask: BarsAsk): SentBar[] =>
  ask.minutes === null ? dailyBars(market, holder, ask) : minuteBars(market, holder, ask, ask.minutes);
