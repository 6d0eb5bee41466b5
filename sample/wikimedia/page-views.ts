// Page views of the encyclopedia: higher when a company reports, days without any left out, out the morning
// after.
import { LRUCache } from "lru-cache";
import type { Market } from "../market.ts";
import { bell, keyOf, uniform } from "../randomness.ts";
import { pastReports } from "../reports.ts";
import { dateOf, dayOf } from "../sessions.ts";
import { jsonReply, type Reply } from "../wire.ts";
import { type Encyclopedia, SELDOM_READ } from "./encyclopedia.ts";

const PATH =
  /^\/api\/rest_v1\/metrics\/pageviews\/per-article\/([^/]+)\/([^/]+)\/([^/]+)\/([^/]+)\/([^/]+)\/(\d+)\/(\d+)$/;
const FIRST_DAY = "2015-07-01";
/** Counts of a day are out at nine the next morning, UTC. */
const PUBLISHED_S = 9 * 3600;
const DAY_S = 86_400;
/** How much more is read on the day of a report and the two after it. */
const SURGE = [4, 2.2, 1.4];
const REPORTS = 9;

const problem = (status: number, title: string, detail: string): Reply => {
  const reply = jsonReply(status, { type: "about:blank", title, method: "get", status, detail });
  return { ...reply, headers: { ...reply.headers, "content-type": "application/problem+json" } };
};
const NONE = problem(
  404,
  "Not Found",
  "The date(s) you used are valid, but we either do not have data for those date(s), or the project you asked for is not loaded yet. Please check documentation for more information",
);

/** `20260801` or `2026080100` as a day number; null for anything else. */
function dayIn(text: string): number | null {
  const match = /^(\d{4})(\d{2})(\d{2})(?:00)?$/.exec(text);
  if (!match) return null;
  const day = dayOf(match.slice(1).join("-"));
  return Number.isFinite(day) && dateOf(day) === match.slice(1).join("-") ? day : null;
}

/** Last day whose counts are out. */
export const lastPublished = (market: Market): number => Math.floor((market.now() - PUBLISHED_S) / DAY_S) - 1;

export function sampleViews(market: Market, encyclopedia: Encyclopedia) {
  const surges = new LRUCache<string, ReadonlyMap<number, number>>({ max: 500 });
  const surgesOf = (title: string): ReadonlyMap<number, number> => {
    const name = `${title} ${lastPublished(market)}`;
    const kept = surges.get(name);
    if (kept) return kept;
    const listing = encyclopedia.titled(title)?.listing;
    const reports = listing ? (pastReports(market, listing, REPORTS) ?? []) : [];
    const made = new Map(
      reports.flatMap(({ date }) => SURGE.map((times, i) => [dayOf(date) + i, times] as const)),
    );
    surges.set(name, made);
    return made;
  };

  /** Views of a title on a day, whether or not they are out: 0 before its article was begun. */
  const viewsOn = (title: string, day: number): number => {
    const led = encyclopedia.ledTo(title);
    const article = encyclopedia.titled(led ?? title);
    if (!article || day < dayOf(FIRST_DAY) || (article.since !== null && dateOf(day) < article.since))
      return 0;
    const key = keyOf(market.seed, `views ${title}`);
    if (title === "Main Page") return Math.round(5e6 * (1 + 0.05 * bell(key, day)));
    if (article.listing?.symbol === SELDOM_READ) return Math.floor(-Math.log(1 - uniform(key, day)) * 1.6);
    const base = Math.exp(7.6 + 1.1 * bell(key, -1)) * (led === null ? 1 : 0.02);
    const surge = led === null ? (surgesOf(title).get(day) ?? 1) : 1;
    return Math.max(0, Math.round(base * surge * (1 + 0.12 * bell(key, day))));
  };

  const perArticle = (path: string): Reply => {
    const [project, access, agent, written, granularity, start, end] = PATH.exec(path)?.slice(1) ?? [];
    const [from, to] = [dayIn(start ?? ""), dayIn(end ?? "")];
    if (from === null || to === null)
      return problem(
        400,
        "Bad Request",
        "start timestamp is invalid, must be a valid date in YYYYMMDD format",
      );
    const isKnown =
      project === "en.wikipedia" && access === "all-access" && agent === "user" && granularity === "daily";
    if (!isKnown || !written) return NONE;
    const title = decodeURIComponent(written).replaceAll("_", " ");
    const items = [];
    for (let day = Math.max(from, dayOf(FIRST_DAY)); day <= Math.min(to, lastPublished(market)); day++) {
      const views = viewsOn(title, day);
      if (views > 0)
        items.push({
          project,
          article: title.replaceAll(" ", "_"),
          granularity,
          timestamp: `${dateOf(day).replaceAll("-", "")}00`,
          access,
          agent,
          views,
        });
    }
    return items.length > 0 ? jsonReply(200, { items }) : NONE;
  };

  return {
    viewsOn,
    answer: (path: string): Reply =>
      PATH.test(path) ? perArticle(path) : problem(404, "Not found.", "Not found."),
  };
}
