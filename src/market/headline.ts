// A news article, the same for every provider: headline and short summary, never the body. And how to make
// one of a feed item.

import { type FeedEntry, fieldOf, fieldsOf, linkOf } from "../platform/feed/feed.ts";
import { readFeedDate } from "../platform/feed/feed-date.ts";
import { htmlText, shortened } from "../platform/feed/html-text.ts";
import { canonical, isTicker } from "./ticker.ts";

/** One article as one provider currently has it. */
export interface Headline {
  /** The provider's own identifier. */
  readonly id: string;
  readonly headline: string;
  readonly summary: string | null;
  readonly url: string | null;
  /** The publisher. */
  readonly source: string | null;
  readonly author: string | null;
  /** Canonical symbols that the provider links to the article; each once, in the provider's order. */
  readonly tickers: readonly string[];
  /** Null where the provider gives no readable time. */
  readonly published_at: Temporal.Instant | null;
  readonly updated_at: Temporal.Instant | null;
  readonly image_url: string | null;
  readonly language: string | null;
}

/** A provider's answer: the articles, and the number of items that are not one (no headline or no id). */
export interface Headlines {
  readonly articles: readonly Headline[];
  readonly unread: number;
}

/** Longest summary: some feeds put the whole article into their description. */
// An article of 4,000 characters in a description is cut to 600; its headline to 500.
export const SUMMARY_CHARS_MAX = 600;
const HEADLINE_CHARS_MAX = 500;
const URL_CHARS_MAX = 2_000;
const ID_CHARS_MAX = 500;
const NAME_CHARS_MAX = 200;

/** An http or https address; null for anything else (`javascript:`, a path, nothing). */
export function webAddress(text: string | null): string | null {
  if (text === null || text.length > URL_CHARS_MAX || !/^https?:\/\//i.test(text)) return null;
  return URL.canParse(text) ? text : null;
}

/** HTML as one line of text, shortened to `charsMax`. */
export function line(html: string | null, charsMax: number): string | null {
  const text = htmlText(html);
  return text === null ? null : shortened(text, charsMax);
}
export const headlineLine = (html: string | null) => line(html, HEADLINE_CHARS_MAX);
export const summaryLine = (html: string | null) => line(html, SUMMARY_CHARS_MAX);
export const nameLine = (html: string | null) => line(html, NAME_CHARS_MAX);

/** Symbols in their canonical spelling, each once. Leaves out texts that cannot be a symbol. */
export function linkedTickers(spelled: readonly (string | null)[]): string[] {
  const symbols = spelled.flatMap((text) =>
    text !== null && isTicker(text.trim()) ? [canonical(text)] : [],
  );
  return [...new Set(symbols)];
}

const IMAGES = ["media:content", "media:thumbnail", "enclosure"];

function imageOf(entry: FeedEntry): string | null {
  for (const name of IMAGES)
    for (const { attributes } of fieldsOf(entry, name)) {
      const isImage =
        name === "media:thumbnail" || attributes.medium === "image" || attributes.type?.startsWith("image/");
      const address = isImage ? webAddress(attributes.url ?? null) : null;
      if (address !== null) return address;
    }
  return null;
}

/** The fields that each provider reads in its own way. */
export type ItemFields = Pick<Headline, "tickers" | "source" | "author"> & { readonly id?: string | null };

/** An item of the feed `about` as an article; null where it has no headline or no identifier. */
export function headlineOf(entry: FeedEntry, about: FeedEntry, fields: ItemFields): Headline | null {
  const url = webAddress(linkOf(entry));
  const id = fields.id ?? fieldOf(entry, "guid") ?? fieldOf(entry, "id") ?? url;
  const headline = headlineLine(fieldOf(entry, "title"));
  if (id === null || id.length > ID_CHARS_MAX || headline === null) return null;
  const dated = (...names: string[]) => {
    for (const name of names) {
      const text = fieldOf(entry, name);
      if (text !== null) return readFeedDate(text);
    }
    return null;
  };
  return {
    id,
    headline,
    summary: summaryLine(fieldOf(entry, "description") ?? fieldOf(entry, "summary")),
    url,
    source: nameLine(fields.source),
    author: nameLine(fields.author),
    tickers: fields.tickers,
    published_at: dated("pubDate", "published", "dc:date"),
    updated_at: dated("dc:modified", "updated"),
    image_url: imageOf(entry),
    language: nameLine(fieldOf(entry, "dc:language") ?? fieldOf(about, "language")),
  };
}
