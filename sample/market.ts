// The sample market: a small fictional exchange that never changes its mind. Everything follows from the
// seed; the clock only says how much of it can be seen. Nothing is computed before it is asked for.
import { LRUCache } from "lru-cache";
import type { Calendar } from "../src/market/calendar.ts";
import type { Clock } from "../src/platform/clock.ts";
import { COMPANIES } from "./companies.ts";
import { type Listing, NUMBERED_MAX, numberedIndex, numberedListing, numberedSymbol } from "./listing.ts";
import { extendedMinutes, type Minute, regularMinutes } from "./minutes.ts";
import { type History, historyOf } from "./prices.ts";
import { dateAt, exchangeSessions, type SessionTable, wholeDaySessions } from "./sessions.ts";

export interface MarketOptions {
  readonly clock: Clock;
  readonly calendar: Calendar;
  /** Whole number; another seed is another market. */
  readonly seed: number;
  /** The first session lies in the year that many years before the one in which the market starts. */
  readonly years: number;
  /** Listings in all; beyond those with names of their own they are numbered (`ZQAAA`, …). */
  readonly symbols: number;
}

/** The security behind a symbol at this moment. */
export type Found =
  | { readonly kind: "listed"; readonly symbol: string; readonly listing: Listing }
  | { readonly kind: "stub"; readonly symbol: string; readonly listing: Listing };

export interface Market {
  /** Epoch seconds, whole. */
  now(): number;
  /** Every symbol that is listed now, those with names first. */
  symbols(): string[];
  /** Every listing there was, is or will be. */
  listings(): readonly Listing[];
  /**
   * The listing behind a symbol in the provider's spelling, in either case; null: unknown, or gone by now.
   */
  find(symbol: string): Found | null;
  /** As `find`, on another day than today. */
  findOn(symbol: string, date: string): Found | null;
  /** The listing that has or once had a symbol, delisted or not. */
  listing(symbol: string): Listing | null;
  /** Its whole life as printed, the future included: use view.ts for what can be seen. */
  history(listing: Listing): History;
  /** Minutes of a session as printed. */
  minutes(listing: Listing, index: number, side: "pre" | "regular" | "post"): readonly Minute[];
  /** The table of the listing's kind of market. */
  table(listing: Listing): SessionTable;
  readonly seed: number;
}

/** Listings whose daily bars are kept ready: about 250 KB each at ten years. */
const HISTORIES_MAX = 600;
/** Sessions whose minutes are kept ready: about 40 KB each. */
const MINUTES_MAX = 600;
/** Symbols for a newcomer to try: a company with a 4:1 split, a share class, a fund. */
export const SUGGESTED = ["ZORP", "QUIB-B", "SMPLF"] as const;

/** Tables of sessions up to early next year; the next year's are made when the clock gets there. */
function tablesOf(calendar: Calendar, firstYear: number, year: number): Tables {
  const from = `${firstYear}-01-01`;
  const start = from < calendar.firstDate ? calendar.firstDate : from;
  const to = `${year + 1}-02-15`;
  const end = to > calendar.lastDate ? calendar.lastDate : to;
  return tablesBetween(calendar, start, end);
}

type Tables = Record<Listing["hours"], SessionTable>;

/** Tables of the sessions of the two months before the market starts. */
function earlierTables(calendar: Calendar, firstYear: number): Tables {
  const [start, end] = [`${firstYear - 1}-11-01`, `${firstYear - 1}-12-31`];
  return tablesBetween(calendar, start, end);
}

function tablesBetween(calendar: Calendar, start: string, end: string): Tables {
  return {
    us: exchangeSessions(calendar, start, end),
    fx: wholeDaySessions("Europe/London", start, end, true),
    crypto: wholeDaySessions("UTC", start, end, false),
  };
}

/** RangeError for a size that cannot be made. */
function check({ seed, years, symbols }: MarketOptions): void {
  if (!Number.isInteger(seed)) throw new RangeError(`seed is ${seed}; it must be a whole number`);
  if (!Number.isInteger(years) || years < 1 || years > 30)
    throw new RangeError(`years is ${years}; it must be a whole number from 1 to 30`);
  const most = COMPANIES.length + NUMBERED_MAX;
  if (!Number.isInteger(symbols) || symbols < SUGGESTED.length || symbols > most)
    throw new RangeError(
      `symbols is ${symbols}; it must be a whole number from ${SUGGESTED.length} to ${most}`,
    );
}

