// The encyclopedia's API beside the pages themselves: search, and what stands behind titles.
import { jsonReply, type Reply } from "../wire.ts";
import type { Encyclopedia, SampleArticle } from "./encyclopedia.ts";

/** An error, sent with status 200. */
export const apiError = (code: string, info: string): Reply => {
  const reply = jsonReply(200, { error: { code, info } });
  return { ...reply, headers: { ...reply.headers, "mediawiki-api-error": code } };
};

const TITLES_MAX = 50;

function searched(encyclopedia: Encyclopedia, query: URLSearchParams): Reply {
  if (query.get("srwhat") === "title")
    return apiError("search-title-disabled", '"title" search is disabled.');
  const words = query.get("srsearch") ?? "";
  if (words === "") return apiError("missingparam", 'The "srsearch" parameter must be set.');
  const found = encyclopedia.search(words);
  const limit = Number(query.get("srlimit") ?? 10);
  const search = found.slice(0, limit).map(({ title, pageId, description }) => ({
    ns: 0,
    title,
    pageid: pageId,
    size: 4_000 + (pageId % 90_000),
    wordcount: 300 + (pageId % 9_000),
    snippet: `<span class="searchmatch">${title.replaceAll("&", "&amp;")}</span> is an ${description.toLowerCase()} &amp; more`,
    timestamp: "2026-03-25T15:46:00Z",
  }));
  const more = found.length > limit ? { continue: { sroffset: limit, continue: "-||" } } : {};
  return jsonReply(200, {
    batchcomplete: true,
    ...more,
    query: { searchinfo: { totalhits: found.length }, search },
  });
}

const pageOf = ({ title, pageId, item, description, isDisambiguation }: SampleArticle) => ({
  pageid: pageId,
  ns: 0,
  title,
  pageprops: { ...(isDisambiguation ? { disambiguation: "" } : {}), wikibase_item: item },
  description,
  descriptionsource: "local",
});

function titled(encyclopedia: Encyclopedia, query: URLSearchParams): Reply {
  const asked = (query.get("titles") ?? "").split("|").filter(Boolean);
  if (asked.length > TITLES_MAX)
    return apiError("toomanyvalues", 'Too many values supplied for parameter "titles".');
  const written = (title: string) => {
    const text = title.replaceAll("_", " ").trim();
    return text.charAt(0).toUpperCase() + text.slice(1);
  };
  const normalized = asked.filter((title) => written(title) !== title);
  const led = asked.map(written).filter((title) => encyclopedia.ledTo(title) !== null);
  const ends = [...new Set(asked.map(written).map((title) => encyclopedia.ledTo(title) ?? title))];
  const pages = ends.map((title) => {
    const article = encyclopedia.titled(title);
    return article ? pageOf(article) : { ns: 0, title, missing: true };
  });
  // Upstream answers by number and not in the order of the question.
  pages.reverse();
  return jsonReply(200, {
    batchcomplete: true,
    query: {
      ...(normalized.length > 0
        ? { normalized: normalized.map((from) => ({ fromencoded: false, from, to: written(from) })) }
        : {}),
      ...(led.length > 0
        ? { redirects: [...new Set(led)].map((from) => ({ from, to: encyclopedia.ledTo(from) })) }
        : {}),
      pages,
    },
  });
}

/** `action=query`. */
export function queried(encyclopedia: Encyclopedia, query: URLSearchParams): Reply {
  if (query.get("list") === "search") return searched(encyclopedia, query);
  if (query.has("titles")) return titled(encyclopedia, query);
  return apiError("badvalue", "Unrecognized query.");
}

/** The article's summary. */
export function summary(encyclopedia: Encyclopedia, title: string): Reply {
  const article = encyclopedia.titled(encyclopedia.ledTo(title) ?? title);
  if (!article)
    return jsonReply(404, {
      type: "Internal error",
      title: "Not found.",
      detail: "Page or revision not found.",
    });
  const { pageId, item, description, isDisambiguation } = article;
  return jsonReply(200, {
    type: isDisambiguation ? "disambiguation" : "standard",
    title: article.title,
    pageid: pageId,
    wikibase_item: item,
    description,
    extract: `${article.title} is an invented ${description.toLowerCase()}.`,
    content_urls: {
      desktop: {
        page: `https://en.wikipedia.org/wiki/${encodeURIComponent(article.title.replaceAll(" ", "_"))}`,
      },
    },
  });
}

/** Wikidata's answer to a question for the items with a CIK or a ticker. */
export function sparql(encyclopedia: Encyclopedia, query: string): Reply {
  const ciks = /VALUES \?cik \{ "(\d+)"/.exec(query)?.[1];
  const ticker = /pq:P249 "([^"]+)"/.exec(query)?.[1];
  const found = ciks ? encyclopedia.byCik(Number(ciks)) : ticker ? encyclopedia.byTicker(ticker) : null;
  const bindings = found
    ? [
        {
          item: { type: "uri", value: `http://www.wikidata.org/entity/${found.item}` },
          title: { "xml:lang": "en", type: "literal", value: found.title },
        },
      ]
    : [];
  return jsonReply(200, { head: { vars: ["item", "title"] }, results: { bindings } });
}
