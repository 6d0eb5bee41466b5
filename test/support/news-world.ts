// News for tests: ingested articles, and the providers' feeds read without the service's code.
import { expect } from "bun:test";
import type { SampleService } from "./service.ts";

export const N = "/api/v1/news";
export const KEYS = { MARKETFEED_API_KEY: "key", MARKETFEED_SECRET_KEY: "secret" };

export interface Article {
  readonly id: string;
  readonly provider: string;
  readonly provider_article_id: string;
  readonly other_providers: readonly string[];
  readonly headline: string;
  readonly summary: string | null;
  readonly url: string | null;
  readonly source: string | null;
  readonly author: string | null;
  readonly tickers: readonly string[];
  readonly published_at: string | null;
  readonly updated_at: string | null;
  readonly ingested_at: string;
  readonly known_at: string;
  readonly revision: number;
  readonly image_url: string | null;
  readonly language: string | null;
}
export interface Page {
  readonly ticker?: string;
  readonly count: number;
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly has_more: boolean;
  readonly warnings: readonly string[];
  readonly data: readonly Article[];
}
export interface Result {
  readonly provider: string;
  readonly fetched: number;
  readonly inserted: number;
  readonly updated: number;
  readonly duplicates: number;
  readonly unread: number;
  readonly error: string | null;
}
export interface Ingested {
  readonly status: string;
  readonly run_id: number;
  readonly results: readonly Result[];
}

export async function ingest(service: SampleService, body: object = {}, path = "ingest"): Promise<Ingested> {
  const answer = await service.post<Ingested>(`${N}/admin/${path}`, body);
  expect(answer.status).toBe(200);
  return answer.body;
}

export async function list(service: SampleService, query = ""): Promise<Page> {
  const answer = await service.get<Page>(`${N}${query}`);
  expect(answer.status).toBe(200);
  return answer.body;
}

const between = (text: string, tag: string) =>
  [...text.matchAll(new RegExp(`<${tag}(?:\\s[^>]*)?>([\\s\\S]*?)</${tag}>`, "g"))].map(
    (match) => match[1] ?? "",
  );
const plain = (text: string) =>
  text
    .replace(/^\s*<!\[CDATA\[|\]\]>\s*$/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");

export interface RawItem {
  readonly title: string;
  readonly link: string;
  readonly guid: string;
  readonly pubDate: string;
  readonly stocks: readonly string[];
  readonly number: string | undefined;
}

/** A feed of the sample market as it is now: its title and items. */
export async function rawFeed(service: SampleService, address: string) {
  const agent = "Mozilla/5.0 (X11; Linux x86_64)";
  const response = await fetch(`${service.sample.url}/${address}`, { headers: { "user-agent": agent } });
  const text = await response.text();
  const items = between(text, "item").map((item): RawItem => {
    const one = (tag: string) => plain(between(item, tag)[0] ?? "");
    return {
      title: one("title"),
      link: one("link"),
      guid: one("guid"),
      pubDate: one("pubDate"),
      stocks: [...item.matchAll(/rss\/stock">([^<]+)</g)].map((match) => match[1] ?? ""),
      number: between(item, "dc:identifier")[0],
    };
  });
  return { title: between(text.replace(/<item>[\s\S]*/, ""), "title")[0] ?? "", items };
}

export const WIRE = "www.globenewswire.com/RssFeed/orgclass/1/feedTitle/x";
export const EXCHANGES = ["NASDAQ", "NYSE"].map((name) => `www.globenewswire.com/RssFeed/exchange/${name}`);
export const yahooFeed = (symbols: string) =>
  `feeds.finance.yahoo.com/rss/2.0/headline?s=${encodeURIComponent(symbols)}&region=US&lang=en-US`;
export const nasdaqFeed = (symbol: string) =>
  `www.nasdaq.com/feed/rssoutbound?symbol=${encodeURIComponent(symbol)}`;

/** Every article of the brokerage feed that changed in a span, oldest change first. */
export async function rawArticles(service: SampleService, start: string, end: string) {
  type Raw = {
    id: number;
    headline: string;
    created_at: string;
    updated_at: string;
    url: string | null;
    symbols: string[];
  };
  const found: Raw[] = [];
  let token: string | null = null;
  do {
    const query = new URLSearchParams({
      start,
      end,
      limit: "50",
      sort: "asc",
      ...(token ? { page_token: token } : {}),
    });
    const response = await fetch(`${service.sample.url}/data.alpaca.markets/v1beta1/news?${query}`, {
      headers: { "apca-api-key-id": "k", "apca-api-secret-key": "s" },
    });
    const body = (await response.json()) as { news: Raw[]; next_page_token: string | null };
    found.push(...body.news);
    token = body.next_page_token;
  } while (token !== null);
  return found;
}
