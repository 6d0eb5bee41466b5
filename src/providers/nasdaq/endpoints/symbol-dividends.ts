// Nasdaq's dividend history of one symbol, including declared payments. Only for issues listed on Nasdaq.
import { fetchDecoded } from "../../../platform/upstream/decode.ts";
import type { Upstream, UpstreamAnswer } from "../../../platform/upstream/policy.ts";
import { readEnvelope } from "../envelope.ts";
import { API_HOST } from "../policy.ts";
import type { Wire } from "../wire.ts";
import { noSuchSymbol, symbolPath } from "./earnings-surprise.ts";

export type AssetClass = "stocks" | "etf";
export type DividendType = "cash" | "special" | "stock" | "other";

/** One payment as paid, not adjusted for later splits (AAPL 2020-08-07 $0.82, 2020-11-06 $0.205). */
export interface SymbolDividend {
  readonly ex_dividend_date: string;
  readonly dividend_type: DividendType;
  readonly declaration_date: string | null;
  readonly record_date: string | null;
  readonly payment_date: string | null;
  /** Null for a stock dividend. */
  readonly amount: number | null;
  readonly currency: string | null;
}

export interface SymbolDividends {
  readonly symbol: string;
  /**
   * False where Nasdaq has no history: for issues listed elsewhere it answers 200 with a message and no rows,
   * which does not mean that the company pays no dividend.
   */
  readonly is_covered: boolean;
  /** Newest first, as sent. */
  readonly rows: readonly SymbolDividend[];
  readonly received_at: Temporal.Instant;
}

const DOCUMENT = "dividends";
const NOT_COVERED = /non-nasdaq|not available|unavailable/i;

function typeOf(word: string | null): DividendType {
  if (word === null) return "other";
  if (/special|extra/i.test(word)) return "special";
  if (/stock|share/i.test(word)) return "stock";
  return /cash/i.test(word) ? "cash" : "other";
}

function readRow(row: Wire): SymbolDividend[] {
  const ex_dividend_date = row.at("exOrEffDate").dateOrNull();
  if (ex_dividend_date === null) return [];
  const dividend_type = typeOf(row.at("type").textOrNull());
  return [
    {
      ex_dividend_date,
      dividend_type,
      declaration_date: row.at("declarationDate").dateOrNull(),
      record_date: row.at("recordDate").dateOrNull(),
      payment_date: row.at("paymentDate").dateOrNull(),
      amount: dividend_type === "stock" ? null : row.at("amount").numberOrNull(),
      currency: row.at("currency").textOrNull(),
    },
  ];
}

/** Reads one answer. Pure. */
export function readSymbolDividends(symbol: string, answer: UpstreamAnswer): SymbolDividends {
  const { data, message, refusal } = readEnvelope(DOCUMENT, answer);
  if (refusal !== null) throw noSuchSymbol(symbol, refusal);
  const table = data?.at("dividends") ?? null;
  const rows = table === null || table.isMissing ? [] : table.at("rows").itemsOrNone();
  return {
    symbol,
    is_covered: rows.length > 0 || (data !== null && !NOT_COVERED.test(message ?? "")),
    rows: rows.flatMap(readRow),
    received_at: answer.receivedAt,
  };
}

/**
 * Fetches one canonical symbol of an asset class. Throws NotFound where Nasdaq has no such symbol in it,
 * Upstream*.
 */
export async function askSymbolDividends(
  upstream: Upstream,
  symbol: string,
  assetClass: AssetClass,
  signal?: AbortSignal,
): Promise<SymbolDividends> {
  const path = symbolPath(symbol);
  if (path === null) throw noSuchSymbol(symbol, "its spelling there is not known");
  const url = `https://${API_HOST}/api/quote/${path}/dividends?assetclass=${assetClass}`;
  return fetchDecoded(upstream, { url, signal }, (answer) => readSymbolDividends(symbol, answer));
}
