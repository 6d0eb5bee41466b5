// Recorded feeds and pages of news, through the readers that serve them.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Headline } from "../../src/market/headline.ts";
import { canonical, isTicker } from "../../src/market/ticker.ts";
import { type Feed, feedText, fieldOf, fieldsOf, readFeed } from "../../src/platform/feed/feed.ts";
import { readNewsPage } from "../../src/providers/alpaca/index.ts";
import { isFeedOf, readArticles, readReleases } from "../../src/providers/newswires/index.ts";
import { readHeadlines } from "../../src/providers/yahoo/index.ts";

setDefaultTimeout(1_200_000);

const folder = process.env.CONFORMANCE_DIR ?? join(import.meta.dir, "../../../shared/real");
const filesOf = (part: string, ending: RegExp) =>
  existsSync(join(folder, part))
    ? readdirSync(join(folder, part))
        .filter((name) => ending.test(name) && !name.endsWith(".meta.json"))
        .map((name) => ({ name, bytes: new Uint8Array(readFileSync(join(folder, part, name))) }))
    : [];

/** The raw text between tags, read without the service's reader; CDATA unwrapped, entities as they stand. */
const rawOf = (source: string, tag: string) =>
  [...source.matchAll(new RegExp(`<${tag}(?:\\s[^>]*)?>([\\s\\S]*?)</${tag}>`, "g"))].map((match) =>
    (match[1] ?? "").replace(/^<!\[CDATA\[|\]\]>$/g, "").trim(),
  );
