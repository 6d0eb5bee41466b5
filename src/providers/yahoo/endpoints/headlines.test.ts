// Yahoo's headline feed: the symbol it belongs to, and its articles.
import { expect, test } from "bun:test";
import { readFeed } from "../../../platform/feed/feed.ts";
import { readHeadlines } from "./headlines.ts";

const feed = (title: string, items: string) =>
  readFeed(
    `<rss version="2.0"><channel><title>${title}</title><language>en-US</language>${items}</channel></rss>`,
  );
const ITEM = `<item><title>Apple &amp;amp; others &amp;lt;up&amp;gt; on R&amp;amp;D</title><link>https://finance.yahoo.com/news/1.html?.tsrc=rss</link>
  <guid isPermaLink="false">uuid-1</guid><pubDate>Wed, 15 Jul 2026 20:35:00 +0000</pubDate><description>Said &amp;#8217;so&amp;#8217;</description></item>`;

test("links articles to the requested symbol", () => {
  const found = readHeadlines(feed("Yahoo! Finance: AAPL News", ITEM), "AAPL");
  expect(found?.articles.map((a) => ({ ...a, published_at: String(a.published_at) }))).toEqual([
    {
      id: "uuid-1",
      headline: "Apple & others <up> on R&D",
      summary: "Said ’so’",
      tickers: ["AAPL"],
      url: "https://finance.yahoo.com/news/1.html?.tsrc=rss",
      source: null,
      author: null,
      published_at: "2026-07-15T20:35:00Z",
      updated_at: null,
      image_url: null,
      language: "en-US",
    },
  ]);
});

test("recognises a share class in Yahoo's spelling, in either case", () => {
  expect(readHeadlines(feed("Yahoo! Finance: brk-b News", ITEM), "BRK.B")?.articles[0]?.tickers).toEqual([
    "BRK.B",
  ]);
});

test("null for another symbol's feed and for an unknown symbol", () => {
  expect(readHeadlines(feed("Yahoo! Finance: MSFT News", ITEM), "AAPL")).toBeNull();
  const none = "<item><title>Yahoo! Finance: RSS feed not found</title><guid>g</guid></item>";
  expect(readHeadlines(feed("Yahoo! Finance: RSS feed not found", none), "ZZZZ")).toBeNull();
  expect(readHeadlines(feed("Yahoo! Finance: AAPL News", ""), "AAPL")?.articles).toEqual([]);
  // A title without a symbol proves nothing.
  expect(readHeadlines(feed("Latest headlines", ITEM), "AAPL")?.articles).toHaveLength(1);
});
