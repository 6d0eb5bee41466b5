// The price provider's facts about each share for its screener: the quote, and the figures with which its
// fields are compared.

import { allNamed, type Filer, numberedFiler } from "../edgar/filers.ts";
import { entriesAsKnown } from "../edgar/ledger.ts";
import { commonOf, sharesOn } from "../edgar/share-count.ts";
import { type Listing, numberedIndex } from "../listing.ts";
import type { Market } from "../market.ts";
import { keyOf, uniform } from "../randomness.ts";
import { dayOf } from "../sessions.ts";
import { type Correction, type View, viewOf } from "../view.ts";
import { quoteOf } from "./quote.ts";
import { tradeOf } from "./quote-summary.ts";

type Quote = Record<string, unknown>;

/** A share as the screener has it: the row it sends, and what its filters compare. */
export interface Screened {
  readonly row: Quote;
  readonly fields: Readonly<Record<string, string | number | undefined>>;
}

/**
 * The screener covers so many listings, those with names first: a quote of each takes two milliseconds to
 * make.
 */
export const SCREENED_MAX = 400;
/** Results are out so many days after a quarter's end. */
const REPORTED_DAYS = 45;

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

function filerOf(listing: Listing, seed: number): Filer | undefined {
  const index = numberedIndex(listing.symbol);
  if (index !== null) return numberedFiler(seed, index);
  return allNamed().find((filer) => commonOf(filer).some(({ symbol }) => symbol === listing.symbol));
}

/** Earnings a share of the last four quarters whose results are out, by the filer's books. */
function earnings(listing: Listing, seed: number, day: number, now: number): number | null {
  const filer = filerOf(listing, seed);
  // Companies abroad report in another currency.
  if (filer?.habit !== "reports") return null;
  const reported = entriesAsKnown(filer, seed, day - REPORTED_DAYS, now).slice(-4);
  if (reported.length < 4) return null;
  const profit = reported.reduce((sum, { flows }) => sum + (flows.netIncome ?? 0), 0);
  return rounded(profit / sharesOn(filer, day, day), 2);
}

/** Dividends a share, of the last year as paid and of the year to come: four times the last one. */
function dividends({ actions, now }: View): { readonly paid: number; readonly ahead: number } {
  const year = actions.filter(({ kind, at }) => kind === "dividend" && at > now - 365 * 86_400);
  const amounts = year.map((action) => (action.kind === "dividend" ? action.amount : 0));
  return { paid: amounts.reduce((a, b) => a + b, 0), ahead: 4 * (amounts.at(-1) ?? 0) };
}

/** The close of a year ago, on the basis of now; null for what has not been listed for so long. */
function closeOfLastYear(view: View): number | null {
  const last = view.history.sessions[view.lastIndex];
  if (!last) return null;
  const index = view.history.sessions.findLastIndex(({ day }) => day <= last.day - 364);
  return index < 0 ? null : (view.rows(index, index)[0]?.bar?.close ?? null);
}

function screenedOf(market: Market, symbol: string, correct: Correction): Screened | null {
  const found = market.find(symbol);
  const quote = found?.kind === "listed" ? quoteOf(market, symbol, null, correct) : null;
  if (!found || !quote || found.listing.hours !== "us" || found.listing.type === "INDEX") return null;
  const { listing } = found;
  const { seed } = market;
  const price = Number(quote.regularMarketPrice ?? 0);
  const view = viewOf(market, listing, symbol, correct);
  const day = dayOf(view.history.sessions[view.lastIndex]?.date ?? "1970-01-01");
  const before = closeOfLastYear(view);
  const yearChange = before === null || price === 0 ? undefined : rounded((price / before - 1) * 100, 5);
  const eps = listing.type === "EQUITY" ? earnings(listing, seed, day, view.now) : null;
  const { paid, ahead } = dividends(view);
  const yieldAhead = ahead > 0 && price > 0 ? rounded((ahead / price) * 100, 2) : undefined;
  const [sector, industry] = listing.type === "EQUITY" ? tradeOf(listing, seed) : [];
  const key = keyOf(seed, `screener ${listing.symbol}`);
  const row = {
    ...quote,
    ...(yearChange !== undefined && { fiftyTwoWeekChangePercent: yearChange }),
    trailingAnnualDividendRate: rounded(paid, 4),
    trailingAnnualDividendYield: price > 0 ? rounded(paid / price, 8) : 0,
    ...(yieldAhead !== undefined && { dividendRate: rounded(ahead, 2), dividendYield: yieldAhead }),
    ...(eps !== null && { epsTrailingTwelveMonths: eps }),
    ...(eps !== null && eps > 0 && price > 0 && { trailingPE: rounded(price / eps, 5) }),
    displayName: listing.name.split(" ").slice(0, 2).join(" "),
  };
  const number = (name: string) => {
    const value = row[name as keyof typeof row];
    return typeof value === "number" ? value : undefined;
  };
  return {
    row,
    fields: {
      region: "us",
      quoteType: listing.type,
      exchange: listing.exchange,
      sector,
      industry,
      intradayprice: number("regularMarketPrice"),
      percentchange: number("regularMarketChangePercent"),
      dayvolume: number("regularMarketVolume"),
      avgdailyvol3m: number("averageDailyVolume3Month"),
      intradaymarketcap: number("marketCap"),
      fiftytwowkpercentchange: yearChange,
      "peratio.lasttwelvemonths": eps === null || eps === 0 ? undefined : rounded(price / eps, 5),
      pegratio_5y: eps !== null && eps > 0 ? rounded(0.4 + 3 * uniform(key, 0), 2) : undefined,
      forward_dividend_yield: yieldAhead,
      beta: rounded(0.3 + 1.6 * uniform(key, 1), 2),
      "epsgrowth.lasttwelvemonths": eps === null ? undefined : rounded(120 * uniform(key, 2) - 40, 1),
      "quarterlyrevenuegrowth.quarterly": eps === null ? undefined : rounded(70 * uniform(key, 3) - 20, 1),
    },
  };
}

/** Every share of the screener at this moment, kept for a minute as the provider keeps its lists. */
export function createScreened(market: Market): (correct: Correction) => readonly Screened[] {
  let kept: { readonly minute: number; readonly all: readonly Screened[] } | null = null;
  return (correct) => {
    const minute = Math.floor(market.now() / 60);
    if (kept?.minute === minute) return kept.all;
    const symbols = market.symbols().slice(0, SCREENED_MAX);
    const all = symbols.flatMap((symbol) => screenedOf(market, symbol, correct) ?? []);
    kept = { minute, all };
    return all;
  };
}
