// The encyclopedia of the sample market: articles by its API and as pages, page views, and which company is
// which.
import { LRUCache } from "lru-cache";
import type { Market } from "../market.ts";
import { dateAt } from "../sessions.ts";
import type { SampleUpstream } from "../wire.ts";
import { jsonReply, type Reply, type SampleRequest, textReply } from "../wire.ts";
import { apiError, queried, sparql, summary } from "./api.ts";
import { encyclopediaOf } from "./encyclopedia.ts";
import { type Article, articleOf } from "./index-pages.ts";
import { sampleViews } from "./page-views.ts";

const ARTICLES_HOST = "en.wikipedia.org";
const METRICS_HOST = "wikimedia.org";
const WIKIDATA_HOST = "query.wikidata.org";
const HOSTS: readonly string[] = [ARTICLES_HOST, METRICS_HOST, WIKIDATA_HOST];
const SUMMARY = "/api/rest_v1/page/summary/";

const FORBIDDEN = "<!DOCTYPE html><html><title>Wikimedia Error</title><p>Please set a user-agent.</p></html>";

/** Generic agents are turned away; a tool names itself. */
const isNamed = ({ headers }: SampleRequest): boolean => /^\w+\/\d/.test(String(headers["user-agent"] ?? ""));

function parsed(article: Article): Reply {
  const { title, revision, html } = article;
  return jsonReply(200, { parse: { title, pageid: 90_000 + title.length, revid: revision, text: html } });
}

function page({ title, revision, html }: Article): Reply {
  const settings = JSON.stringify({ wgTitle: title, wgCurRevisionId: revision, wgRevisionId: revision });
  return textReply(
    200,
    `<!DOCTYPE html>\n<html class="client-nojs" lang="en" dir="ltr"><head><meta charset="UTF-8"><title>${title.replaceAll("&", "&amp;")} - Wikipedia</title><script>RLCONF=${settings};</script></head><body>${html}</body></html>`,
  );
}

/** The upstream for the encyclopedia's hosts. Articles are kept for the day. */
export function createWikimedia(market: Market): SampleUpstream {
  const kept = new LRUCache<string, Article>({ max: 8 });
  const find = (title: string): Article | null => {
    const name = `${dateAt(market.now(), "America/New_York")} ${title}`;
    const known = kept.get(name) ?? articleOf(market, title);
    if (known) kept.set(name, known);
    return known;
  };
  const encyclopedia = encyclopediaOf(market);
  const views = sampleViews(market, encyclopedia);
  const api = (query: URLSearchParams): Reply => {
    if (query.get("action") === "query") return queried(encyclopedia, query);
    if (query.get("action") !== "parse")
      return apiError("badvalue", "Unrecognized value for parameter action");
    const article = find((query.get("page") ?? "").replaceAll("_", " "));
    return article ? parsed(article) : apiError("missingtitle", "The page you specified doesn't exist.");
  };
  return {
    answer(request) {
      const { host, path, query } = request;
      if (!HOSTS.includes(host)) return null;
      if (!isNamed(request)) return textReply(403, FORBIDDEN);
      if (host === METRICS_HOST) return views.answer(path);
      if (host === WIKIDATA_HOST) return sparql(encyclopedia, query.get("query") ?? "");
      if (path.startsWith(SUMMARY))
        return summary(encyclopedia, decodeURIComponent(path.slice(SUMMARY.length)).replaceAll("_", " "));
      if (path === "/w/api.php") return api(query);
      const title = /^\/(?:wiki|api\/rest_v1\/page\/html)\/(.+)$/.exec(path)?.[1];
      const article = title ? find(decodeURIComponent(title).replaceAll("_", " ")) : null;
      return article ? page(article) : textReply(404, "<!DOCTYPE html><title>Page not found</title>");
    },
  };
}
