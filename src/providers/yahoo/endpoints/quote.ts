// Yahoo's v7 quote: the latest prices of many symbols. Needs a cookie and a crumb.

import type { Quote } from "../../../market/quote.ts";
import { toYahoo } from "../../../market/spelling.ts";
import { UpstreamRefused } from "../../../platform/errors.ts";
import { decoding } from "../../../platform/upstream/decode.ts";
import type { Upstream } from "../../../platform/upstream/policy.ts";
import { askInBatches } from "../batches.ts";
import type { Credentials } from "../credentials.ts";
import { readQuote } from "../parse/quote.ts";
import { DATA_HOST } from "../policy.ts";
import { readError, type Wire } from "../wire.ts";
import { askWithSession } from "../with-session.ts";

/** Why a symbol has no quote. */
export interface QuoteMissing {
  readonly code: "unknown_ticker" | "no_data";
  readonly reason: string;
}

/** Every requested symbol is in one of the two. */
export interface QuotesResult {
  readonly quotes: ReadonlyMap<string, Quote>;
  readonly absent: ReadonlyMap<string, QuoteMissing>;
}

/** Batches above 65 to 100 symbols are refused or hang since March 2025; 50 has always worked. */
const BATCH_SYMBOLS = 50;

function quoteUrl(spellings: readonly string[]): string {
  // `formatted=false`, since the default varies by host and time.
  const query = new URLSearchParams({
    symbols: spellings.join(","),
    formatted: "false",
    lang: "en-US",
    region: "US",
  });
  return `https://${DATA_HOST}/v7/finance/quote?${query}`;
}

/** The rows of one answer by symbol; their order differs from the request. */
function readRows(body: Wire, status: number): Map<string, Wire> {
  const error = readError(body);
  if (error) {
    const facts = { upstreamStatus: status, hint: error.description };
    throw new UpstreamRefused("yahoo", `Yahoo refused the quotes: ${error.description}`, facts);
  }
  const rows = body.at("quoteResponse").at("result").items();
  return new Map(rows.map((row) => [row.at("symbol").text().toUpperCase(), row]));
}

/**
 * Fetches quotes of `symbols` (canonical, any number), all or none. Throws UpstreamFailed,
 * UpstreamRateLimited, UpstreamTimeout or UpstreamRefused when a batch, or the session it needs, fails.
 */
export async function askQuotes(
  upstream: Upstream,
  credentials: Credentials,
  symbols: readonly string[],
  signal?: AbortSignal,
): Promise<QuotesResult> {
  const spellings = new Map(symbols.map((symbol) => [symbol, toYahoo(symbol).toUpperCase()]));
  const rows = await askInBatches([...new Set(spellings.values())], BATCH_SYMBOLS, async (batch) => {
    const request = { document: "quote", url: quoteUrl(batch), signal };
    return askWithSession(upstream, credentials, request, ({ body, answer }) =>
      readRows(body, answer.status),
    );
  });
  return decoding(upstream, () => readQuotes(spellings, rows));
}

function readQuotes(spellings: ReadonlyMap<string, string>, rows: ReadonlyMap<string, Wire>): QuotesResult {
  const quotes = new Map<string, Quote>();
  const absent = new Map<string, QuoteMissing>();
  for (const [symbol, spelling] of spellings) {
    const row = rows.get(spelling);
    const quote = row && readQuote(symbol, row);
    if (!row || !quote) {
      absent.set(symbol, { code: "unknown_ticker", reason: `Yahoo knows no ticker ${symbol}` });
    } else if ("reason" in quote) absent.set(symbol, { code: "no_data", reason: quote.reason });
    else quotes.set(symbol, quote);
  }
  return { quotes, absent };
}
