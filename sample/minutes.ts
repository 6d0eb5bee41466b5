// The minutes of one session as printed, made to fit its daily bar exactly: first open, last close, highest
// high, lowest low and the sum of volumes are those of the bar. Minutes before and after the session carry
// volume 0.
import { tickOf } from "./listing.ts";
import { type Bar, type History, toTick } from "./prices.ts";
import { bell, keyOf, uniform, wander } from "./randomness.ts";
import type { Session } from "./sessions.ts";

/**
 * One minute; `at` is its start, epoch seconds. Without a trade it is absent, or `bar` is null as upstream
 * sends it.
 */
export interface Minute {
  readonly at: number;
  readonly bar: Bar | null;
}

const MINUTE_S = 60;
const PATH_OCTAVES = 6;

/** Ticks by which closes stay clear of the day's high and low, fewer than open and close do. */
const CLEAR_TICKS = 5;

/** Closes of `count` minutes from the open to the close of the day, kept within its high and low. */
function pathOf(day: Bar, key: number, count: number, tick: number): Float64Array {
  const path = new Float64Array(count);
  const swing = (Math.log(day.high / day.low) || 0) * 0.03;
  const trend = Math.log(day.close / day.open);
  const last = wander(key, count, PATH_OCTAVES);
  const first = wander(key, 0, PATH_OCTAVES);
  const highest = toTick(day.high - CLEAR_TICKS * tick, tick);
  const lowest = toTick(day.low + CLEAR_TICKS * tick, tick);
  for (let i = 0; i < count; i++) {
    const part = (i + 1) / count;
    // A bridge: the wandering less its own straight line is zero at both ends.
    const bridge = wander(key, i + 1, PATH_OCTAVES) - first - (last - first) * part;
    const price = day.open * Math.exp(trend * part + swing * bridge);
    path[i] = Math.min(highest, Math.max(lowest, toTick(price, tick)));
  }
  path[count - 1] = day.close;
  return path;
}

/** Which minutes trade: the first and the last always do, and so do those that reach the high and the low. */
function tradedMinutes(key: number, count: number, empty: number, always: readonly number[]): Uint8Array {
  const traded = new Uint8Array(count);
  for (let i = 0; i < count; i++) traded[i] = uniform(key, i) < empty ? 0 : 1;
  for (const i of always) traded[i] = 1;
  return traded;
}

/**
 * Shares traded by the end of each minute: busy at both ends of the day, whole numbers, the day's volume at
 * last.
 */
function volumeBy(day: Bar, key: number, traded: Uint8Array): Float64Array {
  const count = traded.length;
  const running = new Float64Array(count);
  let sum = 0;
  for (let i = 0; i < count; i++) {
    const fromMiddle = (2 * i) / count - 1;
    if (traded[i]) sum += (0.5 + fromMiddle * fromMiddle * 1.5) * (0.4 + uniform(key, i));
    running[i] = sum;
  }
  for (let i = 0; i < count; i++) running[i] = Math.round((day.volume * (running[i] ?? 0)) / sum);
  return running;
}

/** The minutes of the regular session `index`; none where nothing traded. */
export function regularMinutes(history: History, seed: number, index: number): Minute[] {
  const { listing } = history;
  const session = history.sessions[index];
  const day = history.bars[index];
  if (!session || !day || history.activity[index] !== "traded") return [];
  const key = keyOf(seed, `minutes ${listing.symbol} ${session.date}`);
  const count = Math.max(1, Math.floor((session.close - session.open) / MINUTE_S));
  const tick = tickOf(listing);
  const path = pathOf(day, key, count, tick);
  const highest = path.indexOf(Math.max(...path));
  const lowest = path.indexOf(Math.min(...path));
  const traded = tradedMinutes(key + 2, count, listing.emptyMinutes, [0, count - 1, highest, lowest]);
  const volumes = volumeBy(day, key + 3, traded);
  const minutes: Minute[] = [];
  let before = day.open;
  for (let i = 0; i < count; i++) {
    const at = session.open + i * MINUTE_S;
    if (!traded[i]) {
      if (uniform(key + 4, i) < 0.5) minutes.push({ at, bar: null });
      continue;
    }
    const close = path[i] ?? before;
    const reach = listing.volatility * 0.02;
    const high =
      i === highest ? day.high : Math.max(before, close) * (1 + reach * Math.abs(bell(key + 5, i)));
    const low = i === lowest ? day.low : Math.min(before, close) / (1 + reach * Math.abs(bell(key + 6, i)));
    const volume = (volumes[i] ?? 0) - (i === 0 ? 0 : (volumes[i - 1] ?? 0));
    minutes.push({
      at,
      bar: {
        open: before,
        high: Math.min(day.high, toTick(high, tick)),
        low: Math.max(day.low, toTick(low, tick)),
        close,
        volume,
      },
    });
    before = close;
  }
  return minutes;
}

/**
 * The minutes with trades before (`pre`) or after (`post`) session `index`, near its open or close; volume
 * always 0.
 */
export function extendedMinutes(
  history: History,
  seed: number,
  index: number,
  side: "pre" | "post",
): Minute[] {
  const session = history.sessions[index];
  const day = history.bars[index];
  if (!session || !day || history.activity[index] !== "traded") return [];
  const { listing } = history;
  // Thin listings do not trade outside the session.
  if (listing.emptyMinutes > 0.5) return [];
  const [from, to] = spanOf(session, side);
  const key = keyOf(seed, `${side} ${listing.symbol} ${session.date}`);
  const tick = tickOf(listing);
  const anchor = side === "pre" ? day.open : day.close;
  const priceAt = (i: number) => toTick(anchor * (1 + 0.0004 * wander(key, i, PATH_OCTAVES)), tick);
  const minutes: Minute[] = [];
  for (let at = from, i = 0; at < to; at += MINUTE_S, i++) {
    if (uniform(key, i) < 0.5) continue;
    const [open, close] = [priceAt(i), priceAt(i + 1)];
    const bar = { open, high: Math.max(open, close), low: Math.min(open, close), close, volume: 0 };
    minutes.push({ at, bar });
  }
  return minutes;
}

/** Start and end of early or late trading. */
export function spanOf(session: Session, side: "pre" | "regular" | "post"): [from: number, to: number] {
  if (side === "pre") return [session.pre, session.open];
  return side === "regular" ? [session.open, session.close] : [session.close, session.post];
}
