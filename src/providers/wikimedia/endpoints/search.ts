// Wikipedia's full-text search for articles.

import { UpstreamRefused } from "../../../platform/errors.ts";
import { fetchDecoded } from "../../../platform/upstream/decode.ts";
import { isFields } from "../../../platform/upstream/json-place.ts";
import type { Upstream, UpstreamAnswer } from "../../../platform/upstream/policy.ts";
import { WIKIPEDIA_HOST } from "../policy.ts";
import { bodyOf, changed, countOrNull, listOf, requiredText, textOrNull } from "../wire.ts";

export interface SearchHit {
  readonly title: string;
  readonly page_id: number | null;
  readonly word_count: number | null;
  /** Plain text; null where none was sent. */
  readonly snippet: string | null;
}

export interface SearchResult {
  /** Null when the answer does not state it. */
  readonly total_hits: number | null;
  readonly hits: readonly SearchHit[];
}

const DOCUMENT = "list=search";
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#039": "'" };

const plain = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(amp|lt|gt|quot|#039);/g, (_, name: string) => ENTITIES[name] ?? "")
    .trim();

/**
 * Reads an answer in either version of its format. Throws UpstreamRefused for an error sent with status 200.
 */
export function readSearch(answer: UpstreamAnswer): SearchResult {
  const body = bodyOf(answer, DOCUMENT);
  if (isFields(body.error)) {
    const code = String(body.error.code).slice(0, 60);
    throw new UpstreamRefused("wikimedia", `wikipedia refused the search (${code})`);
  }
  if (!isFields(body.query)) throw changed(DOCUMENT, "query should be an object");
  const { search, searchinfo } = body.query;
  const hits = listOf(search, DOCUMENT, "query.search").map((hit) => {
    const snippet = textOrNull(hit.snippet);
    return {
      title: requiredText(hit.title, DOCUMENT, "query.search[].title"),
      page_id: countOrNull(hit.pageid),
      word_count: countOrNull(hit.wordcount),
      snippet: snippet && plain(snippet),
    };
  });
  return { total_hits: isFields(searchinfo) ? countOrNull(searchinfo.totalhits) : null, hits };
}

/** Fetches the articles that match some words, best match first. Throws UpstreamRefused, Upstream*. */
export async function askSearch(
  upstream: Upstream,
  words: string,
  limit: number,
  signal?: AbortSignal,
): Promise<SearchResult> {
  const query = new URLSearchParams({
    action: "query",
    list: "search",
    srsearch: words,
    srnamespace: "0",
    srlimit: String(limit),
    srprop: "snippet|wordcount",
    format: "json",
    formatversion: "2",
  });
  const url = `https://${WIKIPEDIA_HOST}/w/api.php?${query}`;
  return fetchDecoded(upstream, { url, signal }, readSearch);
}