const itemsOf = (source: string) => rawOf(source, "item");
/** The moment of `Tue, 25 Aug 2026 11:30 GMT` by the engine's own reading. */
const momentOf = (text: string) => {
  const ms = Date.parse(text.replace(/(\d{2}:\d{2}) (GMT|[+-]\d{4})$/, "$1:00 $2"));
  return Number.isNaN(ms) ? null : ms;
};
const hasMarkup = (text: string | null) =>
  text !== null && (/<\/?(?:p|b|br|a|div|span)[\s>/]/i.test(text) || /&(?:amp|#\d+|nbsp|quot);/.test(text));

function sound(articles: readonly Headline[]): void {
  for (const article of articles) {
    expect(article.headline).not.toBe("");
    expect([article.headline, article.summary].filter(hasMarkup)).toEqual([]);
    expect(article.tickers.every((ticker) => isTicker(ticker) && canonical(ticker) === ticker)).toBe(true);
    expect(new Set(article.tickers).size).toBe(article.tickers.length);
    expect((article.summary ?? "").length).toBeLessThanOrEqual(1_200);
    for (const url of [article.url, article.image_url]) if (url !== null) expect(url).toMatch(/^https?:\/\//);
  }
}

const feeds = filesOf("news", /\.(?:xml|rss)$/);
if (feeds.length === 0) test.skip("skipped: no recordings", () => {});

describe("recorded feeds", () => {
  for (const { name, bytes } of feeds) {
    const source = feedText(bytes);
    const feed: Feed = readFeed(source);
    const raw = itemsOf(source);
    const title = fieldOf(feed.about, "title") ?? "";
    const isNasdaq = source.includes("http://nasdaq.com/reference/feeds");
    const symbol = /^(\S+) feed$/i.exec(title)?.[1];
    const found = isNasdaq
      ? readArticles(feed, symbol ?? "AAPL")
      : /^yahoo/i.test(title)
        ? readHeadlines(feed, /:\s*(\S+)\s+news/i.exec(title)?.[1] ?? "AAPL")
        : readReleases(feed);

    test(`${name}: every item that has a title is an article, in order, with its moment`, () => {
      if (isNasdaq && symbol === undefined) return expect(found).toBeNull();
      expect(feed.entries.length).toBe(raw.length);
      const titled = raw.filter((item) => (rawOf(item, "title")[0] ?? "") !== "");
      expect(found?.articles.length).toBe(titled.length);
      expect(found?.unread).toBe(raw.length - titled.length);
      expect(found?.articles.map(({ published_at }) => published_at?.epochMilliseconds ?? null)).toEqual(
        titled.map((item) => momentOf(rawOf(item, "pubDate")[0] ?? "")),
      );
      expect(found?.articles.map(({ url }) => url)).toEqual(
        titled.map((item) => (rawOf(item, "link")[0] ?? "").replaceAll("&amp;", "&")),
      );
      sound(found?.articles ?? []);
    });

    if (isNasdaq)
      test(`${name}: names each of its symbols once, and belongs to no other symbol`, () => {
        for (const [i, item] of raw.entries()) {
          const spelled = (rawOf(item, "nasdaq:tickers")[0] ?? "").split(",").filter(Boolean);
          expect(found?.articles[i]?.tickers ?? []).toEqual([...new Set(spelled.map(canonical))]);
          expect(found?.articles[i]?.source ?? null).toBe(rawOf(item, "dc:creator")[0] || null);
        }
        expect(isFeedOf("ZZZZQ", title)).toBe(false);
        expect(readArticles(feed, "ZZZZQ")).toBeNull();
      });
    else if (/globenewswire/i.test(title))
      test(`${name}: number, language and the symbols of US exchanges`, () => {
        for (const [i, entry] of feed.entries.entries()) {
          const article = found?.articles[i];
          expect(article?.id).toBe(fieldOf(entry, "dc:identifier") ?? fieldOf(entry, "guid") ?? "");
          expect(article?.language).toBe(fieldOf(entry, "dc:language") ?? fieldOf(feed.about, "language"));
          const listed = fieldsOf(entry, "category")
            .filter(({ attributes }) => attributes.domain?.endsWith("/rss/stock"))
            .flatMap(({ text }) => /^(?:nasdaq|nyse)[^:]*:\s*(.+)$/i.exec(text)?.[1] ?? []);
          for (const text of listed) expect(article?.tickers).toContain(canonical(text));
        }
      });

    test(`${name}: cut off anywhere it gives nothing`, () => {
      for (const part of [0.3, 0.6, 0.95])
        expect(() => readFeed(source.slice(0, Math.floor(source.length * part)))).toThrow();
    });
  }
});

interface RawArticle {
  readonly id: number;
  readonly headline: string;
  readonly source?: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly url: string | null;
  readonly images?: readonly { readonly size: string; readonly url: string }[];
  readonly symbols: readonly string[];
}
type RawPage = { readonly news: readonly RawArticle[]; readonly next_page_token: string | null };

const pages = filesOf("alpaca", /\.json$/).flatMap(({ name, bytes }) => {
  const body = JSON.parse(new TextDecoder().decode(bytes)) as Partial<RawPage>;
  return Array.isArray(body.news) ? [{ name, body: body as RawPage }] : [];
});
if (pages.length === 0) test.skip("skipped: no recordings of the brokerage feed's news", () => {});

describe("recorded pages of the brokerage feed", () => {
  for (const { name, body } of pages)
    test(`${name}: its articles with their numbers, symbols and moments, and the token of the next page`, () => {
      const { articles, unread, next } = readNewsPage(body);
      expect(unread).toBe(0);
      expect(next).toBe(body.next_page_token);
      expect(articles.map(({ id }) => id)).toEqual(body.news.map(({ id }) => String(id)));
      for (const [i, raw] of body.news.entries()) {
        const article = articles[i];
        expect(article?.tickers).toEqual(raw.symbols.map(canonical));
        expect(article?.published_at?.epochMilliseconds).toBe(Date.parse(raw.created_at));
        expect(article?.updated_at?.epochMilliseconds).toBe(Date.parse(raw.updated_at));
        // Older articles do not say who published them.
        expect(article?.source).toBe(raw.source ?? null);
        expect(article?.url).toBe(raw.url);
        const large = raw.images?.find(({ size }) => size === "large") ?? raw.images?.[0];
        expect(article?.image_url).toBe(large?.url ?? null);
        expect(article?.headline.length).toBeGreaterThan(0);
      }
      sound(articles);
    });
});
