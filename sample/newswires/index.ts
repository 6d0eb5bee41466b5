// The news feeds over the sample market: GlobeNewswire's releases, Nasdaq's and Yahoo's articles about a
// symbol.
import { fromNasdaq, fromYahoo, toNasdaq, toYahoo } from "../../src/market/spelling.ts";
import { canonical } from "../../src/market/ticker.ts";
import type { Market } from "../market.ts";
import { addressOf, createStories, escaped, headlineNow, type Stories, type Story } from "../stories.ts";
import type { SampleUpstream } from "../wire.ts";
import { type Reply, textReply } from "../wire.ts";

const WIRE_HOST = "www.globenewswire.com";
const NASDAQ_HOST = "www.nasdaq.com";
const YAHOO_HOST = "feeds.finance.yahoo.com";
const ITEMS = 20;
const EXCHANGES: Readonly<Record<string, string>> = {
  NMS: "Nasdaq",
  NGM: "Nasdaq",
  NCM: "Nasdaq",
  NYQ: "NYSE",
  ASE: "NYSE American",
};
const NO_SYMBOL = "Nasdaq Articles";

const xml = (body: string): Reply => ({
  status: 200,
  headers: { "content-type": "application/rss+xml; charset=utf-8" },
  body: `<?xml version="1.0" encoding="utf-8"?>\n${body}`,
});
const cdata = (html: string) => `<![CDATA[${html}]]>`;
const day = (at: number) => new Date(at * 1000).toUTCString();
/** `Tue, 25 Aug 2026 11:30 GMT`: this wire writes no seconds. */
const toTheMinute = (at: number) => day(at).replace(/:\d{2} GMT$/, " GMT");
const withOffset = (at: number) => day(at).replace("GMT", "+0000");

/** Writes a moment by New York's clock in summer, wherever in the year: as some feeds do. */
const byEasternClock = (at: number) => day(at - 4 * 3600).replace("GMT", "EDT");

function releaseItem(story: Story): string {
  const { id, at, headline, summary, symbols, issuer, kind } = story;
  const exchange = kind === "abroad" ? "Euronext Lisbon" : (EXCHANGES[story.exchange] ?? "OTC");
  const stocks = symbols.map(
    (symbol) =>
      `<category domain="https://www.globenewswire.com/rss/stock">${exchange}:${canonical(symbol)}</category>`,
  );
  return `<item><guid isPermaLink="true">${addressOf(story)}</guid><link>${addressOf(story)}</link>
${stocks.join("")}<category domain="https://www.globenewswire.com/rss/ISIN">US0000000000</category><category>Calendar of Events</category>
<title>${escaped(headline)}</title><description>${cdata(`<p align="justify">${escaped(summary)}</p>`)}</description>
<pubDate>${toTheMinute(at)}</pubDate><dc:identifier>${id}</dc:identifier><dc:language>en</dc:language><dc:publisher>GlobeNewswire Inc.</dc:publisher>
<dc:contributor>${escaped(issuer)}</dc:contributor></item>`;
}

function releases(stories: Stories, path: string): Reply | null {
  const exchange = /^\/RssFeed\/exchange\/(NASDAQ|NYSE)$/i.exec(path)?.[1]?.toUpperCase();
  if (exchange === undefined && !path.startsWith("/RssFeed/orgclass/1/")) return null;
  const fits = (story: Story) =>
    story.kind !== "desk" &&
    (exchange === undefined ||
      (story.kind === "wire" && EXCHANGES[story.exchange]?.toUpperCase() === exchange));
  const items = stories.newest(ITEMS, fits).map(releaseItem);
  return xml(
    `<rss version="2.0" xmlns:dc="http://dublincore.org/documents/dcmi-namespace/"><channel><title>GlobeNewswire - News about Public Companies</title>${items.join("")}</channel></rss>`,
  );
}

