// The news archive of the sample market: answers in JSON, refusals in plain text, and little patience.
import { COMPANIES } from "../companies.ts";
import type { Listing } from "../listing.ts";
import type { Market } from "../market.ts";
import { bell, keyOf, uniform } from "../randomness.ts";
import { pastReports } from "../reports.ts";
import { dayOf } from "../sessions.ts";
import type { SampleUpstream } from "../wire.ts";
import { jsonReply, type Reply, textReply } from "../wire.ts";

const HOST = "api.gdeltproject.org";
/** A request within this time is refused, and the wait starts again. */
const PATIENCE_S = 5;
export const TOO_OFTEN =
  "Please limit requests to one every 5 seconds or contact kalev.leetaru5@gmail.com for larger queries.\n";
const RECORDS_MAX = 250;
const STEP_S = 900;
const DAY_S = 86_400;
const FIRST_DAY = "2017-01-01";
const REPORTS = 13;
const SITES = [
  ["dunmoreledger.example", "United States"],
  ["quillhaven-post.example", "United States"],
  ["tarrowtimes.example", "Ireland"],
  ["plainwire.example", "United Kingdom"],
] as const;

const stamp = (at: number): string =>
  `${new Date(at * 1000).toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;

/** `20260909000000` in epoch seconds; null for anything else. */
function secondsIn(text: string | null): number | null {
  const match = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/.exec(text ?? "");
  if (!match) return null;
  const [year, month, day, ...time] = match.slice(1);
  const ms = Date.parse(`${year}-${month}-${day}T${time.join(":")}Z`);
  return Number.isNaN(ms) ? null : ms / 1000;
}

const bare = (name: string): string => name.toLowerCase().replaceAll(/[.,]/g, "");

/** The company a phrase names. */
function subjectOf(market: Market, phrase: string): Listing | null {
  const asked = bare(phrase);
  const number = /^sample company (\d{1,5})$/.exec(asked)?.[1];
  if (number)
    return market.listings().find(({ name }) => bare(name) === `sample company ${number} inc`) ?? null;
  return COMPANIES.find(({ name, type }) => type === "EQUITY" && bare(name).startsWith(asked)) ?? null;
}

interface Seen {
  readonly at: number;
  readonly title: string;
  readonly url: string;
  readonly site: (typeof SITES)[number];
}

export function createGdelt(market: Market): SampleUpstream {
  let lastAsked = Number.NEGATIVE_INFINITY;

  const reportDays = (listing: Listing): ReadonlySet<number> =>
    new Set((pastReports(market, listing, REPORTS) ?? []).map(({ date }) => dayOf(date)));

  /** Articles of a day: few, and many when the company reports. */
  const seenOn = (listing: Listing, day: number, isReport: boolean): Seen[] => {
    const key = keyOf(market.seed, `news ${listing.symbol} ${day}`);
    const count = Math.floor(uniform(key, 0) * 2.2) + (isReport ? 14 : 0);
    return Array.from({ length: count }, (_, i) => {
      const at = day * DAY_S + STEP_S * Math.floor(uniform(key, 2 * i + 1) * 96);
      const site = SITES[Math.floor(uniform(key, 2 * i + 2) * SITES.length)] ?? SITES[0];
      const [domain] = site;
      const what = isReport ? "reports its quarter" : "in the news";
      return {
        at,
        site,
        title: `${listing.name} ${what} (${i + 1})`,
        url: `https://${domain}/${listing.symbol}/${day}/${i}`,
      };
    }).sort((a, b) => a.at - b.at);
  };

  const artlist = (listing: Listing | null, from: number, to: number, limit: number): Reply => {
    if (!listing) return jsonReply(200, {});
    const reports = reportDays(listing);
    const seen: Seen[] = [];
    for (let day = Math.floor(from / DAY_S); day <= Math.floor(to / DAY_S) && seen.length < limit; day++)
      for (const one of seenOn(listing, day, reports.has(day)))
        if (one.at >= from && one.at <= to && one.at <= market.now()) seen.push(one);
    if (seen.length === 0) return jsonReply(200, {});
    const articles = seen.slice(0, limit).map(({ at, title, url, site: [domain, country] }) => ({
      url,
      url_mobile: "",
      title,
      seendate: stamp(at),
      socialimage: "",
      domain,
      language: "English",
      sourcecountry: country,
    }));
    return jsonReply(200, { articles });
  };

  const timeline = (listing: Listing | null, query: string, from: number, to: number): Reply => {
    if (!listing) return jsonReply(200, {});
    const reports = reportDays(listing);
    const days = Array.from(
      { length: Math.floor(Math.min(to, market.now()) / DAY_S) - Math.floor(from / DAY_S) + 1 },
      (_, i) => Math.floor(from / DAY_S) + i,
    );
    const data = days.map((day) => {
      const key = keyOf(market.seed, `volume ${listing.symbol}`);
      const value = 0.004 * (1 + 0.3 * bell(key, day)) * (reports.has(day) ? 9 : 1);
      return { date: stamp(day * DAY_S), value: Math.round(Math.max(0, value) * 1e4) / 1e4 };
    });
    return jsonReply(200, {
      query_details: { title: query, date_resolution: to - from > 7 * DAY_S ? "day" : "hour" },
      timeline: [{ series: "Volume Intensity", data }],
    });
  };

  const answerTo = (query: URLSearchParams): Reply => {
    const text = query.get("query") ?? "";
    if (Number(query.get("maxrecords") ?? 75) > RECORDS_MAX)
      return textReply(200, `A maximum of ${RECORDS_MAX} records can be returned.\n`);
    if (/ OR /.test(text) && !/\(.* OR .*\)/.test(text))
      return textReply(200, "Queries containing OR'd terms must be surrounded by ().\n");
    const phrase = /"([^"]*)"/.exec(text)?.[1] ?? text;
    if (phrase.length < 3) return textReply(200, "The specified phrase is too short.\n");
    const [from, to] = [secondsIn(query.get("startdatetime")), secondsIn(query.get("enddatetime"))];
    if (from === null || to === null || to < from || from < dayOf(FIRST_DAY) * DAY_S)
      return textReply(200, "Invalid query start date.\n");
    const listing = subjectOf(market, phrase);
    const limit = Number(query.get("maxrecords") ?? 75);
    return query.get("mode") === "timelinevol"
      ? timeline(listing, text, from, to)
      : artlist(listing, from, to, limit);
  };

  return {
    answer({ host, path, query }) {
      if (host !== HOST) return null;
      if (path !== "/api/v2/doc/doc") return textReply(404, "<!DOCTYPE html><title>Not Found</title>");
      const now = market.now();
      const isTooSoon = now - lastAsked < PATIENCE_S;
      lastAsked = now;
      return isTooSoon ? textReply(429, TOO_OFTEN) : answerTo(query);
    },
  };
}
