// Draws how much of each listing's volume was reported off the exchanges on a day, and how much of that was
// sold short.
import { fromYahoo, toFinra } from "../../src/market/spelling.ts";
import type { Listing } from "../listing.ts";
import type { Market } from "../market.ts";
import { volumeOn } from "../prices.ts";
import { bell, keyOf, uniform, wander } from "../randomness.ts";
import type { Session } from "../sessions.ts";

/** From this day on volumes have six decimals. */
const FRACTIONS_FROM = "2024-01-02";
/** Share of a facility's volume in the whole, by the code in its lines. */
const PARTS = { N: 0.21, B: 0.08 } as const;
/** Prints of the exchanges' own tests: they stand in every file. */
const TEST_SYMBOLS = ["NTEST.A", "ZBZX", "ZTEST", "ZVZZT", "ZXZZT"] as const;

/** Lines that belong to no listing of the price provider. `from` and `to` are `MM-DD` of every year. */
const STRAYS: readonly { readonly symbol: string; readonly from: string; readonly to: string }[] = [
  // An ordinary share whose letters are those of the preferred ZORPpA.
  { symbol: "ZORPPA", from: "01-01", to: "12-31" },
  { symbol: "TRELBw", from: "06-01", to: "06-20" },
  { symbol: "KRONKr", from: "11-03", to: "11-28" },
  // A suffix that is nothing the tape's convention knows.
  { symbol: "QUIB/R", from: "03-01", to: "03-31" },
];

export interface Line {
  readonly symbol: string;
  readonly short: number;
  readonly exempt: number;
  readonly total: number;
  readonly market: string;
}

const isOver = (listing: Listing) => listing.exchange === "PNK";
const isShare = ({ type, hours }: Listing) => hours === "us" && (type === "EQUITY" || type === "ETF");

/** Its symbol on a day in the tape's spelling; null when it did not trade under any. */
export function tapeSymbol(listing: Listing, date: string): string | null {
  if ((listing.firstDate && date < listing.firstDate) || (listing.lastDate && date > listing.lastDate))
    return null;
  const { formerly } = listing;
  const symbol = fromYahoo(formerly && date <= formerly.until ? formerly.symbol : listing.symbol);
  return symbol === null ? null : toFinra(symbol);
}

/** Shares printed on the day, as its bars have them; 0 where it did not trade. */
function volumeOf(market: Market, listing: Listing, session: Session): number {
  // Without idle days the volume follows from the day alone; a whole history for each of thousands would take
  // long.
  if (listing.quietDays === 0 && !listing.haltOn) return volumeOn(listing, market.seed, session.day);
  const history = market.history(listing);
  const index = history.sessions.findIndex(({ day }) => day === session.day);
  return history.bars[index]?.volume ?? 0;
}

const round = (shares: number, date: string) =>
  date < FRACTIONS_FROM ? Math.round(shares) : Math.round(shares * 1e6) / 1e6;

/**
 * Draws a security's line. The share reported off the exchanges and the share sold short are habits of each
 * security that drift slowly.
 */
function lineOf(key: number, symbol: string, volume: number, session: Session, market: string): Line {
  const { date, day } = session;
  const off = 0.33 + 0.12 * uniform(key, -1) + 0.06 * (2 * uniform(key, day * 4) - 1);
  const total = round(volume * off, date);
  const part = 0.36 + 0.2 * uniform(key, -2) + 0.006 * wander(key, day, 6) + 0.03 * bell(key + 1, day);
  const short = round(total * part, date);
  return { symbol, short, exempt: Math.floor(short * 0.01 * uniform(key, day * 4 + 2)), total, market };
}

/**
 * All lines of a session in any order, of listed securities or (`overCounter`) of those traded over the
 * counter.
 */
export function linesOn(market: Market, session: Session, overCounter: boolean): Line[] {
  const lines: Line[] = [];
  for (const listing of market.listings()) {
    if (!isShare(listing) || isOver(listing) !== overCounter) continue;
    const symbol = tapeSymbol(listing, session.date);
    const volume = symbol === null ? 0 : volumeOf(market, listing, session);
    if (symbol === null || volume === 0) continue;
    const key = keyOf(market.seed, `short ${listing.symbol}`);
    lines.push(
      lineOf(key, symbol, volume, session, overCounter ? "O" : listing.dollarsADay > 5e7 ? "B,Q,N" : "Q,N"),
    );
  }
  if (overCounter) return lines;
  const monthDay = session.date.slice(5);
  for (const { symbol, from, to } of STRAYS)
    if (monthDay >= from && monthDay <= to)
      lines.push(lineOf(keyOf(market.seed, `short ${symbol}`), symbol, 40_000, session, "Q"));
  return lines;
}

/** Lines of the exchanges' tests. */
export const testLines = (market: Market, session: Session): Line[] =>
  TEST_SYMBOLS.map((symbol) => lineOf(keyOf(market.seed, `short ${symbol}`), symbol, 5_000, session, "Q"));

/** The part of a line that one facility reported; null where it reported none. */
export function partOf(line: Line, code: "Q" | "N" | "B", date: string): Line | null {
  if (!line.market.includes(code)) return null;
  const share = (of: "N" | "B") => (line.market.includes(of) ? PARTS[of] : 0);
  const part = code === "Q" ? 1 - share("N") - share("B") : share(code);
  const of = (shares: number) => round(shares * part, date);
  return {
    ...line,
    short: of(line.short),
    exempt: Math.floor(line.exempt * part),
    total: of(line.total),
    market: code,
  };
}

/** A figure as the files of that day write it. */
export const written = (shares: number, date: string) =>
  date < FRACTIONS_FROM ? String(shares) : shares.toFixed(6);
