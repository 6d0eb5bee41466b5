// The brokerage feed over the sample market: keys, the count of requests, pages, and one bad symbol that
// fails all.
import type { Market } from "../market.ts";
import type { Reply, SampleRequest, SampleUpstream } from "../wire.ts";
import { type BarsAsk, barsOf, type SentBar } from "./bars.ts";
import { actionsOf, everySymbol, type Listed } from "./corporate-actions.ts";
import { type Holder, holderOf, isWellFormed } from "./holders.ts";
import { createNews } from "./news.ts";
import { snapshotOf } from "./snapshots.ts";

const HOST = "data.alpaca.markets";
const LIMIT_A_MINUTE = 200;
const PAGE_DEFAULT = 1_000;
const PAGE_MAX = 10_000;
const ACTIONS_PAGE_DEFAULT = 100;
const ACTIONS_PAGE_MAX = 1_000;
const SIP_DELAY_S = 15 * 60;
/** Keys that begin so are taken for wrong ones. */
const WRONG_KEY = /^wrong/i;

type Answer = { readonly status: number; readonly body: unknown };
const refused = (status: number, message: string): Answer => ({ status, body: { message } });

const MINUTES: Readonly<Record<string, number | null>> = {
  "1Min": 1,
  "5Min": 5,
  "15Min": 15,
  "30Min": 30,
  "1Hour": 60,
  "1Day": null,
};

/** A moment as asked: RFC 3339, or a day, which means its midnight in UTC. */
function momentOf(text: string): number | null {
  const full = /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text;
  const ms = Date.parse(full);
  return Number.isNaN(ms) ? null : ms / 1000;
}

function symbolsOf(query: URLSearchParams): string[] | Answer {
  const symbols = [...new Set((query.get("symbols") ?? "").split(",").filter(Boolean))];
  if (symbols.length === 0) return refused(400, "symbols is required");
  const bad = symbols.find((symbol) => !isWellFormed(symbol));
  return bad === undefined ? symbols.sort() : refused(400, `invalid symbol: ${bad}`);
}

const tokenOf = (symbol: string, t: string) => Buffer.from(`${symbol}|${t}`).toString("base64");
function readToken(token: string | null): { symbol: string; t: string } | null {
  if (!token) return null;
  const [symbol = "", t = ""] = Buffer.from(token, "base64").toString("utf8").split("|");
  return { symbol, t };
}

function pageSize(query: URLSearchParams, preset: number, most: number): number | null {
  const limit = Number(query.get("limit") ?? preset);
  return Number.isInteger(limit) && limit >= 1 && limit <= most ? limit : null;
}

function barsAsk(market: Market, query: URLSearchParams): BarsAsk | Answer {
  const minutes = MINUTES[query.get("timeframe") ?? ""];
  const adjustment = query.get("adjustment") ?? "raw";
  const feed = query.get("feed") ?? "iex";
  const from = momentOf(query.get("start") ?? "");
  const to = momentOf(query.get("end") ?? "");
  if (minutes === undefined) return refused(400, `invalid timeframe: ${query.get("timeframe") ?? ""}`);
  if (from === null || to === null || to < from) return refused(400, "invalid start or end");
  if (adjustment !== "raw" && adjustment !== "split" && adjustment !== "all")
    return refused(400, `invalid adjustment: ${adjustment}`);
  if (feed !== "sip" && feed !== "iex") return refused(400, `invalid feed: ${feed}`);
  if (feed === "sip" && to > market.now() - SIP_DELAY_S)
    return refused(403, "subscription does not permit querying recent SIP data");
  return { minutes, from, to, adjustment, feed };
}

function barsAnswer(market: Market, query: URLSearchParams): Answer {
  const symbols = symbolsOf(query);
  if (!Array.isArray(symbols)) return symbols;
  const ask = barsAsk(market, query);
  if ("status" in ask) return ask;
  const size = pageSize(query, PAGE_DEFAULT, PAGE_MAX);
  if (size === null) return refused(400, "invalid limit");
  const after = readToken(query.get("page_token"));
  const bars: Record<string, SentBar[]> = {};
  let left = size;
  let last: { symbol: string; t: string } | null = null;
  for (const symbol of symbols) {
    if (after && symbol < after.symbol) continue;
    const holder = holderOf(market, symbol, query.get("asof"));
    if (!holder) continue;
    const rows = barsOf(market, holder, ask).filter((bar) => symbol !== after?.symbol || bar.t > after.t);
    if (rows.length === 0) continue;
    if (left === 0)
      return { status: 200, body: { bars, next_page_token: last && tokenOf(last.symbol, last.t) } };
    const taken = rows.slice(0, left);
    bars[symbol] = taken;
    left -= taken.length;
    last = { symbol, t: taken.at(-1)?.t ?? "" };
    if (taken.length < rows.length)
      return { status: 200, body: { bars, next_page_token: tokenOf(last.symbol, last.t) } };
  }
  return { status: 200, body: { bars, next_page_token: null } };
}

