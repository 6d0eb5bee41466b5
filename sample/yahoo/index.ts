// The price provider's hosts: which path is answered by what, in its envelopes, statuses and headers.

import { type Market, suggestions } from "../market.ts";
import type { Correction } from "../view.ts";
import { jsonReply, type Reply, type SampleRequest, textReply } from "../wire.ts";
import { visualization } from "./calendar-events.ts";
import { chartOf } from "./chart.ts";
import { createHandshake } from "./handshake.ts";
import { quoteOf } from "./quote.ts";
import { createSummaries, type Summary } from "./quote-summary.ts";
import { createScreener } from "./screener.ts";

/** The changes of the dials inside an answer. */
export interface Tampering {
  readonly correct: Correction;
  /** The handshake leads through the consent pages. */
  readonly europe: boolean;
}

export interface Yahoo {
  /** Answers a request to one of the provider's hosts; null for any other host. */
  answer(request: SampleRequest, tampering: Tampering): Reply | null;
  expireCrumbs(): void;
}

const CHART_CACHE = "public, max-age=10, stale-while-revalidate=20";
const QUOTE_SYMBOLS_MAX = 100;
const SPARK_SYMBOLS_MAX = 20;
/** Where all upstream calls of the provider go, besides the pages of the handshake. */
const DATA_HOST = /^query[12]\.finance\.yahoo\.com$/;

const failure = (envelope: string, status: number, code: string, description: string): Reply =>
  jsonReply(status, { [envelope]: { result: null, error: { code, description } } });

function unknownSymbol(envelope: string): Reply {
  const [a, b, c] = suggestions();
  const hint = `(sample market: try ${a}, ${b} or ${c})`;
  return failure(envelope, 404, "Not Found", `No data found, symbol may be delisted ${hint}`);
}

function symbolsOf(query: URLSearchParams): string[] {
  const asked = (query.get("symbols") ?? "").split(",").map((symbol) => symbol.trim());
  return [...new Set(asked.filter(Boolean))];
}

function chartReply(market: Market, symbol: string, query: URLSearchParams, correct: Correction): Reply {
  const found = market.find(symbol);
  if (!found) return unknownSymbol("chart");
  const answer = chartOf(market, found, query, correct);
  if ("refusal" in answer)
    return failure("chart", answer.refusal.status, answer.refusal.code, answer.refusal.description);
  return jsonReply(200, { chart: { result: [answer.result], error: null } }, CHART_CACHE);
}

function quoteReply(market: Market, query: URLSearchParams, correct: Correction): Reply {
  const symbols = symbolsOf(query);
  if (symbols.length === 0)
    return failure("finance", 400, "Bad Request", "Missing required query parameter=symbols");
  if (symbols.length > QUOTE_SYMBOLS_MAX) return textReply(429, "Too Many Requests\r\n");
  const fields = query.get("fields")?.split(",") ?? null;
  const result = symbols.flatMap((symbol) => quoteOf(market, symbol, fields, correct) ?? []);
  return jsonReply(200, { quoteResponse: { result, error: null } }, "private, max-age=0");
}

/** Closes only, of up to twenty symbols; unknown ones are left out. */
function sparkReply(market: Market, query: URLSearchParams, correct: Correction): Reply {
  const symbols = symbolsOf(query);
  if (symbols.length === 0 || symbols.length > SPARK_SYMBOLS_MAX)
    return failure("spark", 400, "Bad Request", `Between 1 and ${SPARK_SYMBOLS_MAX} symbols are allowed`);
  const result: object[] = [];
  for (const symbol of symbols) {
    const found = market.find(symbol);
    if (!found) continue;
    const answer = chartOf(market, found, query, correct);
    if ("refusal" in answer)
      return failure("spark", answer.refusal.status, answer.refusal.code, answer.refusal.description);
    const { meta, timestamp, indicators } = answer.result;
    const closes = (indicators as { quote: { close?: unknown }[] }).quote.map(({ close }) =>
      close ? { close } : {},
    );
    const response = { meta, ...(timestamp !== undefined && { timestamp }), indicators: { quote: closes } };
    result.push({ symbol: found.symbol, response: [response] });
  }
  if (result.length === 0) return failure("spark", 404, "Not Found", "No data found for spark symbols");
  return jsonReply(200, { spark: { result, error: null } }, CHART_CACHE);
}

function summaryReply(symbol: string, modules: readonly string[], found: Summary): Reply {
  const name = "quoteSummary";
  if (found === "missing") return failure(name, 404, "Not Found", `Quote not found for symbol: ${symbol}`);
  const none = `No fundamentals data found for any of the summaryTypes=${modules.join(",")}`;
  if (!found) return failure(name, 404, "Not Found", none);
  return jsonReply(200, { quoteSummary: { result: [found], error: null } }, "public, max-age=1");
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The provider over a market. */
export function createYahoo(market: Market): Yahoo {
  const handshake = createHandshake(market.seed);
  const summaryOf = createSummaries(market);
  const screener = createScreener(market);
  return {
    expireCrumbs: handshake.expireCrumbs,
    answer(request, { correct, europe }) {
      const { host, path, query } = request;
      // Its headline feed is spoken by newswires/.
      if (host === "feeds.finance.yahoo.com") return null;
      if (host !== "yahoo.com" && !host.endsWith(".yahoo.com")) return null;
      const step = handshake.answer(request, europe);
      if (step) return step;
      if (!DATA_HOST.test(host)) return textReply(404, "Not Found");
      const chart = /^\/v8\/finance\/chart\/([^/]+)$/.exec(path);
      if (chart?.[1]) return chartReply(market, decode(chart[1]), query, correct);
      if (path === "/v7/finance/spark") return sparkReply(market, query, correct);
      if (path === "/v7/finance/quote")
        return handshake.holdsCrumb(request)
          ? quoteReply(market, query, correct)
          : failure("finance", 401, "Unauthorized", "Invalid Crumb");
      if (path === "/v1/finance/visualization" && request.method === "POST") {
        if (!handshake.holdsCrumb(request)) return failure("finance", 401, "Unauthorized", "Invalid Crumb");
        const result = visualization(market, request.body);
        return result
          ? jsonReply(200, { finance: { result: [result], error: null } }, "private, no-cache, no-store")
          : failure("finance", 400, "Bad Request", "Unknown entityIdType");
      }
      const summary = /^\/v10\/finance\/quoteSummary\/([^/]+)$/.exec(path);
      if (summary?.[1]) {
        if (!handshake.holdsCrumb(request)) return failure("finance", 401, "Unauthorized", "Invalid Crumb");
        const symbol = decode(summary[1]);
        const modules = (query.get("modules") ?? "").split(",").filter(Boolean);
        return summaryReply(symbol, modules, summaryOf(symbol, modules, correct));
      }
      const screened = screener.answer(request, correct, handshake.holdsCrumb(request));
      return screened ?? failure("finance", 404, "Not Found", "HTTP 404 Not Found");
    },
  };
}
