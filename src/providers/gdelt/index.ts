// GDELT: an archive of the world's news since 2017.
import type { Upstream, UpstreamHealth } from "../../platform/upstream/policy.ts";
import { type ArchivedArticles, askArticles } from "./endpoints/articles.ts";
import { askVolume, type NewsVolume } from "./endpoints/volume.ts";

/** The archive refuses shorter phrases. */
// "3M" is not asked for, "IBM" is.
const PHRASE_MIN = 3;

/**
 * A query for English articles that contain the name as a phrase: `"Apple Inc" sourcelang:english`. Null for
 * a name that is too short. Removes parentheses after the name and characters the archive would read as
 * operators.
 */
export function articleQuery(name: string): string | null {
  const phrase = name
    .replace(/\s*\([^)]*\)\s*$/, "")
    .replaceAll(/["()<>:]/g, " ")
    .replaceAll(/[.,](?=\s|$)/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  return phrase.length < PHRASE_MIN ? null : `"${phrase}" sourcelang:english`;
}

export { classifyGdelt } from "./classify.ts";
export {
  ARTICLES_MAX,
  type ArchivedArticle,
  type ArchivedArticles,
  readArticles,
} from "./endpoints/articles.ts";
export type { DayVolume, NewsVolume } from "./endpoints/volume.ts";
export { GDELT_HOST, gdeltPolicy } from "./policy.ts";
/** First day the archive covers. */
export const ARCHIVE_FROM = "2017-01-01";

/**
 * The provider. `query` comes from `articleQuery`. Throws UpstreamRefused, UpstreamRateLimited and the other
 * Upstream*.
 */
export interface Gdelt {
  articles(
    query: string,
    span: { readonly from: Temporal.Instant; readonly to: Temporal.Instant },
    signal?: AbortSignal,
  ): Promise<ArchivedArticles>;
  volume(
    query: string,
    span: { readonly start: string; readonly end: string },
    signal?: AbortSignal,
  ): Promise<NewsVolume>;
  health(): UpstreamHealth;
}

/**
 * `upstream` is created with `gdeltPolicy` and `classifyGdelt`; its breaker and pace persist across restarts.
 */
export function gdelt(upstream: Upstream): Gdelt {
  return {
    articles: (query, span, signal) => askArticles(upstream, query, span, signal),
    volume: (query, span, signal) => askVolume(upstream, query, span, signal),
    health: () => upstream.health(),
  };
}
