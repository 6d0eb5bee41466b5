// Snapshots of the brokerage feed, of its single exchange: the map itself, null for a symbol it has nothing
// of.
import type { Market } from "../market.ts";
import { secondsAt } from "../sessions.ts";
import { viewOf } from "../view.ts";
import { sentBar } from "./bars.ts";
import type { Holder } from "./holders.ts";

const ZONE = "America/New_York";
const stamp = (seconds: number) => Temporal.Instant.fromEpochMilliseconds(seconds * 1000).toString();
const cents = (price: number) => Math.round(price * 100) / 100;

/** The newest minute that has ended, whichever part of the day it lies in. */
function newestMinute(market: Market, { listing }: Holder, index: number, now: number) {
  for (const side of ["post", "regular", "pre"] as const) {
    const found = market.minutes(listing, index, side).findLast(({ at, bar }) => bar && at + 60 <= now);
    if (found?.bar) return { at: found.at, bar: { ...found.bar, volume: Math.max(100, found.bar.volume) } };
  }
  return null;
}

export function snapshotOf(market: Market, holder: Holder): Record<string, unknown> | null {
  const view = viewOf(market, holder.listing, holder.symbol, () => undefined);
  const last = view.lastTrade();
  if (!last || holder.listing.lastDate) return null;
  const day = (index: number) => {
    const [row] = view.rows(index, index);
    if (!row?.bar || row.bar.volume === 0) return undefined;
    return sentBar(secondsAt(row.session.date, "00:00", ZONE), row.bar, "iex");
  };
  const earlier = view.rows(0, last.index - 1).findLast((row) => row.bar && row.bar.volume > 0);
  const minute = newestMinute(market, holder, last.index, view.now);
  const traded = minute ?? { at: last.at, bar: last.bar };
  const [price, at] = [traded.bar.close, Math.min(view.now, traded.at + 59)];
  const step = Math.max(0.01, cents(price * 0.0002));
  return {
    latestTrade: {
      t: `${stamp(at).slice(0, -1)}.123456789Z`,
      x: "V",
      p: price,
      s: 100,
      c: ["@"],
      i: at % 100_000,
      z: "C",
    },
    latestQuote: {
      t: stamp(at),
      ax: "V",
      ap: cents(price + step),
      as: 200,
      bx: "V",
      bp: cents(price - step),
      bs: 300,
      c: ["R"],
      z: "C",
    },
    // A part the exchange has nothing of is left out.
    ...(minute ? { minuteBar: sentBar(minute.at, minute.bar, "iex") } : {}),
    ...(day(last.index) ? { dailyBar: day(last.index) } : {}),
    ...(earlier ? { prevDailyBar: day(earlier.index) } : {}),
  };
}
