// GET /v1beta1/news: articles of a time span with the symbols they are about, page by page.
import {
  type Headline,
  type Headlines,
  headlineLine,
  linkedTickers,
  nameLine,
  summaryLine,
  webAddress,
} from "../../../market/headline.ts";
import { fromAlpaca } from "../../../market/spelling.ts";
import { readFeedDate } from "../../../platform/feed/feed-date.ts";
import type { Fields } from "../../../platform/upstream/json-place.ts";
import type { AlpacaClient, Decoded } from "../client.ts";
import { fieldsOf, itemsOf, requiredText, shapeChanged } from "../wire.ts";

export interface NewsRequest {
  /** In the feed's spelling; empty means all articles. */
  readonly symbols: readonly string[];
  /** Both inclusive, compared with the time of an article's last change. */
  readonly start: Temporal.Instant;
  readonly end: Temporal.Instant;
  readonly signal?: AbortSignal | undefined;
}

/** Most articles of a page. */
const PAGE_MAX = 50;
const SIZES = ["large", "small", "thumb"];

const stringOf = (value: unknown) => (typeof value === "string" ? value : null);

function imageOf(article: Fields, path: string): string | null {
  const images = itemsOf(article.images, `${path}.images`).map((image, i) =>
    fieldsOf(image, `${path}.images[${i}]`),
  );
  const rank = (image: Fields) => {
    const at = SIZES.indexOf(stringOf(image.size) ?? "");
    return at < 0 ? SIZES.length : at;
  };
  for (const image of images.toSorted((a, b) => rank(a) - rank(b))) {
    const address = webAddress(stringOf(image.url));
    if (address !== null) return address;
  }
  return null;
}

/** Reads an article; null when it has no headline. */
function readArticle(value: unknown, path: string): Headline | null {
  const article = fieldsOf(value, path);
  const { id } = article;
  if (!(typeof id === "number" && Number.isSafeInteger(id)) && !(typeof id === "string" && id !== ""))
    throw shapeChanged(`${path}.id`, "a number");
  const headline = headlineLine(stringOf(article.headline));
  if (headline === null) return null;
  const symbols = itemsOf(article.symbols, `${path}.symbols`).map((symbol) => {
    const text = stringOf(symbol);
    return text === null ? null : (fromAlpaca(text) ?? text);
  });
  return {
    id: String(id),
    headline,
    summary: summaryLine(stringOf(article.summary)),
    url: webAddress(stringOf(article.url)),
    source: nameLine(stringOf(article.source)),
    author: nameLine(stringOf(article.author)),
    tickers: linkedTickers(symbols),
    published_at: readFeedDate(stringOf(article.created_at)),
    updated_at: readFeedDate(stringOf(article.updated_at)),
    image_url: imageOf(article, path),
    language: null,
  };
}

interface NewsPage extends Headlines {
  readonly next: string | null;
}

/** Reads one page. Pure. Throws UpstreamFailed when its shape has changed. */
export function readNewsPage(body: unknown): NewsPage {
  const fields = fieldsOf(body, "news");
  if (fields.news !== null && !Array.isArray(fields.news)) throw shapeChanged("news.news", "a list");
  const articles = itemsOf(fields.news, "news.news").map((row, i) => readArticle(row, `news[${i}]`));
  const read = articles.filter((article) => article !== null);
  const token = fields.next_page_token;
  return {
    articles: read,
    unread: articles.length - read.length,
    next:
      token === undefined || token === null || token === "" ? null : requiredText(token, "next_page_token"),
  };
}

/**
 * Yields pages from the oldest change to the newest, so a caller that stops early has everything before that
 * point. Throws as AlpacaClient.get does.
 */
export async function* askNews(ask: AlpacaClient, request: NewsRequest): AsyncGenerator<Headlines> {
  const { symbols, start, end, signal } = request;
  const query: Record<string, string> = {
    start: start.toString(),
    end: end.toString(),
    limit: String(PAGE_MAX),
    sort: "asc",
    // Bodies are licensed and never stored, so they are not fetched.
    include_content: "false",
    ...(symbols.length === 0 ? {} : { symbols: symbols.join(",") }),
  };
  const seen = new Set<string>();
  let token: string | null = null;
  for (;;) {
    const answer: Decoded<NewsPage> = await ask.get(
      "/v1beta1/news",
      token === null ? query : { ...query, page_token: token },
      readNewsPage,
      signal,
    );
    const { next, ...headlines } = answer.content;
    yield headlines;
    if (next === null) return;
    // Checked after the page was yielded, which is useful even when the next one cannot be found.
    token = await ask.decode(() => unseenToken(next, seen));
    seen.add(token);
  }
}

/** Returns `token`. Throws UpstreamMisread when it was used before, since the pages would never end. */
function unseenToken(token: string, seen: ReadonlySet<string>): string {
  if (seen.has(token)) throw shapeChanged("next_page_token", "another than before");
  return token;
}
