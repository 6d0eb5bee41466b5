// An article as every news provider is read: its headline and a short summary, never its body. And how a provider's feed item becomes one.

import { type FeedEntry, fieldOf, fieldsOf, linkOf } from "../platform/feed/feed.ts";
import { readFeedDate } from "../platform/feed/feed-date.ts";
import { htmlText, shortened } from "../platform/feed/html-text.ts";
import { canonical, isTicker } from "./ticker.ts";

/** One article as one provider has it now. */
export interface Headline {
  /** The provider's own name of it. */
  readonly id: string;
  readonly headline: string;
  readonly summary: string | null;
  readonly url: string | null;
  /** Who published it. */
  readonly source: string | null;
  readonly author: string | null;
  /** Canonical symbols it is about, as the provider links them; each once, in its order. */
  readonly tickers: readonly string[];
  /** Null where the provider gives no moment that can be read. */
  readonly published_at: Temporal.Instant | null;
  readonly updated_at: Temporal.Instant | null;
  readonly image_url: string | null;
  readonly language: string | null;
}

/** What a provider answered: whole articles, and how many items were none (no headline, no id). */
export interface Headlines {
  readonly articles: readonly Headline[];
  readonly unread: number;
}

/** A summary, not the article: some feeds put the whole text into their description. */
export const SUMMARY_CHARS_MAX = 600;
const HEADLINE_CHARS_MAX = 500;
const URL_CHARS_MAX = 2_000;
const ID_CHARS_MAX = 500;
const WORD_CHARS_MAX = 200;

/** A web address; null for anything else (`javascript:`, a path, nothing). */
export function webAddress(text: string | null): string | null {
  if (text === null || text.length > URL_CHARS_MAX || !/^https?:\/\//i.test(text)) return null;
  return URL.canParse(text) ? text : null;
}

/** One line of text out of HTML, cut to a sensible length. */
export function line(html: string | null, charsMax: number): string | null {
  const text = htmlText(html);
  return text === null ? null : shortened(text, charsMax);
}
export const headlineLine = (html: string | null) => line(html, HEADLINE_CHARS_MAX);
export const summaryLine = (html: string | null) => line(html, SUMMARY_CHARS_MAX);
export const wordLine = (html: string | null) => line(html, WORD_CHARS_MAX);

/** Symbols in their canonical spelling, each once; what can be no symbol is left out. */
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

/** What only the provider knows of its items. */
export type ItemFacts = Pick<Headline, "tickers" | "source" | "author"> & { readonly id?: string | null };

/** An item of a feed as an article; null where it has no headline or nothing to tell it by. */
export function headlineOf(entry: FeedEntry, about: FeedEntry, facts: ItemFacts): Headline | null {
  const url = webAddress(linkOf(entry));
  const id = facts.id ?? fieldOf(entry, "guid") ?? fieldOf(entry, "id") ?? url;
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
    source: wordLine(facts.source),
    author: wordLine(facts.author),
    tickers: facts.tickers,
    published_at: dated("pubDate", "published", "dc:date"),
    updated_at: dated("dc:modified", "updated"),
    image_url: imageOf(entry),
    language: wordLine(fieldOf(entry, "dc:language") ?? fieldOf(about, "language")),
  };
}
