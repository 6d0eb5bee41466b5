// News feeds that need no key: GlobeNewswire's press releases, and Nasdaq's articles about a symbol.
import type { Headlines } from "../../market/headline.ts";
import { classifyFeed } from "../../platform/feed/feed-answer.ts";
import type { Upstream, UpstreamHealth } from "../../platform/upstream/policy.ts";
import { askReleases } from "./endpoints/globenewswire.ts";
import { askArticles } from "./endpoints/nasdaq-articles.ts";

export { readReleases } from "./endpoints/globenewswire.ts";
export { isFeedOf, readArticles } from "./endpoints/nasdaq-articles.ts";
export { globenewswirePolicy, nasdaqNewsPolicy } from "./policy.ts";

export const classifyGlobenewswire = classifyFeed("GlobeNewswire");
export const classifyNasdaqNews = classifyFeed("Nasdaq");

/**
 * Press releases, the newest of all companies. Created with `globenewswirePolicy` and
 * `classifyGlobenewswire`.
 */
export interface Globenewswire {
  releases(signal?: AbortSignal): Promise<Headlines>;
  health(): UpstreamHealth;
}

export const globenewswire = (upstream: Upstream): Globenewswire => ({
  releases: (signal) => askReleases(upstream, signal),
  health: () => upstream.health(),
});

/** Articles by symbol. Created with `nasdaqNewsPolicy` and `classifyNasdaqNews`. */
export interface NasdaqNews {
  /** Null when Nasdaq does not know the symbol. */
  articles(symbol: string, signal?: AbortSignal): Promise<Headlines | null>;
  health(): UpstreamHealth;
}

export const nasdaqNews = (upstream: Upstream): NasdaqNews => ({
  articles: (symbol, signal) => askArticles(upstream, symbol, signal),
  health: () => upstream.health(),
});
