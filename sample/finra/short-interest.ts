// Open short positions of each listing on a settlement date.
import { fromYahoo, toFinraShortInterest } from "../../src/market/spelling.ts";
import type { Listing } from "../listing.ts";
import type { Market } from "../market.ts";
import { keyOf, uniform } from "../randomness.ts";
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

const positionOn = (market: Market, listing: Listing, { session }: Settlement) => {
  const key = keyOf(market.seed, `interest ${listing.symbol}`);
  return Math.round(listing.shares * (0.01 + 0.05 * uniform(key, session.day)));
};

function lineOf(
  market: Market,
  listing: Listing,
  now: Settlement,
  before: Settlement | undefined,
): string | null {
  const { date } = now.session;
  const { formerly } = listing;
  const symbol = fromYahoo(formerly && date <= formerly.until ? formerly.symbol : listing.symbol);
  const spelled = symbol === null ? null : toFinraShortInterest(symbol);
  if (spelled === null) return null;
  const current = positionOn(market, listing, now);
  const previous = before && lived(listing, before.session.date) ? positionOn(market, listing, before) : null;
  const volume = listing.symbol === UNTRADED ? 0 : Math.round(listing.dollarsADay / listing.price);
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
    "",
    volume,
    cover.toFixed(2),
    listing.symbol === REVISED ? "R" : "",
    percent,
    change ?? "",
    date,
  ].join("|");
}

/** The whole file of a settlement date. */
export function interestText(market: Market, now: Settlement, before: Settlement | undefined): string {
  const lines = market
    .listings()
    .filter(({ hours, type }) => hours === "us" && (type === "EQUITY" || type === "ETF"))
    .filter((listing) => lived(listing, now.session.date))
    .flatMap((listing) => lineOf(market, listing, now, before) ?? []);
  return `${HEADER}\n${lines.sort().join("\n")}\n`;
}
