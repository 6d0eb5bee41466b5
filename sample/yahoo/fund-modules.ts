// Modules of quoteSummary that only funds have: family and costs, largest holdings, sectors.
import { basketOf } from "../fund-basket.ts";
import type { Listing } from "../listing.ts";

type Module = Record<string, unknown>;

/** Sector, industry and what a company does. */
export type Trade = readonly [sector: string, industry: string, does: string];

const FAMILY = "Sample Funds";
const CATEGORIES: Readonly<Record<string, string>> = {
  SMPLF: "Large Blend",
  ZBNDF: "Intermediate Core Bond",
  ZTEKF: "Technology",
  ZGLDF: "Commodities Focused",
  ZDVDF: "Large Value",
  ZCAPF: "Large Growth",
};
const COSTS: Readonly<Record<string, number>> = {
  SMPLF: 0.0009,
  ZBNDF: 0.0003,
  ZTEKF: 0.002,
  ZGLDF: 0.004,
  ZDVDF: 0.0035,
};
/** Upstream's keys of the sectors, in its order. */
const SECTOR_KEYS: Readonly<Record<string, string>> = {
  "Real Estate": "realestate",
  "Consumer Cyclical": "consumer_cyclical",
  "Basic Materials": "basic_materials",
  "Consumer Defensive": "consumer_defensive",
  Technology: "technology",
  "Communication Services": "communication_services",
  "Financial Services": "financial_services",
  Utilities: "utilities",
  Industrials: "industrials",
  Energy: "energy",
  Healthcare: "healthcare",
};
const LARGEST = 10;
const INCEPTION = Date.UTC(2015, 0, 5) / 1000;

export interface FundOf {
  readonly listing: Listing;
  readonly seed: number;
  /** New York's. */
  readonly date: string;
  /** Last price. */
  readonly price: unknown;
  tradeOf(listing: Listing): Trade;
}

/**
 * Returns a fund's modules beside those of every symbol; upstream has no costs of one of them, and writes 0.
 */
export function fundModules({ listing, seed, date, price, tradeOf }: FundOf): Record<string, Module> {
  const { symbol } = listing;
  const held = basketOf(symbol, seed, date);
  const assets = Math.round(listing.dollarsADay * 8);
  const costs = COSTS[symbol];
  const isBond = symbol === "ZBNDF";
  const stock = held.length > 0 ? 0.99 : 0;
  const weights = new Map<string, number>();
  for (const { listing: share, weight } of held) {
    const [sector] = tradeOf(share);
    weights.set(sector, (weights.get(sector) ?? 0) + weight);
  }
  const fund = { category: CATEGORIES[symbol], fundFamily: FAMILY, legalType: "Exchange Traded Fund" };
  const yields = listing.yieldPercent > 0 ? { yield: listing.yieldPercent / 100 } : {};
  return {
    fundProfile: {
      maxAge: 1,
      family: FAMILY,
      categoryName: CATEGORIES[symbol],
      legalType: fund.legalType,
      feesExpensesInvestment: {
        annualReportExpenseRatio: costs ?? 0,
        totalNetAssets: costs === undefined ? 0 : assets / 1e6,
        projectionValues: {},
      },
      brokerages: [],
    },
    topHoldings: {
      maxAge: 1,
      cashPosition: 0.01,
      stockPosition: stock,
      bondPosition: isBond ? 0.99 : 0,
      otherPosition: stock === 0 && !isBond ? 0.99 : 0,
      preferredPosition: 0,
      convertiblePosition: 0,
      holdings: held.slice(0, LARGEST).map(({ listing: share, weight }) => ({
        symbol: share.symbol,
        holdingName: share.name,
        holdingPercent: Number(weight.toFixed(6)),
      })),
      equityHoldings: {},
      bondHoldings: {},
      bondRatings: [],
      sectorWeightings:
        held.length === 0
          ? []
          : Object.entries(SECTOR_KEYS).map(([sector, key]) => ({
              [key]: Number((weights.get(sector) ?? 0).toFixed(6)),
            })),
    },
    summaryDetail: { totalAssets: assets, navPrice: price, ...yields },
    defaultKeyStatistics: {
      maxAge: 1,
      totalAssets: assets,
      fundInceptionDate: INCEPTION,
      ...fund,
      ...yields,
    },
  };
}
