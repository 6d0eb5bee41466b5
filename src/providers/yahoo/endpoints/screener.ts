// Yahoo's screener: its predefined lists, which need no session, and custom queries, which do.

import { UpstreamRefused } from "../../../platform/errors.ts";
import { instantText } from "../../../platform/instant-text.ts";
import { fetchDecoded } from "../../../platform/upstream/decode.ts";
import type { Upstream } from "../../../platform/upstream/policy.ts";
import type { Credentials } from "../credentials.ts";
import { readScreenerRow, type ScreenerRow } from "../parse/screener-row.ts";
import { DATA_HOST } from "../policy.ts";
import { type Screen, screenBody } from "../screen-query.ts";
import { isDenied, readError, readJson, type Wire } from "../wire.ts";
import { askWithSession, type SessionAnswer } from "../with-session.ts";

/** Most rows of one request; more are refused. */
export const SCREEN_ROWS_MAX = 250;
/** Highest offset: from here on Yahoo repeats the last page. */
export const SCREEN_OFFSET_MAX = 10_000;

/** Names of Yahoo's predefined lists, whose definitions may change. */
export type PredefinedList = "day_gainers" | "day_losers" | "most_actives" | "aggressive_small_caps";

/** A page of a list. Rows are in Yahoo's order, each symbol once. */
export interface ScreenPage {
  /** Number of rows that match at Yahoo, including those not on this page. */
  readonly total: number;
  readonly start: number;
  readonly rows: readonly ScreenerRow[];
  /** When the answer was complete, RFC 3339 UTC. */
  readonly received_at: string;
}

const ABOUT = { formatted: "false", lang: "en-US", region: "US", corsDomain: "finance.yahoo.com" };

/**
 * Reads a page. Rejects one with another offset than requested, which would pass the first page off as the
 * second.
 */
function readPage({ body, answer }: SessionAnswer, start: number, list: PredefinedList | null): ScreenPage {
  const error = readError(body);
  if (error) {
    const facts = { upstreamStatus: answer.status, hint: error.description };
    throw new UpstreamRefused("yahoo", `Yahoo refused the screen: ${error.description}`, facts);
  }
  const result: Wire = body.at("finance").at("result").first();
  const begins = result.at("start");
  if (!begins.isMissing && begins.number() !== start) throw begins.wrong(`${start}, as asked`);
  const name = result.at("canonicalName");
  if (list !== null && !name.isMissing && name.text().toLowerCase() !== list) throw name.wrong(list);
  const total = result.at("total").number();
  if (!Number.isInteger(total) || total < 0) throw result.at("total").wrong("a count");
  const rows = new Map<string, ScreenerRow>();
  for (const row of result.at("quotes").items().map(readScreenerRow))
    if (!rows.has(row.symbol)) rows.set(row.symbol, row);
  return {
    total,
    start,
    rows: [...rows.values()],
    received_at: instantText(answer.receivedAt.epochMilliseconds),
  };
}

/**
 * Fetches `count` (at most 250) rows of a predefined list from `start` on. Uses a session only when Yahoo
 * requires it. Throws UpstreamFailed, UpstreamRateLimited, UpstreamTimeout, UpstreamRefused.
 */
export async function askPredefined(
  upstream: Upstream,
  credentials: Credentials,
  list: PredefinedList,
  span: { readonly start: number; readonly count: number },
  signal?: AbortSignal,
): Promise<ScreenPage> {
  // `start` and `count`; the `offset` and `size` of a query are ignored here.
  const query = new URLSearchParams({
    scrIds: list,
    start: String(span.start),
    count: String(span.count),
    ...ABOUT,
  });
  const url = `https://${DATA_HOST}/v1/finance/screener/predefined/saved?${query}`;
  const decode = (served: SessionAnswer) => readPage(served, span.start, list);
  const page = await fetchDecoded(upstream, { url, signal }, (answer) => {
    const body = readJson("screener", answer);
    return isDenied(readError(body), answer.status) ? null : decode({ body, answer });
  });
  return page ?? askWithSession(upstream, credentials, { document: "screener", url, signal }, decode);
}

/**
 * Fetches a page of the US stocks that pass the filters. Throws as `askPredefined`, and what the handshake
 * throws.
 */
export async function askScreen(
  upstream: Upstream,
  credentials: Credentials,
  screen: Screen,
  signal?: AbortSignal,
): Promise<ScreenPage> {
  const url = `https://${DATA_HOST}/v1/finance/screener?${new URLSearchParams(ABOUT)}`;
  const request = { document: "screener", url, body: screenBody(screen), signal };
  return askWithSession(upstream, credentials, request, (served) => readPage(served, screen.offset, null));
}
