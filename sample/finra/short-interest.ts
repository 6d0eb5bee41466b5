// Open short positions of each listing on a settlement date.
import { fromYahoo, toFinraShortInterest } from "../../src/market/spelling.ts";
import { sharesCounted } from "../actions.ts";
import type { Listing } from "../listing.ts";
import type { Market } from "../market.ts";
import { volumeOn } from "../prices.ts";
import { keyOf, uniform, wander } from "../randomness.ts";
import type { Session } from "../sessions.ts";
import type { Settlement } from "./settlement.ts";

const HEADER =
  "accountingYearMonthNumber|symbolCode|issueName|issuerServicesGroupExchangeCode|marketClassCode|currentShortPositionQuantity|previousShortPositionQuantity|stockSplitFlag|averageDailyVolumeQuantity|daysToCoverQuantity|revisionFlag|changePercent|changePreviousNumber|settlementDate";
const CLASSES: Readonly<Record<string, string>> = {
  NMS: "NNM",
  NGM: "NNM",
  NCM: "SC",
  NYQ: "NYSE",
  ASE: "AMEX",
  PCX: "ARCA",
  BTS: "BZX",
  PNK: "OTC",
};
const NAME_CHARS = 30;
/** The row every file marks as revised. */
const REVISED = "HOOZ";
/** One of which nothing is traded, so that the days to cover are the file's 999.99. */
const UNTRADED = "PIPZ-WT";

const lived = ({ firstDate, lastDate }: Listing, date: string) =>
  !(firstDate && date < firstDate) && !(lastDate && date > lastDate);

/** Number of a settlement date: two a month. */
const halfMonth = ({ session: { date } }: Settlement): number =>
  Number(date.slice(0, 4)) * 24 + Number(date.slice(5, 7)) * 2 + (date.slice(8) <= "15" ? 0 : 1);

/**
 * Shares sold short: a part of those counted on the day, which is a company's own and moves a few percent
 * from one date to the next.
 */
function positionOn(market: Market, listing: Listing, settlement: Settlement): number {
  const key = keyOf(market.seed, `interest ${listing.symbol}`);
  const usual = 0.008 + 0.04 * uniform(key, 0) ** 2;
  const level = Math.exp(0.06 * wander(key, halfMonth(settlement), 5));
  return Math.round(sharesCounted(listing, settlement.session.day) * usual * level);
}

/** Shares traded a day in the sessions of a period. */
function volumeADay(market: Market, listing: Listing, period: readonly Session[]): number {
  if (listing.symbol === UNTRADED || period.length === 0) return 0;
  const all = period.reduce((sum, { day }) => sum + volumeOn(listing, market.seed, day), 0);
  return Math.round((all / period.length) * (1 - listing.quietDays));
}

const splitBetween = (listing: Listing, { session: from }: Settlement, { session: to }: Settlement) => {
  const { split } = listing;
  const day = `${to.date.slice(0, 4)}-${split?.monthDay}`;
  return Number(to.date.slice(0, 4)) % 5 === split?.yearModulo5 && day > from.date && day <= to.date;
};

function lineOf(
  market: Market,
  listing: Listing,
  now: Settlement,
  before: Settlement | undefined,
  period: readonly Session[],
): string | null {
  const { date } = now.session;
  const { formerly } = listing;
  const symbol = fromYahoo(formerly && date <= formerly.until ? formerly.symbol : listing.symbol);
  const spelled = symbol === null ? null : toFinraShortInterest(symbol);
  if (spelled === null) return null;
  const current = positionOn(market, listing, now);
  const previous = before && lived(listing, before.session.date) ? positionOn(market, listing, before) : null;
  const volume = volumeADay(market, listing, period);
  const cover = volume === 0 ? 999.99 : Math.max(1, current / volume);
  const change = previous === null ? null : current - previous;
  const percent = change === null || !previous ? "" : ((change / previous) * 100).toFixed(2);
  return [
    date.replaceAll("-", ""),
    spelled,
    listing.name.slice(0, NAME_CHARS).trim(),
    listing.exchange === "PNK" ? "S" : "A",
    CLASSES[listing.exchange] ?? "NYSE",
    current,
    previous ?? "",
    before && splitBetween(listing, before, now) ? "S" : "",
    volume,
    cover.toFixed(2),
    listing.symbol === REVISED ? "R" : "",
    percent,
    change ?? "",
    date,
  ].join("|");
}

/** The whole file of a settlement date; `sessions` is the table that the dates are of. */
export function interestText(
  market: Market,
  now: Settlement,
  before: Settlement | undefined,
  sessions: readonly Session[],
): string {
  const period = sessions.slice(before ? before.index + 1 : 0, now.index + 1);
  const lines = market
    .listings()
    .filter(({ hours, type }) => hours === "us" && (type === "EQUITY" || type === "ETF"))
    .filter((listing) => lived(listing, now.session.date))
    .flatMap((listing) => lineOf(market, listing, now, before, period) ?? []);
  return `${HEADER}\n${lines.sort().join("\n")}\n`;
}
