// Nasdaq's feed of articles about a symbol, with the symbols each one names.

import { type Headlines, headlineOf, linkedTickers } from "../../../market/headline.ts";
import { fromNasdaq, toNasdaq } from "../../../market/spelling.ts";
import { fieldOf, fieldsOf, type readFeed } from "../../../platform/feed/feed.ts";
import { feedOf } from "../../../platform/feed/feed-answer.ts";
import { fetchDecoded } from "../../../platform/upstream/decode.ts";
import type { Upstream } from "../../../platform/upstream/policy.ts";
import { NASDAQ_HOST } from "../policy.ts";

const NAME = "Nasdaq";

const letters = (text: string) => text.toUpperCase().replace(/[^A-Z0-9]/g, "");

/**
 * Whether the title is `AAPL Feed` for that symbol. For an unknown symbol Nasdaq sends its general feed,
 * without an error.
 */
export function isFeedOf(spelled: string, title: string | null): boolean {
  const whose = /^(.+?)\s+feed$/i.exec(title?.trim() ?? "")?.[1];
  return whose !== undefined && letters(whose) === letters(spelled);
}

/** Reads the articles of one feed; null when it is not the symbol's own. Pure. */
export function readArticles(feed: ReturnType<typeof readFeed>, spelled: string): Headlines | null {
  if (!isFeedOf(spelled, fieldOf(feed.about, "title"))) return null;
  const articles = feed.entries.map((entry) =>
    headlineOf(entry, feed.about, {
      tickers: linkedTickers(
        fieldsOf(entry, "nasdaq:tickers")
          .flatMap(({ text }) => text.split(","))
          .map((text) => fromNasdaq(text.trim()) ?? text.trim()),
      ),
      // The "creator" is the publisher, not a person.
      source: fieldOf(entry, "dc:creator"),
      author: null,
    }),
  );
  const read = articles.filter((article) => article !== null);
  return { articles: read, unread: articles.length - read.length };
}

/**
 * Fetches articles about a canonical symbol; null when Nasdaq does not know it. Throws Upstream* when it
 * fails.
 */
export async function askArticles(
  upstream: Upstream,
  symbol: string,
  signal?: AbortSignal,
): Promise<Headlines | null> {
  const spelled = toNasdaq(symbol);
  if (spelled === null) return null;
  const query = new URLSearchParams({ symbol: spelled });
  const url = `https://${NASDAQ_HOST}/feed/rssoutbound?${query}`;
  return fetchDecoded(upstream, { url, signal }, (answer) =>
    readArticles(feedOf(upstream.policy.name, NAME, answer), spelled),
  );
}
