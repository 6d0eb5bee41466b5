// Wikimedia: Wikipedia's lists of index members, search, articles and page views, and Wikidata's companies.
import type { Upstream, UpstreamHealth } from "../../platform/upstream/policy.ts";
import { askIndexMembers, type IndexMembers, type IndexName } from "./endpoints/index-page.ts";
import { ALWAYS_READ, askPageViews, type PageViews } from "./endpoints/page-views.ts";
import { askSearch, type SearchResult } from "./endpoints/search.ts";
import { type Article, askTitles } from "./endpoints/titles.ts";
import { askItems, byCik, byTicker, type WikidataItem } from "./endpoints/wikidata.ts";

export { classifyWikimedia } from "./classify.ts";
export { type IndexMembers, type IndexName, readIndexMembers } from "./endpoints/index-page.ts";
export { type DayViews, type PageViews, PROJECT, readPageViews, VIEWS_FROM } from "./endpoints/page-views.ts";
export { readSearch, type SearchHit, type SearchResult } from "./endpoints/search.ts";
export { type Article, articleUrl, readTitles } from "./endpoints/titles.ts";
export type { WikidataItem } from "./endpoints/wikidata.ts";
export type { Constituent } from "./parse/constituents.ts";
export { METRICS_HOST, WIKIDATA_HOST, WIKIPEDIA_HOST, wikimediaPolicy } from "./policy.ts";

export interface WikimediaDeps {
  /**
   * Created with `wikimediaPolicy` and `classifyWikimedia`. The process must have only ONE: requests go one
   * at a time.
   */
  readonly upstream: Upstream;
}

/** The provider. What each method throws is documented where it is defined. */
export interface Wikimedia {
  indexMembers(index: IndexName, signal?: AbortSignal): Promise<IndexMembers>;
  search(words: string, limit: number, signal?: AbortSignal): Promise<SearchResult>;
  /** The article of each title, null where there is none; at most 50 titles. */
  titles(titles: readonly string[], signal?: AbortSignal): Promise<ReadonlyMap<string, Article | null>>;
  /** Companies with this SEC number (CIK), and their articles. */
  itemsByCik(cik: string, signal?: AbortSignal): Promise<readonly WikidataItem[]>;
  /** Companies currently listed on a US exchange under that ticker, and their articles. */
  itemsByTicker(ticker: string, signal?: AbortSignal): Promise<readonly WikidataItem[]>;
  pageViews(
    title: string,
    span: { readonly start: string; readonly end: string },
    signal?: AbortSignal,
  ): Promise<PageViews>;
  /** The last day of `span` for which page views are published; null when there is none. */
  lastViewsDay(
    span: { readonly start: string; readonly end: string },
    signal?: AbortSignal,
  ): Promise<string | null>;
  health(): UpstreamHealth;
}

export function wikimedia({ upstream }: WikimediaDeps): Wikimedia {
  return {
    indexMembers: (index, signal) => askIndexMembers(upstream, index, signal),
    search: (words, limit, signal) => askSearch(upstream, words, limit, signal),
    titles: (titles, signal) => askTitles(upstream, titles, signal),
    itemsByCik: (cik, signal) => askItems(upstream, cik, byCik, signal),
    itemsByTicker: (ticker, signal) => askItems(upstream, ticker, byTicker, signal),
    pageViews: (title, span, signal) => askPageViews(upstream, title, span, signal),
    lastViewsDay: async (span, signal) =>
      (await askPageViews(upstream, ALWAYS_READ, span, signal)).days.at(-1)?.date ?? null,
    health: () => upstream.health(),
  };
}