/** Nasdaq links its own page of an article, the wire's where it took it from there. */
function nasdaqItem(story: Story, now: number): string {
  const { id, at, summary, symbols, kind } = story;
  const url =
    kind === "wire"
      ? `${addressOf(story)}?utm_source=nasdaq&utm_medium=rss`
      : `https://www.nasdaq.com/articles/${id}`;
  const tickers = symbols.flatMap((symbol) => toNasdaq(canonical(symbol)) ?? []);
  return `<item><title>${escaped(headlineNow(story, now))}</title><link>${escaped(url)}</link>
<description>\n  ${escaped(`<p>${escaped(summary)}</p>`)}\n</description><pubDate>${withOffset(at)}</pubDate>
<guid isPermaLink="true">${escaped(`${url}${url.includes("?") ? "&" : "?"}time=${at}`)}</guid><dc:creator>The Sample Fool</dc:creator>
<category>Markets</category><nasdaq:tickers>${[...tickers, ...tickers.slice(0, 1)].join(",")}</nasdaq:tickers></item>`;
}

function nasdaqFeed(market: Market, stories: Stories, asked: string): Reply {
  const symbol = fromNasdaq(asked.toUpperCase());
  const found = symbol === null ? null : market.find(toYahoo(symbol));
  const isKnown = found?.kind === "listed";
  const fits = ({ symbols, kind }: Story) =>
    kind !== "abroad" && (!isKnown || symbols.includes(found.symbol));
  const items = stories.newest(ITEMS, fits).map((story) => nasdaqItem(story, market.now()));
  const title = isKnown ? `${asked.toUpperCase()} Feed` : NO_SYMBOL;
  return xml(
    `<rss xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:nasdaq="http://nasdaq.com/reference/feeds/1.0" version="2.0"><channel><title>${title}</title>${items.join("")}</channel></rss>`,
  );
}

/** Some dates cannot be read, some are in New York's time; titles are HTML within the XML. */
function yahooItem(story: Story, now: number): string {
  const { id, at, summary } = story;
  const dated = id % 9 === 4 ? "moments ago" : id % 9 === 5 ? byEasternClock(at) : withOffset(at);
  return `<item><description>${escaped(escaped(summary))}</description><guid isPermaLink="false">sample-${id}</guid>
<link>${escaped(`${addressOf(story)}?.tsrc=rss`)}</link><pubDate>${dated}</pubDate><title>${escaped(escaped(headlineNow(story, now)))}</title></item>`;
}

function yahooFeed(market: Market, stories: Stories, asked: string): Reply {
  const spelled = asked.split(",").map((text) => text.trim().toUpperCase());
  const symbols = spelled.flatMap((text) => {
    const symbol = fromYahoo(text);
    const found = symbol === null ? null : market.find(toYahoo(symbol));
    return found?.kind === "listed" ? [found.symbol] : [];
  });
  const fits = (story: Story) =>
    story.kind !== "abroad" && story.symbols.some((symbol) => symbols.includes(symbol));
  const items =
    symbols.length === 0 ? [] : stories.newest(ITEMS, fits).map((story) => yahooItem(story, market.now()));
  return xml(
    `<rss version="2.0"><channel><copyright>Copyright (c) Sample</copyright><description>Latest Financial News for ${escaped(spelled.join(","))}</description><language>en-US</language><title>Yahoo! Finance: ${escaped(spelled.join(","))} News</title>${items.join("\n")}</channel></rss>`,
  );
}

/** The three feeds. */
export function createNewswires(market: Market): SampleUpstream {
  const stories = createStories(market);
  return {
    answer({ host, path, query, headers }) {
      if (host === WIRE_HOST)
        return releases(stories, path) ?? textReply(404, "<html><body>Not Found</body></html>");
      if (host === NASDAQ_HOST && path === "/feed/rssoutbound") {
        const isBrowser = String(headers["user-agent"] ?? "").startsWith("Mozilla/5.0 (X11");
        return isBrowser
          ? nasdaqFeed(market, stories, query.get("symbol") ?? "")
          : textReply(403, "<HTML><BODY>Access Denied</BODY></HTML>");
      }
      if (host === YAHOO_HOST && path === "/rss/2.0/headline")
        return String(headers["user-agent"] ?? "").startsWith("Mozilla/")
          ? yahooFeed(market, stories, query.get("s") ?? "")
          : textReply(429, "Too Many Requests");
      return null;
    },
  };
}
