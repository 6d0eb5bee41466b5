// Articles the archive saw in a time span, oldest first.

import { UpstreamMisread } from "../../../platform/errors.ts";
import { fetchDecoded } from "../../../platform/upstream/decode.ts";
import { isFields } from "../../../platform/upstream/json-place.ts";
import type { Upstream, UpstreamAnswer } from "../../../platform/upstream/policy.ts";
import { GDELT_HOST } from "../policy.ts";
import { bodyOf, changed, instantOf, stampOf } from "../wire.ts";

export interface ArchivedArticle {
  readonly url: string;
  readonly title: string;
  readonly domain: string | null;
  /** Name of the language in English. */
  readonly language: string | null;
  readonly source_country: string | null;
  /** When the archive saw the article, to a quarter of an hour; not when it was published. */
  readonly seen_at: Temporal.Instant;
}

export interface ArchivedArticles {
  readonly articles: readonly ArchivedArticle[];
  /** The answer holds its maximum of articles, so there may be more. */
  readonly is_full: boolean;
  readonly received_at: Temporal.Instant;
}

/** Most articles of one answer. */
export const ARTICLES_MAX = 250;

const textOrNull = (value: unknown): string | null =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : null;

/** Reads an answer; `{}` means no articles. Throws UpstreamRefused, UpstreamFailed. */
export function readArticles(answer: UpstreamAnswer): ArchivedArticles {
  const body = bodyOf(answer);
  // An empty object means nothing found; any other object without `articles` has an unknown shape.
  if (body.articles === undefined && Object.keys(body).length > 0) throw changed("articles should be a list");
  const { articles = [] } = body;
  if (!Array.isArray(articles)) throw changed("articles should be a list");
  const read = articles.flatMap((article: unknown): ArchivedArticle[] => {
    const fields = isFields(article) ? article : {};
    const [url, title] = [textOrNull(fields.url), textOrNull(fields.title)];
    if (url === null || typeof fields.title !== "string")
      throw changed("articles[] should have an url and a title");
    // Some articles have an empty title; they are left out.
    if (title === null) return [];
    const seen_at = instantOf(fields.seendate);
    if (Temporal.Instant.compare(seen_at, answer.receivedAt) > 0)
      throw new UpstreamMisread("gdelt", "gdelt listed an article seen in the future");
    return [
      {
        url,
        title,
        domain: textOrNull(fields.domain),
        language: textOrNull(fields.language),
        source_country: textOrNull(fields.sourcecountry),
        seen_at,
      },
    ];
  });
  return { articles: read, is_full: articles.length >= ARTICLES_MAX, received_at: answer.receivedAt };
}

/**
 * Fetches articles seen from `from` until before `to`. Throws UpstreamRefused for a query it does not accept,
 * Upstream*.
 */
export async function askArticles(
  upstream: Upstream,
  query: string,
  span: { readonly from: Temporal.Instant; readonly to: Temporal.Instant },
  signal?: AbortSignal,
): Promise<ArchivedArticles> {
  const params = new URLSearchParams({
    query,
    mode: "artlist",
    format: "json",
    maxrecords: String(ARTICLES_MAX),
    startdatetime: stampOf(span.from),
    enddatetime: stampOf(span.to.subtract({ seconds: 1 })),
    sort: "DateAsc",
  });
  const url = `https://${GDELT_HOST}/api/v2/doc/doc?${params}`;
  const { articles, ...facts } = await fetchDecoded(upstream, { url, signal }, readArticles);
  const isWithin = ({ seen_at }: ArchivedArticle) =>
    Temporal.Instant.compare(seen_at, span.from) >= 0 && Temporal.Instant.compare(seen_at, span.to) < 0;
  return { ...facts, articles: articles.filter(isWithin) };
}
