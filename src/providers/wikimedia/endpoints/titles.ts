// Which articles stand behind titles: redirects followed, missing ones and disambiguation pages told.

import { UpstreamRefused } from "../../../platform/errors.ts";
import { fetchDecoded } from "../../../platform/upstream/decode.ts";
import { type Fields, isFields } from "../../../platform/upstream/json-place.ts";
import type { Upstream, UpstreamAnswer } from "../../../platform/upstream/policy.ts";
import { WIKIPEDIA_HOST } from "../policy.ts";
import { bodyOf, changed, countOrNull, listOf, pathOf, textOf, textOrNull } from "../wire.ts";

export interface Article {
  /** The article's own title, wherever the asked one led. */
  readonly title: string;
  readonly page_id: number | null;
  readonly wikidata_id: string | null;
  readonly description: string | null;
  readonly is_disambiguation: boolean;
  readonly url: string;
}

/** Most titles of one question. */
const TITLES_MAX = 50;
const DOCUMENT = "titles";
const WIKIDATA_ID = /^Q\d+$/;

/** Where an article is read. */
export const articleUrl = (title: string): string => `https://${WIKIPEDIA_HOST}/wiki/${pathOf(title)}`;

/** `{from, to}` pairs of a step; none where the step is missing. */
function steps(value: unknown): ReadonlyMap<string, string> {
  if (value === undefined) return new Map();
  return new Map(
    listOf(value, DOCUMENT, "query.redirects").map((step) => [
      textOf(step.from, DOCUMENT, "from"),
      textOf(step.to, DOCUMENT, "to"),
    ]),
  );
}

/** Pages as a list; the older format keys them by number. */
function pagesOf(value: unknown): readonly Fields[] {
  if (value === undefined) return [];
  return listOf(isFields(value) ? Object.values(value) : value, DOCUMENT, "query.pages");
}

/** In the older format "" says yes; in the newer one true does. */
const description = (value: unknown): boolean => value !== undefined && value !== false;

function articleOf(page: Fields): Article | null {
  if (description(page.missing) || description(page.invalid)) return null;
  const title = textOf(page.title, DOCUMENT, "query.pages[].title");
  const props = isFields(page.pageprops) ? page.pageprops : {};
  const item = textOrNull(props.wikibase_item);
  return {
    title,
    page_id: countOrNull(page.pageid),
    wikidata_id: item && WIKIDATA_ID.test(item) ? item : null,
    description: textOrNull(page.description),
    is_disambiguation: description(props.disambiguation),
    url: articleUrl(title),
  };
}

/** The article behind each of `titles`, null where there is none. Throws UpstreamFailed, UpstreamRefused. */
export function readTitles(
  answer: UpstreamAnswer,
  titles: readonly string[],
): ReadonlyMap<string, Article | null> {
  const body = bodyOf(answer, DOCUMENT);
  if (isFields(body.error)) {
    const code = String(body.error.code).slice(0, 60);
    throw new UpstreamRefused("wikimedia", `wikipedia refuses the titles (${code})`);
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

/** As readTitles, for at most 50 titles without a bar in them. Throws Upstream*. */
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