/** How many listings have a name of their own. */
export const NAMED_LISTINGS = COMPANIES.length;

/** Three symbols that exist, for a request for one that does not. */
export function suggestions(): readonly string[] {
  return SUGGESTED;
}

/** Opens the market. RangeError when an option is out of range. */
export function createMarket(options: MarketOptions): Market {
  check(options);
  const { clock, calendar, seed } = options;
  // The suggested ones come first in any case, so that the hint holds in the smallest market too.
  const byRank = [...COMPANIES].sort((a, b) => Number(suggests(b.symbol)) - Number(suggests(a.symbol)));
  const named = byRank.slice(0, options.symbols);
  const numbered = Math.max(0, options.symbols - COMPANIES.length);
  const bySymbol = new Map<string, Listing>();
  for (const listing of named) {
    bySymbol.set(listing.symbol, listing);
    if (listing.formerly) bySymbol.set(listing.formerly.symbol, listing);
  }
  const yearNow = () => clock.now().toZonedDateTimeISO("America/New_York").year;
  const firstYear = yearNow() - options.years;
  let tables: { year: number; of: Tables } | undefined;
  let earlier: Tables | undefined;
  const histories = new LRUCache<string, History>({ max: HISTORIES_MAX });
  const minutes = new LRUCache<string, readonly Minute[]>({ max: MINUTES_MAX });

  const table = (listing: Listing): SessionTable => {
    const year = yearNow();
    if (tables?.year !== year) {
      tables = { year, of: tablesOf(calendar, Math.min(firstYear, year), year) };
      histories.clear();
      minutes.clear();
    }
    return tables.of[listing.hours];
  };
  const history = (listing: Listing): History => {
    const { sessions } = table(listing);
    const known = histories.get(listing.symbol);
    if (known) return known;
    earlier ??= earlierTables(calendar, firstYear);
    const made = historyOf(listing, seed, sessions, earlier[listing.hours].sessions);
    histories.set(listing.symbol, made);
    return made;
  };
  const now = () => Math.floor(clock.nowMs() / 1000);
  const listingOf = (symbol: string): Listing | null => {
    const index = numberedIndex(symbol);
    return bySymbol.get(symbol) ?? (index !== null && index < numbered ? numberedListing(seed, index) : null);
  };
  const findOn = (text: string, date: string): Found | null => {
    const symbol = text.toUpperCase();
    const listing = listingOf(symbol);
    return listing && standing(listing, symbol, date);
  };
  const find = (text: string) => findOn(text, dateAt(now(), "America/New_York"));
  let all: readonly Listing[] | undefined;
  return {
    seed,
    now,
    find,
    listings() {
      all ??= [...named, ...Array.from({ length: numbered }, (_, i) => numberedListing(seed, i))];
      return all;
    },
    findOn,
    listing: (text) => listingOf(text.toUpperCase()),
    history,
    table,
    symbols: () => [
      ...[...bySymbol.keys()].filter((symbol) => find(symbol)?.kind === "listed"),
      ...Array.from({ length: numbered }, (_, i) => numberedSymbol(i)),
    ],
    minutes(listing, index, side) {
      const whole = history(listing);
      const name = `${listing.symbol} ${whole.sessions[index]?.date} ${side}`;
      const known = minutes.get(name);
      if (known) return known;
      const made =
        side === "regular" ? regularMinutes(whole, seed, index) : extendedMinutes(whole, seed, index, side);
      minutes.set(name, made);
      return made;
    },
  };
}

const suggests = (symbol: string) => SUGGESTED.some((s) => s === symbol);

/**
 * Returns the security that the provider has under `symbol` on `today`: before its first session it does not
 * exist, after its last it ends.
 */
function standing(listing: Listing, symbol: string, today: string): Found | null {
  if (listing.firstDate && today < listing.firstDate) return null;
  if (listing.formerly) {
    const current = today <= listing.formerly.until ? listing.formerly.symbol : listing.symbol;
    if (symbol !== current) return null;
  }
  if (!listing.lastDate || today <= listing.lastDate) return { kind: "listed", symbol, listing };
  return listing.afterwards === "stub" ? { kind: "stub", symbol, listing } : null;
}
