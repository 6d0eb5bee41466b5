// What attention needs from its providers and from other capabilities, as types; composition hands them in.

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

/** The encyclopedia. Throws Upstream*; page views of a title that has none are an empty list. */
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
  /** First day there are page views of. */
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

/** The news archive, which is asked seldom. Throws UpstreamRefused, UpstreamRateLimited and the other Upstream*. */
export interface NewsArchive {
  /** Null for a name too short to be asked for. */
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
  /** Until when it must not be asked, RFC 3339; null when it may. */
  closedUntil(): string | null;
  /** First day it can be asked about. */
  readonly archiveFrom: string;
}

/** Throws NotFound when nobody knows the ticker, Upstream* when that cannot be found out. */
export type CompanyBehind = (
  ticker: string,
  signal: AbortSignal,
) => Promise<{ readonly name: string | null; readonly cik: string | null }>;

export interface AttentionLog {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
}
