// Decides which of a provider's articles are new, later versions or duplicates. Pure.
import type { newsHeadlines } from "../../datasets/news-headlines.ts";
import { newYorkDate } from "../../market/calendar.ts";
import type { Headline } from "../../market/headline.ts";
import type { RowOf } from "../../platform/lake/dataset.ts";
import { articleId, matchKey } from "./match.ts";

export type NewsRow = RowOf<typeof newsHeadlines>;

export interface Revised {
  /** Rows to store. */
  readonly rows: readonly NewsRow[];
  /** Articles that no provider had before, and later versions of known ones. */
  readonly inserted: number;
  readonly updated: number;
}

/** Clocks differ, but a publication time further in the future than this is an error of the provider. */
// A publication time 23 hours ahead is stored, one 25 hours ahead is null.
const AHEAD_MS_MAX = 24 * 3_600_000;

const listed = (items: Iterable<string>): string | null => [...items].join(",") || null;
const partsOf = (list: string | null): string[] => (list === null ? [] : list.split(","));
const joined = (a: readonly string[], b: readonly string[]) => [...new Set([...a, ...b])];
const momentText = (at: Temporal.Instant | null) => at?.toString() ?? null;
const msOf = (text: string | null) => (text === null ? null : Date.parse(text));

function publishedAt({ published_at }: Headline, now: Temporal.Instant): Temporal.Instant | null {
  if (published_at === null) return null;
  return published_at.epochMilliseconds - now.epochMilliseconds > AHEAD_MS_MAX ? null : published_at;
}

/** The first version of an article. */
function firstRow(provider: string, article: Headline, now: Temporal.Instant): NewsRow {
  const published = publishedAt(article, now);
  const { id, headline, summary, url, source, author, tickers, updated_at, image_url, language } = article;
  return {
    id: articleId(provider, id),
    filed_on: newYorkDate(published ?? now),
    provider,
    provider_article_id: id,
    other_providers: null,
    headline,
    summary,
    url,
    source,
    author,
    tickers: listed(tickers),
    published_at: momentText(published),
    updated_at: momentText(updated_at),
    image_url,
    language,
    placed_at: (published ?? now).toString(),
    match_key: matchKey(url, headline),
    revision: 1,
    ingested_at: now.toString(),
    known_at: now.toString(),
  };
}

/**
 * The next version of an article at its first provider: the new contents count, the first publication time
 * stays.
 */
// Made up: published at 10:00 and listed again with 11:00: published at 10:00, updated at 11:00.
function sameProvider(old: NewsRow, article: Headline, now: Temporal.Instant): NewsRow {
  const oldMs = msOf(old.updated_at);
  const newMs = article.updated_at?.epochMilliseconds ?? null;
  // An older copy, such as one from a cache, has nothing new.
  if (oldMs !== null && newMs !== null && newMs < oldMs) return old;
  const { headline, summary, url, source, author, image_url, language } = article;
  const published = publishedAt(article, now);
  const first = old.published_at ?? momentText(published);
  // Some feeds mark a changed article by moving its publication time.
  const moved =
    published !== null && msOf(first) !== null && published.epochMilliseconds > (msOf(first) ?? 0);
  const updatedAt = article.updated_at ?? (moved ? published : null);
  const isLater = newMs !== null && oldMs !== null && newMs > oldMs;
  return {
    ...old,
    headline,
    summary,
    url,
    source,
    author,
    image_url,
    language,
    // A later version may drop a symbol; a copy of the same version only adds the symbols of other feeds.
    tickers: listed(isLater ? article.tickers : joined(partsOf(old.tickers), article.tickers)),
    published_at: first,
    updated_at: momentText(updatedAt) ?? old.updated_at,
    match_key: matchKey(url, headline),
  };
}

/** Adds the provider of another copy of an article, and the tickers it names; everything else stays. */
const otherProvider = (old: NewsRow, provider: string, article: Headline): NewsRow => ({
  ...old,
  other_providers: listed(joined(partsOf(old.other_providers), [provider])),
  tickers: listed(joined(partsOf(old.tickers), article.tickers)),
});

const COMPARED = [
  "headline",
  "summary",
  "url",
  "source",
  "author",
  "tickers",
  "image_url",
  "language",
  "other_providers",
  "published_at",
  "updated_at",
] as const satisfies readonly (keyof NewsRow)[];

const isSame = (a: NewsRow, b: NewsRow) =>
  COMPARED.every((name) =>
    name === "published_at" || name === "updated_at" ? msOf(a[name]) === msOf(b[name]) : a[name] === b[name],
  );

/**
 * Returns the rows that `articles` add. `stored` holds every version of every article that may match one of
 * them, oldest first: the newest version counts, and any version can match by address and headline.
 */
export function revise(
  provider: string,
  articles: readonly Headline[],
  stored: readonly NewsRow[],
  now: Temporal.Instant,
): Revised {
  const newest = new Map<string, NewsRow>();
  const byMatch = new Map<string, string>();
  const index = (row: NewsRow) => {
    newest.set(row.id, row);
    if (row.match_key !== null && !byMatch.has(row.match_key)) byMatch.set(row.match_key, row.id);
  };
  for (const row of stored) index(row);
  const before = new Map(newest);
  for (const article of articles) {
    const key = matchKey(article.url, article.headline);
    const known = newest.get(articleId(provider, article.id)) ?? newest.get(byMatch.get(key ?? "") ?? "");
    if (!known) index(firstRow(provider, article, now));
    else if (known.provider === provider) index(sameProvider(known, article, now));
    else index(otherProvider(known, provider, article));
  }
  const rows = [...newest.values()].flatMap((row) => {
    const old = before.get(row.id);
    if (!old) return [row];
    return isSame(old, row) ? [] : [{ ...row, revision: old.revision + 1, known_at: now.toString() }];
  });
  const inserted = rows.filter(({ id }) => !before.has(id)).length;
  return { rows, inserted, updated: rows.length - inserted };
}
