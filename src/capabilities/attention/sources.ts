// The providers and other capabilities that attention needs, as types; composition passes them in.
import type { ResolveHolder } from "../../market/issuer.ts";

/** An article of the encyclopedia. */
export interface SourceArticle {
  readonly title: string;
  readonly page_id: number | null;
  readonly wikidata_id: string | null;
  readonly description: string | null;
  readonly is_disambiguation: boolean;
  readonly url: string;
}

export interface SourceItem {
  readonly wikidata_id: string;
  readonly title: string;
}

export interface Days {
  readonly start: string;
  readonly end: string;
}

/** The encyclopedia. Throws Upstream*. A title without page views has an empty list. */
export interface Encyclopedia {
  search(
    words: string,
    limit: number,
    signal?: AbortSignal,
  ): Promise<{ readonly hits: readonly { readonly title: string }[] }>;
  titles(titles: readonly string[], signal?: AbortSignal): Promise<ReadonlyMap<string, SourceArticle | null>>;
  itemsByCik(cik: string, signal?: AbortSignal): Promise<readonly SourceItem[]>;
  itemsByTicker(ticker: string, signal?: AbortSignal): Promise<readonly SourceItem[]>;
  pageViews(
    title: string,
    span: Days,
    signal?: AbortSignal,
  ): Promise<{
    readonly days: readonly { readonly date: string; readonly views: number }[];
    readonly received_at: Temporal.Instant;
  }>;
  lastViewsDay(span: Days, signal?: AbortSignal): Promise<string | null>;
  articleUrl(title: string): string;
  readonly project: string;
  /** First day with page views. */
  readonly viewsFrom: string;
}

export interface SourceNews {
  readonly url: string;
  readonly title: string;
  readonly domain: string | null;
  readonly language: string | null;
  readonly source_country: string | null;
  readonly seen_at: Temporal.Instant;
}

/**
 * The news archive, which limits requests strictly. Throws UpstreamRefused, UpstreamRateLimited and the other
 * Upstream*.
 */
export interface NewsArchive {
  /** The query for a name; null when the name is too short. */
  query(name: string): string | null;
  articles(
    query: string,
    span: { readonly from: Temporal.Instant; readonly to: Temporal.Instant },
    signal?: AbortSignal,
  ): Promise<{
    readonly articles: readonly SourceNews[];
    readonly is_full: boolean;
    readonly received_at: Temporal.Instant;
  }>;
  volume(
    query: string,
    span: Days,
    signal?: AbortSignal,
  ): Promise<{
    readonly days: readonly { readonly date: string; readonly value: number }[];
    readonly received_at: Temporal.Instant;
  }>;
  /** Until when the archive must not be asked, RFC 3339; null when it may be asked. */
  closedUntil(): string | null;
  /** First day of the archive. */
  readonly archiveFrom: string;
}

/** The company that had a ticker at a moment, whose article is meant. */
export type ResolveCompany = ResolveHolder<"cik" | "predecessor_ciks" | "warnings">;

/**
 * The company of a ticker. Throws NotFound when no provider knows it, Upstream* when that could not be
 * determined.
 */
export type CompanyBehind = (
  ticker: string,
  signal: AbortSignal,
) => Promise<{ readonly name: string | null; readonly cik: string | null }>;
