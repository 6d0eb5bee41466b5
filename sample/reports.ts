// The fictional companies' reports for the providers' calendars: the day of their press releases, earnings a
// share as their books have them, and what analysts expected.
import { LRUCache } from "lru-cache";
import { allNamed, type Filer, numberedFiler } from "./edgar/filers.ts";
import { type Quarter, quartersBetween } from "./edgar/fiscal.ts";
import { entriesAsKnown, shareholdersOf } from "./edgar/ledger.ts";
import { releaseOf } from "./edgar/plan.ts";
import { weightedShares } from "./edgar/share-count.ts";
import { type Listing, numberedIndex } from "./listing.ts";
import type { Market } from "./market.ts";
import { bell, keyOf, uniform } from "./randomness.ts";
import { dateAt, dateOf, dayOf, secondsAt } from "./sessions.ts";

const NEW_YORK = "America/New_York";

/** One report as a calendar has it now. */
export interface Report {
  readonly listing: Listing;
  readonly quarter: Quarter;
  /** Day and moment of the press release; of a coming one, as it is expected now. */
  readonly date: string;
  readonly at: number;
  readonly time: "bmo" | "amc" | "unknown";
  readonly isOut: boolean;
  /** Dollars a share on today's share basis; null before the release. */
  readonly eps: number | null;
  /** Null: no analyst estimates this company. */
  readonly estimate: number | null;
  readonly estimates: number;
  readonly lastYear: { readonly date: string; readonly eps: number } | null;
  readonly revenueEstimate: number | null;
}

/** ZUBB's day is given three days late until a week before; then the calendars have the right one. */
const MOVED = { symbol: "ZUBB", days: 3, untilDays: 7 };
/** No analyst estimates it; one whose results always are what was expected; one of which zero is expected. */
const UNWATCHED = "MURQ";
const PUNCTUAL = "VEXOQ";
const EVEN = "BORKL";

const cents = (value: number) => Math.round(value * 100) / 100 || 0;
const NO_REPORTS = new Set(["fund", "nothing"]);

/**
 * The filer whose first common share the listing is; null for funds, preferred shares, warrants and second
 * classes.
 */
function filerOf(market: Market, listing: Listing): Filer | null {
  if (listing.type !== "EQUITY") return null;
  const index = numberedIndex(listing.symbol);
  const filer =
    index === null
      ? allNamed().find(({ listings }) => listings.some(({ symbol }) => symbol === listing.symbol))
      : numberedFiler(market.seed, index);
  const isCommon = /^[^-]+(-[AB])?$/.test(listing.symbol);
  return filer && isCommon && !NO_REPORTS.has(filer.habit) ? filer : null;
}

function epsOf(market: Market, filer: Filer, quarter: Quarter, today: string): number {
  const entries = entriesAsKnown(filer, market.seed, quarter.end, market.now());
  const netIncome = entries.at(-1)?.flows.netIncome ?? 0;
  const { diluted } = weightedShares(shareholdersOf(filer), quarter.start, quarter.end, dayOf(today));
  return cents(netIncome / diluted);
}

function estimateOf(market: Market, filer: Filer, quarter: Quarter, eps: number): number | null {
  if (filer.symbol === UNWATCHED) return null;
  if (filer.symbol === PUNCTUAL) return eps;
  if (filer.symbol === EVEN) return 0;
  const key = keyOf(market.seed, `estimate ${filer.cik} ${quarter.end}`);
  return cents(eps * (1 + 0.06 * bell(key, 0)) - 0.01);
}

/** Day, moment and hour of a quarter's report as published now; all that does not need the books. */
function whenOf(market: Market, filer: Filer, quarter: Quarter) {
  const { day, time, morning, key } = releaseOf(market.seed, filer, quarter);
  const at = secondsAt(dateOf(day), "00:00", NEW_YORK) + time;
  const isMoved =
    filer.symbol === MOVED.symbol && dayOf(dateAt(market.now(), NEW_YORK)) < day - MOVED.untilDays;
  return {
    key,
    date: dateOf(isMoved ? day + MOVED.days : day),
    at: isMoved ? at + MOVED.days * 86_400 : at,
    hour: morning ? ("bmo" as const) : ("amc" as const),
    isOut: at <= market.now(),
  };
}

