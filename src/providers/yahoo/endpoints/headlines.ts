// Yahoo's headlines about a symbol (RSS): about twenty of the newest, which do not name the symbols they are
// about.

import { type Headlines, headlineOf } from "../../../market/headline.ts";
import { toYahoo } from "../../../market/spelling.ts";
import { fieldOf, type readFeed } from "../../../platform/feed/feed.ts";
import { feedOf } from "../../../platform/feed/feed-answer.ts";
import { fetchDecoded } from "../../../platform/upstream/decode.ts";
import type { Upstream } from "../../../platform/upstream/policy.ts";
import { HEADLINES_HOST } from "../headlines-policy.ts";

/** `Yahoo! Finance: AAPL News` names the requested symbol; other titles name none. */
const TITLE = /^yahoo!?\s*finance:\s*(\S+)\s+news$/i;
/** Title of the item that Yahoo sends for an unknown symbol. */
const NOT_FOUND = /rss feed not found/i;

/**
 * Reads the articles of one feed, linked to the requested symbol; null when the feed is another symbol's.
 * Pure.
 */
export function readHeadlines(feed: ReturnType<typeof readFeed>, symbol: string): Headlines | null {
  const whose = TITLE.exec(fieldOf(feed.about, "title") ?? "")?.[1];
  if (whose !== undefined && whose.toUpperCase() !== toYahoo(symbol).toUpperCase()) return null;
  const entries = feed.entries.filter((entry) => !NOT_FOUND.test(fieldOf(entry, "title") ?? ""));
  if (entries.length === 0 && feed.entries.length > 0) return null;
  const articles = entries.map((entry) =>
    headlineOf(entry, feed.about, {
      tickers: [symbol],
      source: fieldOf(entry, "source"),
      author: fieldOf(entry, "dc:creator"),
    }),
  );
  const read = articles.filter((article) => article !== null);
  return { articles: read, unread: articles.length - read.length };
}

/**
 * Fetches headlines about one canonical symbol; null when Yahoo does not know it. Throws Upstream* when it
 * fails.
 */
export async function askHeadlines(
  upstream: Upstream,
  symbol: string,
  signal?: AbortSignal,
): Promise<Headlines | null> {
  const query = new URLSearchParams({ s: toYahoo(symbol), region: "US", lang: "en-US" });
  const url = `https://${HEADLINES_HOST}/rss/2.0/headline?${query}`;
  return fetchDecoded(upstream, { url, signal }, (answer) =>
    readHeadlines(feedOf(upstream.policy.name, "Yahoo", answer), symbol),
  );
}
