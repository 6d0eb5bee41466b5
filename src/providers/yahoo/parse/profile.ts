// Who is behind a symbol, read from the modules of quoteSummary. Texts stay as sent, placeholders ("N/A") included.
import type { Wire } from "../wire.ts";

/** Null is absent. Moments are RFC 3339 UTC, dates YYYY-MM-DD. */
export interface CompanyProfile {
  readonly symbol: string;
  readonly name: string | null;
  /** EQUITY, ETF, MUTUALFUND, INDEX, …; null for a husk, which Yahoo calls a mutual fund whatever it was. */
  readonly quote_type: string | null;
  /** Yahoo's code (NMS) and its name (NasdaqGS). */
  readonly exchange: string | null;
  readonly exchange_name: string | null;
  /** Of the price: `GBp` is pence. */
  readonly currency: string | null;
  /** In whole pounds where the price is in pence. */
  readonly market_cap: number | null;
  /** Time of the price that `market_cap` is made with. */
  readonly market_cap_as_of: string | null;
  readonly sector: string | null;
  readonly industry: string | null;
  readonly description: string | null;
  readonly website: string | null;
  readonly country: string | null;
  readonly employees: number | null;
  /** Of this class alone; may lag a split or an issue by weeks. */
  readonly shares_outstanding: number | null;
  /** First day of Yahoo's history, which for old companies is not that of the listing (IBM: 1962-01-02). */
  readonly first_trade_date: string | null;
  readonly received_at: string;
}

/** Exchange of a name that Yahoo keeps without quoting it. */
const HUSK = "YHD";

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
  const isHusk = code === HUSK;
  const cap = number("price", "marketCap") ?? number("summaryDetail", "marketCap");
  const longName = text("price", "longName") ?? text("quoteType", "longName");
  return {
    symbol,
    // The short name of a husk is a number of Yahoo's own (ADH: "54688").
    name: longName ?? (isHusk ? null : (text("price", "shortName") ?? text("quoteType", "shortName"))),
    quote_type: isHusk ? null : (text("price", "quoteType") ?? text("quoteType", "quoteType")),
    exchange: isHusk ? null : code,
    exchange_name: isHusk ? null : text("price", "exchangeName"),
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
