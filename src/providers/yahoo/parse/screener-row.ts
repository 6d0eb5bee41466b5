// Reads one row of a screener's list, which is a quote.
import { readIssue } from "../../../market/issue.ts";
import { fromYahoo } from "../../../market/spelling.ts";
import type { StockRow } from "../../../market/stock-row.ts";
import type { Wire } from "../wire.ts";

/** Types a row may have beside an ordinary share. */
export type RowKind = "etf" | "fund" | "preferred" | "warrant" | "unit" | "adr" | "otc";

/** Null is unknown. Prices in `currency`, percentages in percent points, moments RFC 3339 UTC. */
export interface ScreenerRow extends Readonly<Omit<StockRow, "rank">> {
  /** Forward dividends of a year divided by the price, percent points. */
  readonly dividend_yield: number | null;
  readonly beta: number | null;
  readonly sector: string | null;
  readonly industry: string | null;
  readonly kinds: readonly RowKind[];
}

/** Exchange codes of over-the-counter markets. */
export const OTC_CODES = ["PNK", "OQB", "OQX", "OEM", "OGM", "OBB"] as const;

const KIND_OF_TYPE: Readonly<Record<string, RowKind>> = { ETF: "etf", MUTUALFUND: "fund" };

/** The type shown by the symbol's suffix: preferred, warrant or unit. */
function kindOfIssue(symbol: string): RowKind | null {
  const part = readIssue(symbol)?.parts[0] ?? "";
  if (/^(?:P|PR[A-Z])$/.test(part)) return "preferred";
  if (/^WS[A-Z]?$/.test(part)) return "warrant";
  return part === "U" ? "unit" : null;
}

/** Yahoo does not mark depositary receipts: the name shows one, or over the counter the fifth letter Y. */
// TCEHY over the counter is a receipt; EBAY, which is listed, is none.
function isDepositary(symbol: string, names: readonly (string | null)[], isOtc: boolean): boolean {
  if (names.some((name) => /\b(?:ADRs?|ADSs?|GDRs?|American Depos|Depositary)/i.test(name ?? "")))
    return true;
  return isOtc && /^[A-Z]{4}Y$/.test(symbol);
}

function kindsOf(row: Wire, symbol: string): RowKind[] {
  const text = (key: string) => row.at(key).textOrNull();
  const isOtc = OTC_CODES.some((code) => code === text("exchange"));
  const kinds = [KIND_OF_TYPE[text("quoteType") ?? ""] ?? null, kindOfIssue(symbol)];
  return [
    ...kinds.filter((kind) => kind !== null),
    ...(isDepositary(symbol, [text("longName"), text("shortName")], isOtc) ? (["adr"] as const) : []),
    ...(isOtc ? (["otc"] as const) : []),
  ];
}

/**
 * Reads one row. `regularMarketChangePercent`, `fiftyTwoWeekChangePercent` and `dividendYield` (forward) are
 * in percent points. `trailingAnnualDividendYield` is a fraction, sometimes of two currencies (SID,
 * 2025-02-24: 0.828 for a share of 1.50 dollars), and is not used.
 */
export function readScreenerRow(row: Wire): ScreenerRow {
  const number = (key: string) => row.at(key).numberOrNull();
  const text = (key: string) => row.at(key).textOrNull();
  // Yahoo writes 0 for an unknown price.
  const price = (key: string) => number(key) || null;
  const spelling = row.at("symbol").text();
  const symbol = fromYahoo(spelling) ?? spelling.toUpperCase();
  return {
    symbol,
    name: text("longName") ?? text("shortName"),
    exchange: text("exchange"),
    quote_type: text("quoteType"),
    currency: text("currency"),
    price: price("regularMarketPrice"),
    price_time: row.at("regularMarketTime").instantOrNull()?.toString() ?? null,
    change: number("regularMarketChange"),
    change_percent: number("regularMarketChangePercent"),
    volume: number("regularMarketVolume"),
    avg_volume_3m: number("averageDailyVolume3Month"),
    market_cap: number("marketCap") || null,
    pe_ratio: number("trailingPE"),
    fifty_two_week_high: price("fiftyTwoWeekHigh"),
    fifty_two_week_low: price("fiftyTwoWeekLow"),
    fifty_two_week_change_percent: number("fiftyTwoWeekChangePercent"),
    dividend_yield: number("dividendYield"),
    beta: number("beta"),
    sector: text("sector"),
    industry: text("industry"),
    kinds: kindsOf(row, symbol),
  };
}
