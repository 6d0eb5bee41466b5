// GlobeNewswire's feeds of press releases, with the exchange and symbol of the issuer.

import { type Headlines, headlineOf, linkedTickers } from "../../../market/headline.ts";
import { type FeedEntry, fieldOf, fieldsOf, type readFeed } from "../../../platform/feed/feed.ts";
import { feedOf } from "../../../platform/feed/feed-answer.ts";
import { fetchDecoded } from "../../../platform/upstream/decode.ts";
import type { Upstream } from "../../../platform/upstream/policy.ts";
import { GLOBENEWSWIRE_HOST } from "../policy.ts";

export type Feed = ReturnType<typeof readFeed>;

/**
 * News about public companies of all countries, and of the two exchanges; each feed has the newest twenty.
 */
export const GLOBENEWSWIRE_FEEDS = [
  "/RssFeed/orgclass/1/feedTitle/GlobeNewswire%20-%20News%20about%20Public%20Companies",
  "/RssFeed/exchange/NASDAQ",
  "/RssFeed/exchange/NYSE",
] as const;

const NAME = "GlobeNewswire";
const STOCK_DOMAIN = /globenewswire\.com\/rss\/stock$/i;
/** US exchanges. `TSX:ABC` and `Euronext Lisbon:BCP` are other companies than the US symbols ABC and BCP. */
const US_EXCHANGE =
  /^(?:nasdaq(?:[ -]?(?:gm|gs|cm|global(?: select)?(?: market)?|capital market))?|nyse(?:[ -]?(?:american|arca|mkt|amex))?|amex|cboe|bats|otc(?:[ -]?(?:qb|qx|bb|pink|markets|other))?|otc markets|pink)$/i;

/** The symbol in `Nasdaq:ACME`; null when the exchange is not a US one. */
function usSymbol(text: string): string | null {
  const at = text.lastIndexOf(":");
  return at > 0 && US_EXCHANGE.test(text.slice(0, at).trim()) ? text.slice(at + 1).trim() : null;
}

const tickersOf = (entry: FeedEntry) =>
  linkedTickers(
    fieldsOf(entry, "category")
      .filter(({ attributes }) => STOCK_DOMAIN.test(attributes.domain ?? ""))
      .map(({ text }) => usSymbol(text)),
  );

/** Reads the releases of one feed. Pure. */
export function readReleases(feed: Feed): Headlines {
  const articles = feed.entries.map((entry) =>
    headlineOf(entry, feed.about, {
      // The number of the release; its address changes with its title.
      id: fieldOf(entry, "dc:identifier"),
      tickers: tickersOf(entry),
      source: NAME,
      author: fieldOf(entry, "dc:contributor"),
    }),
  );
  const read = articles.filter((article) => article !== null);
  return { articles: read, unread: articles.length - read.length };
}

/** Fetches all feeds, or none. Throws Upstream* when one is not complete. */
export async function askReleases(upstream: Upstream, signal?: AbortSignal): Promise<Headlines> {
  const all: Headlines[] = [];
  for (const path of GLOBENEWSWIRE_FEEDS) {
    const url = `https://${GLOBENEWSWIRE_HOST}${path}`;
    const releases = await fetchDecoded(upstream, { url, signal }, (answer) =>
      readReleases(feedOf(upstream.policy.name, NAME, answer)),
    );
    all.push(releases);
  }
  return {
    articles: all.flatMap(({ articles }) => articles),
    unread: all.reduce((sum, { unread }) => sum + unread, 0),
  };
}
