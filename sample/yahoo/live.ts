// The newest bar: live while the session runs and for hours after it, provisional until the next session
// opens.
import { tickOf } from "../listing.ts";
import type { Market } from "../market.ts";
import { type Bar, type History, toTick } from "../prices.ts";
import { keyOf, uniform } from "../randomness.ts";
import type { Session } from "../sessions.ts";

/** Share of the final volume that the live feed counts. */
const LIVE_VOLUME = 0.979;
/** Late trades keep the live bar open for an hour after the last session of the day. */
const SETTLING_S = 3600;

/** A bar times `factor`: shares the other way round, in whole ones. */
export function rescale(bar: Bar, factor: number): Bar {
  if (factor === 1) return bar;
  const { open, high, low, close, volume } = bar;
  return {
    open: open * factor,
    high: high * factor,
    low: low * factor,
    close: close * factor,
    volume: Math.round(volume / factor),
  };
}

/** From when on the day's bar is the settled one. */
export function settledFrom(session: Session): number {
  return session.post > session.close ? session.post + SETTLING_S : session.close + 60;
}

/** The volume of the evening: a little short of the one the next morning brings, in hundreds like it. */
export function eveningVolume(volume: number): number {
  return volume < 1000 ? volume : volume - 100 * Math.ceil(volume * 5e-6);
}

/**
 * The live bar of session `index` as printed, from the minutes that have begun; null while nothing has
 * traded.
 */
export function liveBar(
  market: Market,
  history: History,
  index: number,
  now: number,
): { bar: Bar; at: number } | null {
  const { listing } = history;
  const session = history.sessions[index];
  const day = history.bars[index];
  if (!session || !day) return null;
  const traded = market.minutes(listing, index, "regular").filter((m) => m.at <= now);
  const key = keyOf(market.seed, `live ${listing.symbol} ${session.date}`);
  const tick = tickOf(listing);
  const steps = (n: number) => (1 + Math.floor(uniform(key, n) * 5)) * tick;
  const open = toTick(day.open + (uniform(key, 0) < 0.5 ? -1 : 1) * steps(1), tick);
  let [high, low, close, volume, at] = [open, open, open, 0, 0];
  for (const minute of traded) {
    if (!minute.bar) continue;
    const elapsed = Math.min(1, (now - minute.at) / 60);
    volume += Math.floor(minute.bar.volume * elapsed);
    at = Math.min(now, minute.at + 59);
    // The running minute has only opened; its high, low and close are still to come.
    close = elapsed < 1 ? minute.bar.open : minute.bar.close;
    high = Math.max(high, close, elapsed < 1 ? 0 : toTick(minute.bar.high - steps(2), tick));
    low = Math.min(low, close, elapsed < 1 ? low : toTick(minute.bar.low + steps(3), tick));
  }
  if (at === 0) return null;
  if (now >= session.close) at = session.close + 1;
  return { bar: { open, high, low, close, volume: Math.floor(volume * LIVE_VOLUME) }, at };
}