/** One quarter of a company as it looks now. */
function reportOf(market: Market, listing: Listing, filer: Filer, quarter: Quarter): Report {
  const today = dateAt(market.now(), NEW_YORK);
  const { key, date, at, hour, isOut } = whenOf(market, filer, quarter);
  const eps = epsOf(market, filer, quarter, today);
  const before = quartersBetween(filer, quarter.end - 380, quarter.end - 350).at(-1);
  const entries = entriesAsKnown(filer, market.seed, quarter.end, market.now());
  return {
    listing,
    quarter,
    date,
    at,
    time: uniform(key, 7) < 0.15 ? "unknown" : hour,
    isOut,
    eps: isOut ? eps : null,
    estimate: estimateOf(market, filer, quarter, eps),
    estimates: 1 + Math.floor(uniform(key, 8) * 20),
    lastYear: before
      ? {
          date: dateOf(releaseOf(market.seed, filer, before).day),
          eps: epsOf(market, filer, before, today),
        }
      : null,
    revenueEstimate: Math.round((entries.at(-1)?.flows.revenue ?? 0) * (1 + 0.02 * bell(key, 9))) || null,
  };
}

/** Days from the end of a quarter to its release, at most, the moved one included. */
const LAG_DAYS_MAX = 45;

/**
 * Quarters of the company behind a listing that ended from day `from` to day `to`, oldest first; null: it
 * reports none.
 */
function quartersOf(market: Market, listing: Listing, from: number, to: number) {
  const filer = filerOf(market, listing);
  if (!filer) return null;
  const [since, until] = [dayOf(filer.since), Math.min(to, dayOf(filer.until))];
  return { filer, quarters: quartersBetween(filer, Math.max(from, since), until) };
}

/** Reports of those quarters. */
function reportsOf(market: Market, listing: Listing, from: number, to: number): Report[] {
  const found = quartersOf(market, listing, from, to);
  return found ? found.quarters.map((quarter) => reportOf(market, listing, found.filer, quarter)) : [];
}

/** The newest `count` reports that are out, newest first; null: the provider knows no such company. */
export function pastReports(market: Market, listing: Listing, count: number): Report[] | null {
  if (!filerOf(market, listing)) return null;
  const today = dayOf(dateAt(market.now(), NEW_YORK));
  return reportsOf(market, listing, today - 100 * (count + 2), today)
    .filter((report) => report.isOut)
    .reverse()
    .slice(0, count);
}

/** The next report that is not out yet. */
export function nextReport(market: Market, listing: Listing): Report | null {
  const today = dayOf(dateAt(market.now(), NEW_YORK));
  return reportsOf(market, listing, today - LAG_DAYS_MAX, today + 130).find(({ isOut }) => !isOut) ?? null;
}

const days = new LRUCache<string, readonly Report[]>({ max: 100 });

/**
 * Every company whose report is, or was, on a day. A second class of shares is not listed beside the first.
 */
export function reportsOn(market: Market, date: string): readonly Report[] {
  const name = `${market.seed} ${date} ${market.symbols().length} ${Math.floor(market.now() / 600)}`;
  const known = days.get(name);
  if (known) return known;
  const day = dayOf(date);
  const made = market.symbols().flatMap((symbol) => {
    const found = market.find(symbol);
    if (found?.kind !== "listed" || /-B$/.test(symbol)) return [];
    const { listing } = found;
    const own = quartersOf(market, listing, day - LAG_DAYS_MAX, day - 10);
    // The books of a company are a hundred times the work of its days.
    const due = own?.quarters.filter((quarter) => whenOf(market, own.filer, quarter).date === date) ?? [];
    return own ? due.map((quarter) => reportOf(market, listing, own.filer, quarter)) : [];
  });
  days.set(name, made);
  return made;
}
