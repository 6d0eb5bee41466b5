// Daily page views of an article by people, without crawlers. Days are UTC days.

import { isRealDay } from "../../../market/date.ts";
import { UpstreamRefused } from "../../../platform/errors.ts";
import { fetchDecoded } from "../../../platform/upstream/decode.ts";
import type { Upstream, UpstreamAnswer } from "../../../platform/upstream/policy.ts";
import { METRICS_HOST } from "../policy.ts";
import { bodyOf, changed, countOrNull, listOf, pathOf, requiredText } from "../wire.ts";

export interface DayViews {
  readonly date: string;
  readonly views: number;
}

export interface PageViews {
  /**
   * By date. Days without views and days not published yet are both left out; the answer does not distinguish
   * them.
   */
  readonly days: readonly DayViews[];
  readonly received_at: Temporal.Instant;
}

export const PROJECT = "en.wikipedia";
/** First day with page views. */
export const VIEWS_FROM = "2015-07-01";
/** This page is viewed every minute, so a day on which it has no views is not published yet. */
export const ALWAYS_READ = "Main Page";

const DOCUMENT = "page views";
const STAMP = /^(\d{4})(\d{2})(\d{2})00$/;
const compact = (date: string): string => date.replaceAll("-", "");

/**
 * Reads an answer; 404 means no views in these days, for any reason. Throws UpstreamRefused, UpstreamFailed.
 */
export function readPageViews(answer: UpstreamAnswer): PageViews {
  const { status, receivedAt: received_at } = answer;
  if (status === 404) return { days: [], received_at };
  if (status !== 200)
    throw new UpstreamRefused("wikimedia", `wikimedia refused the request for page views (${status})`, {
      upstreamStatus: status,
    });
  const today = received_at.toString().slice(0, 10);
  const days = new Map<string, number>();
  for (const item of listOf(bodyOf(answer, DOCUMENT).items, DOCUMENT, "items")) {
    const parts = STAMP.exec(requiredText(item.timestamp, DOCUMENT, "items[].timestamp"));
    const views = countOrNull(item.views);
    if (!parts || views === null)
      throw changed(DOCUMENT, "items[] should have a day and a whole number of views");
    if (item.granularity !== "daily" || item.agent !== "user" || item.access !== "all-access")
      throw changed(DOCUMENT, "items[] should be daily, of users, by all ways of access");
    const date = parts.slice(1).join("-");
    if (!isRealDay(date)) throw changed(DOCUMENT, `items[] should have no day ${date}`);
    if ((days.get(date) ?? views) !== views) throw changed(DOCUMENT, `two counts of ${date}`);
    // Leaves out the current day, whose count is not final.
    if (date < today) days.set(date, views);
  }
  const list = [...days].map(([date, views]) => ({ date, views }));
  return { days: list.sort((a, b) => (a.date < b.date ? -1 : 1)), received_at };
}

/**
 * Fetches the views of an article from `start` to `end`, both inclusive. `title` must not be a redirect:
 * those count separately.
 */
export async function askPageViews(
  upstream: Upstream,
  title: string,
  span: { readonly start: string; readonly end: string },
  signal?: AbortSignal,
): Promise<PageViews> {
  const path = `${PROJECT}/all-access/user/${pathOf(title)}/daily/${compact(span.start)}/${compact(span.end)}`;
  const url = `https://${METRICS_HOST}/api/rest_v1/metrics/pageviews/per-article/${path}`;
  const { days, received_at } = await fetchDecoded(upstream, { url, signal }, readPageViews);
  return { days: days.filter(({ date }) => date >= span.start && date <= span.end), received_at };
}
