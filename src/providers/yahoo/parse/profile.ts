// Reads a company's profile from the modules of quoteSummary. Texts stay as sent, including placeholders
// ("N/A").
import type { CompanyProfile } from "../../../market/company-profile.ts";
import type { Wire } from "../wire.ts";

/** Exchange code of a name that Yahoo lists without quoting it. */
const DELISTED_STUB = "YHD";

type Modules = ReadonlyMap<string, Wire>;

const reader = (modules: Modules) => ({
  text: (module: string, key: string) => modules.get(module)?.at(key).textOrNull() ?? null,
  number: (module: string, key: string) => modules.get(module)?.at(key).numberOrNull() ?? null,
  at: (module: string, key: string) => modules.get(module)?.at(key).instantOrNull() ?? null,
});

/** The date of a bar's start in the exchange's zone; null for an unknown zone. */
function dayOf(at: Temporal.Instant | null, zone: string | null): string | null {
  if (at === null || zone === null) return null;
  try {
    return at.toZonedDateTimeISO(zone).toPlainDate().toString();
  } catch {
    return null;
  }
}

/** Reads the modules that are present. Throws UpstreamFailed for a field of another type. */
export function readProfile(symbol: string, modules: Modules, receivedAt: Temporal.Instant): CompanyProfile {
  const { text, number, at } = reader(modules);
  const code = text("price", "exchange") ?? text("quoteType", "exchange");
  const isDelistedStub = code === DELISTED_STUB;
  const cap = number("price", "marketCap") ?? number("summaryDetail", "marketCap");
  const longName = text("price", "longName") ?? text("quoteType", "longName");
  return {
    symbol,
    // The short name of a delisted stub is an internal number of Yahoo (ADH: "54688").
    name:
      longName ?? (isDelistedStub ? null : (text("price", "shortName") ?? text("quoteType", "shortName"))),
    quote_type: isDelistedStub ? null : (text("price", "quoteType") ?? text("quoteType", "quoteType")),
    exchange: isDelistedStub ? null : code,
    exchange_name: isDelistedStub ? null : text("price", "exchangeName"),
    currency: text("price", "currency") ?? text("summaryDetail", "currency"),
    market_cap: cap,
    market_cap_as_of: cap === null ? null : (at("price", "regularMarketTime")?.toString() ?? null),
    sector: text("assetProfile", "sector"),
    industry: text("assetProfile", "industry"),
    description: text("assetProfile", "longBusinessSummary"),
    website: text("assetProfile", "website"),
    country: text("assetProfile", "country"),
    employees: number("assetProfile", "fullTimeEmployees"),
    shares_outstanding: number("defaultKeyStatistics", "sharesOutstanding"),
    first_trade_date: dayOf(at("quoteType", "firstTradeDateEpochUtc"), text("quoteType", "timeZoneFullName")),
    received_at: receivedAt.toString({ smallestUnit: "millisecond" }),
  };
}
