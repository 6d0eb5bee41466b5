// Who is behind a symbol, read from the modules of quoteSummary. Texts stay as sent, placeholders ("N/A") included.
import type { CompanyProfile } from "../../../market/company-profile.ts";
import type { Wire } from "../wire.ts";

/** Exchange of a name that Yahoo keeps without quoting it. */
const DELISTED_STUB = "YHD";

type Modules = ReadonlyMap<string, Wire>;

const reader = (modules: Modules) => ({
  text: (module: string, key: string) => modules.get(module)?.at(key).textOrNull() ?? null,
  number: (module: string, key: string) => modules.get(module)?.at(key).numberOrNull() ?? null,
  at: (module: string, key: string) => modules.get(module)?.at(key).instantOrNull() ?? null,
});

/** The session a bar's start lies in, in the exchange's zone; null when the zone is none we know. */
function dayOf(at: Temporal.Instant | null, zone: string | null): string | null {
  if (at === null || zone === null) return null;
  try {
    return at.toZonedDateTimeISO(zone).toPlainDate().toString();
  } catch {
    return null;
  }
}

/** Reads whatever modules came. Throws UpstreamFailed for a field of another type than it should be. */
export function readProfile(symbol: string, modules: Modules, receivedAt: Temporal.Instant): CompanyProfile {
  const { text, number, at } = reader(modules);
  const code = text("price", "exchange") ?? text("quoteType", "exchange");
  const isDelistedStub = code === DELISTED_STUB;
  const cap = number("price", "marketCap") ?? number("summaryDetail", "marketCap");
  const longName = text("price", "longName") ?? text("quoteType", "longName");
  return {
    symbol,
    // The short name of a husk is a number of Yahoo's own (ADH: "54688").
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
