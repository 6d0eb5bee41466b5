// Daily bars as printed on their day, each computed from (seed, symbol, day) alone: what today is changes
// none of them.
import { type Action, actionsOf, centreOn, ratioOf } from "./actions.ts";
import { type Listing, tickOf } from "./listing.ts";
import { bell, keyOf, uniform, wander } from "./randomness.ts";
import { dayOf, firstAtOrAfter, type Session } from "./sessions.ts";

/** One bar in dollars and shares as printed on the day. */
export interface Bar {
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

/**
 * The trading of a session. `halted`: a row of nulls; `flat`: no trade, row with volume 0; `absent`: no row.
 */
export type Activity = "traded" | "halted" | "flat" | "absent";

/** A listing's life day by day, to the end of the table of sessions; what lies after now is never shown. */
export interface History {
  readonly listing: Listing;
  readonly sessions: readonly Session[];
  readonly activity: readonly Activity[];
  /** null where the session has no prices. */
  readonly bars: readonly (Bar | null)[];
  readonly actions: readonly Action[];
  /** New shares, on each session, for one share of the first session. */
  readonly multiples: Float64Array;
}

const OCTAVES = 11;

/** `price` rounded to whole ticks, never below one. */
export function toTick(price: number, tick: number): number {
  const steps = Math.max(1, Math.round(price / tick));
  // Division by the whole number of ticks a dollar holds gives the double nearest to the decimal.
  return steps / Math.round(1 / tick);
}

/**
 * Shares a listing trades on `day`, in hundreds, as its bars say; for callers that need only the volume of
 * many listings.
 */
export function volumeOn(listing: Listing, seed: number, day: number): number {
  return drawVolume(listing, keyOf(seed, `volume ${listing.symbol}`), day);
}

function drawVolume(listing: Listing, key: number, day: number): number {
  const shares = listing.volumeADay ?? listing.dollarsADay / centreOn(listing, day);
  const volume = Math.round((shares * Math.exp(0.35 * bell(key, day))) / 100) * 100;
  return shares === 0 ? 0 : Math.max(100, volume);
}

/**
 * The bar of a session with trades. High and low stay six ticks clear of open and close, for the live bar to
 * differ.
 */
function tradedBar(listing: Listing, keys: BarKeys, day: number): Bar {
  const tick = tickOf(listing);
  const { volatility } = listing;
  const centre = centreOn(listing, day);
  const close = toTick(centre * Math.exp(volatility * 0.55 * wander(keys.path, day, OCTAVES)), tick);
  const open = toTick(close * Math.exp(-volatility * 0.7 * bell(keys.body, day)), tick);
  const reach = (n: number) => 1 + volatility * 0.5 * Math.abs(bell(keys.reach, day * 2 + n));
  const high = toTick(Math.max(open, close) * reach(0) + 6 * tick, tick);
  const low = toTick(Math.min(open, close) / reach(1) - 6 * tick, tick);
  return { open, high, low, close, volume: drawVolume(listing, keys.volume, day) };
}

type BarKeys = Record<"path" | "body" | "reach" | "volume" | "quiet", number>;

function keysOf(listing: Listing, seed: number): BarKeys {
  const key = (what: string) => keyOf(seed, `${what} ${listing.symbol}`);
  return {
    path: key("path"),
    body: key("body"),
    reach: key("reach"),
    volume: key("volume"),
    quiet: key("quiet"),
  };
}

/** The listing's sessions of a table: from its first day to its last. */
function listingPeriodOf(listing: Listing, sessions: readonly Session[]): readonly Session[] {
  const from = listing.firstDate ? firstAtOrAfter(sessions, "day", dayOf(listing.firstDate)) : 0;
  const to = listing.lastDate
    ? firstAtOrAfter(sessions, "day", dayOf(listing.lastDate) + 1)
    : sessions.length;
  return sessions.slice(from, to);
}

function activityOn(listing: Listing, quietKey: number, session: Session, before?: Session): Activity {
  if (listing.haltOn) {
    const halt = dayOf(`${session.date.slice(0, 4)}-${listing.haltOn}`);
    if (session.day >= halt && before && before.day < halt) return "halted";
  }
  const chance = uniform(quietKey, session.day);
  if (chance >= listing.quietDays) return "traded";
  return chance < listing.quietDays * 0.6 ? "flat" : "absent";
}

/**
 * The whole life of a listing over a table of sessions. About a millisecond for ten years. `earlier`: the
 * sessions just before the table, whose last trade a day without trades repeats; a listing that began within
 * the table has none.
 */
export function historyOf(
  listing: Listing,
  seed: number,
  table: readonly Session[],
  earlier: readonly Session[] = [],
): History {
  const sessions = listingPeriodOf(listing, table);
  const keys = keysOf(listing, seed);
  const lastTrade =
    sessions[0] === table[0]
      ? listingPeriodOf(listing, earlier).findLast(
          (session) => activityOn(listing, keys.quiet, session) === "traded",
        )
      : undefined;
  const actions = actionsOf(listing, seed, sessions);
  const activity = sessions.map((session, i) => activityOn(listing, keys.quiet, session, sessions[i - 1]));
  let previous: Bar | null = lastTrade ? tradedBar(listing, keys, lastTrade.day) : null;
  const bars = sessions.map((session, i): Bar | null => {
    const today = activity[i];
    if (today === "halted" || today === "absent") return null;
    if (today === "flat") {
      const close: number = (previous ?? tradedBar(listing, keys, session.day)).close;
      return { open: close, high: close, low: close, close, volume: 0 };
    }
    previous = tradedBar(listing, keys, session.day);
    return previous;
  });
  const multiples = new Float64Array(sessions.length).fill(1);
  for (const action of actions)
    if (action.kind === "split")
      for (let i = action.index; i < multiples.length; i++)
        multiples[i] = (multiples[i] ?? 1) * ratioOf(action);
  return { listing, sessions, activity, bars, actions, multiples };
}

/** The bar of any day on which a listing trades, without its history. */
export const printedOn = (listing: Listing, seed: number, day: number): Bar =>
  tradedBar(listing, keysOf(listing, seed), day);
