// Shows a history at one moment, the provider's way: rescaled by the splits of the moment, the running
// session as a live bar, the last one provisional until the next opens.
import { type Action, ratioOf } from "./actions.ts";
import type { Listing } from "./listing.ts";
import type { Market } from "./market.ts";
import type { Bar, History } from "./prices.ts";
import { lastOpenedBy, type Session } from "./sessions.ts";
import { eveningVolume, liveBar, rescale, settledFrom } from "./yahoo/live.ts";

/** A test's replacement of a session's bar: null for a row of nulls, or other values as printed. */
export type Correction = (symbol: string, date: string) => Partial<Bar> | null | undefined;

/** One daily row as sent; `at` is its timestamp: the open, or the last trade while it is live. */
export interface Row {
  readonly index: number;
  readonly session: Session;
  readonly at: number;
  readonly bar: Bar | null;
  readonly adjclose: number | null;
  readonly live: boolean;
}

/** The last trade and the running session's figures, rescaled; they stand in `meta` and in quotes. */
export interface LastTrade {
  readonly index: number;
  readonly session: Session;
  readonly at: number;
  readonly bar: Bar;
}

/** A listing seen at `now`. */
export interface View {
  readonly history: History;
  readonly now: number;
  /** The newest session that has opened; -1 before the first. */
  readonly lastIndex: number;
  /** Dividends, splits and gains that have happened, amounts on the basis of now. */
  readonly actions: readonly Action[];
  /** Returns the factor that brings a printed price of session `index` to the basis of now. */
  factor(index: number): number;
  /** Daily rows of the sessions from index `from` to `to`, both included. */
  rows(from: number, to: number): Row[];
  /** Close of the newest session before `index` that has one, on the basis of now. */
  closeBefore(index: number): number | null;
  lastTrade(): LastTrade | null;
}

/** Actions that have happened by `now`, their amounts divided by the splits since. */
function seenActions(history: History, now: number, basis: number): Action[] {
  return history.actions
    .filter((action) => action.at <= now)
    .map((action) =>
      action.kind === "split"
        ? action
        : { ...action, amount: action.amount * ((history.multiples[action.index] ?? 1) / basis) },
    );
}

/** The settled bar as printed, or as corrected. */
function printedBar(history: History, symbol: string, correct: Correction, index: number): Bar | null {
  const bar = history.bars[index] ?? null;
  const other = correct(symbol, history.sessions[index]?.date ?? "");
  return other === undefined || !bar ? bar : other && { ...bar, ...other };
}

/**
 * Returns the fraction of a close before each ex session that is left after the money paid out on it, by
 * index.
 */
function keptParts(
  actions: readonly Action[],
  closeBefore: (index: number) => number | null,
): Map<number, number> {
  const kept = new Map<number, number>();
  for (const action of actions) {
    const before = action.kind === "split" ? null : closeBefore(action.index);
    if (action.kind === "split" || before === null) continue;
    kept.set(action.index, (kept.get(action.index) ?? 1) - action.amount / before);
  }
  return kept;
}

type Sight = Pick<View, "history" | "now" | "lastIndex" | "actions" | "factor">;

/** Looks at a listing at this moment. `correct` is what the dials put in place of its own bars. */
export function viewOf(market: Market, listing: Listing, symbol: string, correct: Correction): View {
  const history = market.history(listing);
  const now = market.now();
  const basis = history.actions.reduce((b, a) => (a.kind === "split" && a.at <= now ? b * ratioOf(a) : b), 1);
  const sight: Sight = {
    history,
    now,
    lastIndex: lastOpenedBy(history.sessions, now),
    actions: seenActions(history, now, basis),
    factor: (index) => (history.multiples[index] ?? 1) / basis,
  };
  const printed = (index: number) => printedBar(history, symbol, correct, index);
  const closeBefore = (index: number): number | null => {
    for (let i = index - 1; i >= 0; i--) {
      const bar = printed(i);
      if (bar) return bar.close * sight.factor(i);
    }
    return null;
  };
  const live = (index: number): { bar: Bar; at: number } | null => {
    const seen = liveBar(market, history, index, now);
    return seen && { bar: rescale(seen.bar, sight.factor(index)), at: seen.at };
  };
  const isCorrected = (session: Session) => correct(symbol, session.date) !== undefined;
  const bars = { printed, live, isCorrected };
  const kept = keptParts(sight.actions, closeBefore);
  return {
    ...sight,
    closeBefore,
    rows: (from, to) => rowsOf(sight, bars, kept, from, to),
    lastTrade() {
      for (let i = sight.lastIndex; i >= 0; i--) {
        const session = history.sessions[i];
        const seen = history.activity[i] === "traded" ? live(i) : null;
        if (seen && session) return { index: i, session, at: seen.at, bar: seen.bar };
      }
      return null;
    },
  };
}

/** Where the bars of a view come from. */
interface Bars {
  printed(index: number): Bar | null;
  live(index: number): { bar: Bar; at: number } | null;
  isCorrected(session: Session): boolean;
}

/** The row of session `index`, its timestamp and bar, or null where there is none. */
function barAt(sight: Sight, bars: Bars, index: number): Pick<Row, "at" | "bar" | "live"> | null {
  const { history, now } = sight;
  const session = history.sessions[index];
  if (!session || history.activity[index] === "absent") return null;
  const at = session.open;
  if (history.activity[index] === "halted") return { at, bar: null, live: false };
  if (now < settledFrom(session) && !bars.isCorrected(session)) {
    const seen = bars.live(index);
    return seen && { ...seen, live: true };
  }
  const bar = bars.printed(index);
  if (!bar) return { at, bar, live: false };
  const next = history.sessions[index + 1];
  const settled = next && now >= next.open ? bar : { ...bar, volume: eveningVolume(bar.volume) };
  return { at, bar: rescale(settled, sight.factor(index)), live: false };
}

function rowsOf(
  sight: Sight,
  bars: Bars,
  kept: ReadonlyMap<number, number>,
  from: number,
  to: number,
): Row[] {
  let adjustment = 1;
  for (const [index, part] of kept) if (index > to) adjustment *= part;
  const rows: Row[] = [];
  for (let index = Math.min(to, sight.lastIndex); index >= Math.max(0, from); index--) {
    const session = sight.history.sessions[index];
    const seen = barAt(sight, bars, index);
    if (session && seen)
      rows.push({ index, session, ...seen, adjclose: seen.bar && seen.bar.close * adjustment });
    adjustment *= kept.get(index) ?? 1;
  }
  return rows.reverse();
}
