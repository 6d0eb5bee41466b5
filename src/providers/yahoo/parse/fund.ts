// Reads a fund's profile from the modules of quoteSummary. Converts fractions to percent points; changes
// nothing else.
import type { FundProfile } from "../../../market/fund-profile.ts";
import type { Wire } from "../wire.ts";

export const FUND_MODULES = [
  "quoteType",
  "price",
  "summaryDetail",
  "defaultKeyStatistics",
  "fundProfile",
  "topHoldings",
] as const;

/** Exchange code of a name that Yahoo lists without quoting it. */
const DELISTED_STUB = "YHD";

/** Sector names for Yahoo's keys; an unknown key stays as it is. */
const SECTORS: Readonly<Record<string, string>> = {
  realestate: "Real Estate",
  consumer_cyclical: "Consumer Cyclical",
  basic_materials: "Basic Materials",
  consumer_defensive: "Consumer Defensive",
  technology: "Technology",
  communication_services: "Communication Services",
  financial_services: "Financial Services",
  utilities: "Utilities",
  industrials: "Industrials",
  energy: "Energy",
  healthcare: "Healthcare",
};

/** A fraction in percent points, without the floating-point error of the product. */
const percent = (fraction: number | null): number | null =>
  fraction === null ? null : Number((fraction * 100).toPrecision(12));

type Modules = ReadonlyMap<string, Wire>;

function positionsOf(top: Wire): FundProfile["positions"] {
  const part = (name: string) => percent(top.at(`${name}Position`).numberOrNull());
  return {
    stock: part("stock"),
    bond: part("bond"),
    cash: part("cash"),
    preferred: part("preferred"),
    convertible: part("convertible"),
    other: part("other"),
  };
}

function sectorsOf(list: Wire): FundProfile["sectors"] {
  if (list.isMissing) return null;
  return list.items().flatMap((item) =>
    item.valuesOrNone().flatMap((entry) => {
      const key = entry.path.slice(entry.path.lastIndexOf(".") + 1);
      const weight = percent(entry.numberOrNull());
      return weight === null ? [] : [{ sector: SECTORS[key] ?? key, weight_percent: weight }];
    }),
  );
}

const holdingsOf = (list: Wire): FundProfile["holdings"] =>
  list.isMissing
    ? null
    : list.items().map((item) => ({
        symbol: item.at("symbol").textOrNull(),
        name: item.at("holdingName").textOrNull(),
        weight_percent: percent(item.at("holdingPercent").numberOrNull()),
      }));

/** Returns the ratio; 0 counts only where the record has total assets, since Yahoo writes 0 for unknown. */
// 0 beside total assets of 2 billion is 0; 0 beside assets of 0 is null.
function expenseRatioOf(profile: Wire | undefined): number | null {
  const fees = profile?.at("feesExpensesInvestment");
  if (!fees || fees.isMissing) return null;
  const ratio = fees.at("annualReportExpenseRatio").numberOrNull();
  if (ratio !== 0) return ratio;
  return (fees.at("totalNetAssets").numberOrNull() ?? 0) > 0 ? 0 : null;
}

/** Reads the modules that are present. Throws UpstreamFailed for a field of another type. */
export function readFund(symbol: string, modules: Modules, receivedAt: Temporal.Instant): FundProfile {
  const text = (module: string, key: string) => modules.get(module)?.at(key).textOrNull() ?? null;
  const number = (module: string, key: string) => modules.get(module)?.at(key).numberOrNull() ?? null;
  const code = text("price", "exchange") ?? text("quoteType", "exchange");
  const isDelistedStub = code === DELISTED_STUB;
  const inception = modules.get("defaultKeyStatistics")?.at("fundInceptionDate").instantOrNull() ?? null;
  const top = modules.get("topHoldings");
  const assets = number("summaryDetail", "totalAssets") ?? number("defaultKeyStatistics", "totalAssets");
  return {
    symbol,
    name:
      text("price", "longName") ??
      text("quoteType", "longName") ??
      (isDelistedStub ? null : (text("price", "shortName") ?? text("quoteType", "shortName"))),
    quote_type: isDelistedStub ? null : (text("price", "quoteType") ?? text("quoteType", "quoteType")),
    exchange: isDelistedStub ? null : code,
    exchange_name: isDelistedStub ? null : text("price", "exchangeName"),
    currency: text("price", "currency") ?? text("summaryDetail", "currency"),
    issuer: text("fundProfile", "family") ?? text("defaultKeyStatistics", "fundFamily"),
    category: text("fundProfile", "categoryName") ?? text("defaultKeyStatistics", "category"),
    legal_type: text("fundProfile", "legalType") ?? text("defaultKeyStatistics", "legalType"),
    expense_ratio: expenseRatioOf(modules.get("fundProfile")),
    // Assets of 0 are unknown.
    total_assets: assets === 0 ? null : assets,
    nav: number("summaryDetail", "navPrice"),
    inception_date: inception?.toZonedDateTimeISO("UTC").toPlainDate().toString() ?? null,
    yield_percent: percent(number("summaryDetail", "yield") ?? number("defaultKeyStatistics", "yield")),
    positions: top ? positionsOf(top) : null,
    holdings: top ? holdingsOf(top.at("holdings")) : null,
    sectors: top ? sectorsOf(top.at("sectorWeightings")) : null,
    received_at: receivedAt.toString({ smallestUnit: "millisecond" }),
  };
}
