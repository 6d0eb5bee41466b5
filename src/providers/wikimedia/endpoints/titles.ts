// Resolves titles to articles: follows redirects, and marks missing articles and disambiguation pages.

import { UpstreamRefused } from "../../../platform/errors.ts";
import { fetchDecoded } from "../../../platform/upstream/decode.ts";
import { type Fields, isFields } from "../../../platform/upstream/json-place.ts";
import type { Upstream, UpstreamAnswer } from "../../../platform/upstream/policy.ts";
import { WIKIPEDIA_HOST } from "../policy.ts";
import { bodyOf, changed, countOrNull, listOf, pathOf, requiredText, textOrNull } from "../wire.ts";

export interface Article {
  /** The article's own title, after redirects. */
  readonly title: string;
  readonly page_id: number | null;
  readonly wikidata_id: string | null;
  readonly description: string | null;
  readonly is_disambiguation: boolean;
  readonly url: string;
}

/** Most titles per request. */
const TITLES_MAX = 50;
const DOCUMENT = "titles";
const WIKIDATA_ID = /^Q\d+$/;

/** URL of an article. */
export const articleUrl = (title: string): string => `https://${WIKIPEDIA_HOST}/wiki/${pathOf(title)}`;

/** The `{from, to}` pairs of a step; empty when the step is missing. */
function steps(value: unknown): ReadonlyMap<string, string> {
  if (value === undefined) return new Map();
  return new Map(
    listOf(value, DOCUMENT, "query.redirects").map((step) => [
      requiredText(step.from, DOCUMENT, "from"),
      requiredText(step.to, DOCUMENT, "to"),
    ]),
  );
}

/** The pages as a list; the older format keys them by number. */
function pagesOf(value: unknown): readonly Fields[] {
  if (value === undefined) return [];
  return listOf(isFields(value) ? Object.values(value) : value, DOCUMENT, "query.pages");
}

/** Reads a flag: the older format writes "" for true, the newer one true. */
const isSet = (value: unknown): boolean => value !== undefined && value !== false;

function articleOf(page: Fields): Article | null {
  if (isSet(page.missing) || isSet(page.invalid)) return null;
  const title = requiredText(page.title, DOCUMENT, "query.pages[].title");
  const props = isFields(page.pageprops) ? page.pageprops : {};
  const item = textOrNull(props.wikibase_item);
  return {
    title,
    page_id: countOrNull(page.pageid),
    wikidata_id: item && WIKIDATA_ID.test(item) ? item : null,
    description: textOrNull(page.description),
    is_disambiguation: isSet(props.disambiguation),
    url: articleUrl(title),
  };
}

/** The article of each of `titles`, null where there is none. Throws UpstreamFailed, UpstreamRefused. */
export function readTitles(
  answer: UpstreamAnswer,
  titles: readonly string[],
): ReadonlyMap<string, Article | null> {
  const body = bodyOf(answer, DOCUMENT);
  if (isFields(body.error)) {
    const code = String(body.error.code).slice(0, 60);
    throw new UpstreamRefused("wikimedia", `wikipedia refused the titles (${code})`);
  }
  if (!isFields(body.query)) throw changed(DOCUMENT, "query should be an object");
  const { normalized, redirects, pages } = body.query;
  const [written, led] = [steps(normalized), steps(redirects)];
  const byTitle = new Map(pagesOf(pages).map((page) => [String(page.title), articleOf(page)]));
  return new Map(
    titles.map((title) => {
      const own = written.get(title) ?? title;
      const end = led.get(own) ?? own;
      const article = byTitle.get(end);
      if (article === undefined) throw changed(DOCUMENT, "a title has no page");
      return [title, article];
    }),
  );
}

/**
 * Fetches the articles of at most 50 titles, which must not contain `|`. Throws as readTitles, and Upstream*.
 */
export async function askTitles(
  upstream: Upstream,
  titles: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, Article | null>> {
  const asked = [...new Set(titles)];
  if (asked.length === 0) return new Map();
  if (asked.length > TITLES_MAX) throw new RangeError(`more than ${TITLES_MAX} titles`);
  const query = new URLSearchParams({
    action: "query",
    titles: asked.join("|"),
    redirects: "1",
    prop: "pageprops|description|info",
    ppprop: "wikibase_item|disambiguation",
    format: "json",
    formatversion: "2",
  });
  const url = `https://${WIKIPEDIA_HOST}/w/api.php?${query}`;
  return fetchDecoded(upstream, { url, signal }, (answer) => readTitles(answer, asked));
}