function snapshotsAnswer(market: Market, query: URLSearchParams): Answer {
  const symbols = symbolsOf(query);
  if (!Array.isArray(symbols)) return symbols;
  if (query.get("feed") !== "iex")
    return refused(403, "subscription does not permit querying recent SIP data");
  const held = (symbol: string): Holder | null => holderOf(market, symbol, null);
  const entries = symbols.map((symbol) => {
    const holder = held(symbol);
    return [symbol, holder && snapshotOf(market, holder)] as const;
  });
  return { status: 200, body: Object.fromEntries(entries) };
}

function actionsAnswer(market: Market, query: URLSearchParams): Answer {
  // Without symbols it lists the actions of the whole market.
  const symbols = query.has("symbols") ? symbolsOf(query) : everySymbol(market);
  if (!Array.isArray(symbols)) return symbols;
  const size = pageSize(query, ACTIONS_PAGE_DEFAULT, ACTIONS_PAGE_MAX);
  if (size === null) return refused(400, "invalid limit");
  const [start, end] = [query.get("start") ?? "", query.get("end") ?? ""];
  const types = new Set((query.get("types") ?? "").split(",").map((type) => `${type}s`));
  const from = Number(readToken(query.get("page_token"))?.t ?? 0);
  const all: Listed[] = symbols
    .flatMap((symbol) => actionsOf(market, symbol, start, end))
    .filter(({ group }) => types.has(group))
    .sort((a, b) => (a.process_date < b.process_date ? -1 : 1));
  const page = all.slice(from, from + size);
  const groups = Map.groupBy(page, ({ group }) => group);
  const next = from + size < all.length ? tokenOf("-", String(from + size)) : null;
  const corporate_actions = Object.fromEntries(
    [...groups].map(([group, rows]) => [group, rows.map((r) => r.row)]),
  );
  return { status: 200, body: { corporate_actions, next_page_token: next } };
}

function heldKeys(headers: SampleRequest["headers"]): Answer | null {
  const [key, secret] = [headers["apca-api-key-id"], headers["apca-api-secret-key"]];
  if (!key || !secret) return refused(401, "unauthorized.");
  return WRONG_KEY.test(String(key)) || WRONG_KEY.test(String(secret)) ? refused(403, "forbidden.") : null;
}

/** The feed over a market. */
export function createAlpaca(market: Market): SampleUpstream {
  let [minute, asked] = [0, 0];
  const news = createNews(market);
  const paths: Record<string, (market: Market, query: URLSearchParams) => Answer> = {
    "/v2/stocks/bars": barsAnswer,
    "/v2/stocks/snapshots": snapshotsAnswer,
    "/v1/corporate-actions": actionsAnswer,
    "/v1beta1/news": (_, query) => news(query),
  };
  const counted = (): Record<string, string> => {
    const now = Math.floor(market.now() / 60);
    if (now !== minute) [minute, asked] = [now, 0];
    asked++;
    const reset = String((minute + 1) * 60);
    const remaining = String(Math.max(0, LIMIT_A_MINUTE - asked));
    return {
      "x-ratelimit-limit": String(LIMIT_A_MINUTE),
      "x-ratelimit-remaining": remaining,
      "x-ratelimit-reset": reset,
    };
  };
  return {
    answer({ host, path, query, headers }): Reply | null {
      if (host !== HOST) return null;
      const own = paths[path];
      const limits = counted();
      const { status, body } =
        heldKeys(headers) ??
        (asked > LIMIT_A_MINUTE ? refused(429, "too many requests.") : null) ??
        (own
          ? own(market, query)
          : { status: 404, body: { code: 40_410_000, message: "resource not found" } });
      return {
        status,
        headers: { "content-type": "application/json; charset=UTF-8", ...limits },
        body: JSON.stringify(body),
      };
    },
  };
}
