// The feeds as they are written, with their oddities; broken feeds are rejected.
import { expect, test } from "bun:test";
import { UpstreamFailed, UpstreamRefused } from "../../platform/errors.ts";
import { readFeed } from "../../platform/feed/feed.ts";
import { feedOf } from "../../platform/feed/feed-answer.ts";
import type { UpstreamAnswer } from "../../platform/upstream/policy.ts";
import { classifyGlobenewswire, isFeedOf, readArticles, readReleases } from "./index.ts";

const wire = (items: string) =>
  `<rss version="2.0"><channel><title>GlobeNewswire</title><language>en</language>${items}</channel></rss>`;
const stock = (text: string) =>
  `<category domain="http://www.globenewswire.com/rss/stock">${text}</category>`;
const read = (items: string) => readReleases(readFeed(wire(items)));

test("a release: number, issuer, symbols of US exchanges, text without markup", () => {
  const { articles, unread } =
    read(`<item><guid>https://g.example/r/1</guid><link>https://g.example/r/1</link>
    ${stock("Nasdaq:ACME")}${stock("NYSE:ACM.B")}${stock("NYSE American:ACX")}${stock("Euronext Lisbon:BCP")}${stock("TSX:ABC")}${stock("nasdaq: acme ")}
    <category domain="http://www.globenewswire.com/rss/ISIN">US0</category><title>Acme&#39;s R&amp;amp;D is up</title>
    <description><![CDATA[<p align="justify">CITY, &nbsp; <b>Sept. 9</b></p><p>More.</p><img src="https://p.example/1.gif">]]></description>
    <pubDate>Tue, 25 Aug 2026 11:30 GMT</pubDate><dc:modified>Tue, 25 Aug 2026 12:00 GMT</dc:modified><dc:identifier>33</dc:identifier>
    <dc:language>fr</dc:language><dc:contributor>Acme Inc.</dc:contributor><media:content url="https://m.example/i.png" medium="image"/></item>`);
  expect(unread).toBe(0);
  expect(
    articles.map((a) => ({ ...a, published_at: String(a.published_at), updated_at: String(a.updated_at) })),
  ).toEqual([
    {
      id: "33",
      headline: "Acme's R&D is up",
      summary: "CITY, Sept. 9 More.",
      url: "https://g.example/r/1",
      source: "GlobeNewswire",
      author: "Acme Inc.",
      tickers: ["ACME", "ACM.B", "ACX"],
      published_at: "2026-08-25T11:30:00Z",
      updated_at: "2026-08-25T12:00:00Z",
      image_url: "https://m.example/i.png",
      language: "fr",
    },
  ]);
});

test("missing fields are null; items that are not articles are counted", () => {
  const { articles, unread } = read(
    "<item><title>Bare</title><guid>g1</guid><pubDate>soon</pubDate></item><item><title> </title><guid>g2</guid></item><item><title>Nothing to tell it by</title></item>",
  );
  expect(unread).toBe(2);
  expect(articles).toEqual([
    {
      id: "g1",
      headline: "Bare",
      summary: null,
      url: null,
      source: "GlobeNewswire",
      author: null,
      tickers: [],
      published_at: null,
      updated_at: null,
      image_url: null,
      language: "en",
    },
  ]);
});

test("only web addresses count, and a summary is shortened", () => {
  const long = "word ".repeat(1000);
  const [article] = read(
    `<item><title>T</title><guid>g</guid><link>javascript:alert(1)</link><description>${long}</description></item>`,
  ).articles;
  expect(article?.url).toBeNull();
  expect(article?.summary?.length).toBeLessThanOrEqual(600);
  expect(article?.summary?.endsWith("word…")).toBe(true);
});

const nasdaq = (title: string) =>
  readFeed(`<rss><channel><title>${title}</title><item><title>H</title><link>https://n.example/1</link><guid>https://n.example/1?time=5</guid>
  <pubDate>Tue, 14 Jul 2026 15:06:00 +0000</pubDate><dc:creator>The House</dc:creator><nasdaq:tickers>TSM, AAPL,TSM,BRK/B,,^GSPC</nasdaq:tickers></item></channel></rss>`);

test("nasdaq: each symbol once, the publisher as its source", () => {
  const found = readArticles(nasdaq("AAPL Feed"), "AAPL");
  expect(found?.articles[0]).toMatchObject({
    id: "https://n.example/1?time=5",
    source: "The House",
    author: null,
    tickers: ["TSM", "AAPL", "BRK.B", "^GSPC"],
  });
});

test("nasdaq: null for a feed that is not the symbol's own", () => {
  for (const title of ["Nasdaq Articles", "Feed", "MSFT Feed", "Articles Feed", ""])
    expect(readArticles(nasdaq(title), "AAPL")).toBeNull();
  expect(isFeedOf("BRK/B", "BRK.B Feed")).toBe(true);
  expect(isFeedOf("AAPL", " aapl feed ")).toBe(true);
  expect(isFeedOf("A", "AA Feed")).toBe(false);
  expect(isFeedOf("AAPL", null)).toBe(false);
});

const answer = (status: number, body: string): UpstreamAnswer => ({
  url: "https://www.globenewswire.com/RssFeed/x",
  status,
  headers: new Headers(),
  bytes: new TextEncoder().encode(body),
  receivedAt: Temporal.Instant.from("2026-09-09T21:00:00Z"),
});

test("classifies an answer by its body, not only by its status", () => {
  const kind = (status: number, body: string) => classifyGlobenewswire(answer(status, body)).kind;
  expect(kind(200, wire(""))).toBe("ok");
  expect(kind(200, `\ufeff${wire("")}`)).toBe("ok");
  for (const body of [
    "",
    "<!DOCTYPE html><html></html>",
    "<HTML>Access Denied</HTML>",
    "{}",
    "Too many requests",
  ])
    expect(kind(200, body)).toBe("failed");
  expect(kind(429, "")).toBe("rate_limited");
  expect(kind(403, "<html>")).toBe("rate_limited");
  expect(kind(503, "")).toBe("failed");
  expect(kind(404, "<html>")).toBe("answered");
});

test("rejects an incomplete feed", () => {
  const whole = wire("<item><title>T</title><guid>g</guid></item>");
  expect(feedOf("x", "X", answer(200, whole)).entries).toHaveLength(1);
  for (const body of [whole.slice(0, -20), "<page/>", `<!DOCTYPE rss []>${whole}`])
    expect(() => feedOf("x", "X", answer(200, body))).toThrow(UpstreamFailed);
  expect(() => feedOf("x", "X", answer(404, "<html>"))).toThrow(UpstreamRefused);
});
