// Search, titles, Wikidata and page views.
import { describe, expect, test } from "bun:test";
import { UpstreamFailed, UpstreamRefused } from "../../../platform/errors.ts";
import type { Upstream, UpstreamAnswer } from "../../../platform/upstream/policy.ts";
import { askPageViews, readPageViews } from "./page-views.ts";
import { readSearch } from "./search.ts";
import { readTitles } from "./titles.ts";
import { askItems, byCik, byTicker, readItems } from "./wikidata.ts";

const answer = (body: object | string, status = 200): UpstreamAnswer => ({
  url: "https://wikimedia.org/x",
  status,
  headers: new Headers(),
  bytes: new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body)),
  receivedAt: Temporal.Instant.from("2026-09-09T21:00:00Z"),
});
/** An upstream that gives one answer and keeps what it was asked. */
function asking(body: object, asked: string[]): Upstream {
  return {
    ask: async ({ url }: { url: string }) => {
      asked.push(url);
      return answer(body);
    },
  } as unknown as Upstream;
}

describe("search", () => {
  test("reads hits with plain snippets, in either version", () => {
    const hit = {
      ns: 0,
      title: "Zorp & Sons",
      pageid: 7,
      wordcount: 12,
      snippet: '<span class="x">Zorp</span> &amp; co',
    };
    const body = {
      batchcomplete: "",
      query: { searchinfo: { totalhits: 3 }, search: [hit, { ns: 0, title: "Zorp" }] },
    };
    expect(readSearch(answer(body))).toEqual({
      total_hits: 3,
      hits: [
        { title: "Zorp & Sons", page_id: 7, word_count: 12, snippet: "Zorp & co" },
        { title: "Zorp", page_id: null, word_count: null, snippet: null },
      ],
    });
    expect(readSearch(answer({ query: { search: [] } }))).toEqual({ total_hits: null, hits: [] });
  });

  test("an error with status 200 is a refusal; another shape is a failure", () => {
    expect(() => readSearch(answer({ error: { code: "search-title-disabled" } }))).toThrow(UpstreamRefused);
    for (const body of [{ query: {} }, { query: { search: [{ pageid: 1 }] } }, {}, "[1]", '{"query"'])
      expect(() => readSearch(answer(body))).toThrow(UpstreamFailed);
  });
});

describe("titles", () => {
  const page = {
    pageid: 9,
    ns: 0,
    title: "Zorp Dynamics",
    pageprops: { wikibase_item: "Q42" },
    description: "Company",
  };
  test("resolves normalised, redirected, missing and ambiguous titles, in any order", () => {
    const body = {
      query: {
        normalized: [{ from: "zorp_inc", to: "Zorp inc" }],
        redirects: [{ from: "Zorp inc", to: "Zorp Dynamics" }],
        pages: [
          { ns: 0, title: "Nothing", missing: true },
          { pageid: 3, ns: 0, title: "Zorp", pageprops: { disambiguation: "", wikibase_item: "Q1" } },
          page,
        ],
      },
    };
    const found = readTitles(answer(body), ["zorp_inc", "Zorp", "Nothing", "Zorp Dynamics"]);
    expect(found.get("zorp_inc")).toEqual({
      title: "Zorp Dynamics",
      page_id: 9,
      wikidata_id: "Q42",
      description: "Company",
      is_disambiguation: false,
      url: "https://en.wikipedia.org/wiki/Zorp_Dynamics",
    });
    expect(found.get("Zorp Dynamics")).toEqual(found.get("zorp_inc") ?? null);
    expect(found.get("Zorp")?.is_disambiguation).toBe(true);
    expect(found.get("Nothing")).toBeNull();
  });

  test("reads the older format", () => {
    const pages = { "-1": { ns: 0, title: "Nothing", missing: "" }, "9": page };
    const found = readTitles(answer({ query: { pages } }), ["Nothing", "Zorp Dynamics"]);
    expect(found.get("Nothing")).toBeNull();
    expect(found.get("Zorp Dynamics")?.page_id).toBe(9);
  });

  test("rejects a title without an answer, an error, another shape", () => {
    expect(() => readTitles(answer({ query: { pages: [] } }), ["Zorp"])).toThrow(UpstreamFailed);
    expect(() => readTitles(answer({ error: { code: "toomanyvalues" } }), ["Zorp"])).toThrow(UpstreamRefused);
    expect(() => readTitles(answer({ query: { pages: ["x"] } }), ["Zorp"])).toThrow(UpstreamFailed);
  });
});

describe("Wikidata", () => {
  test("queries and answers", async () => {
    expect(byCik("0000320193")).toContain('"0000320193" "320193"');
    expect(byTicker("BRK.B")).toContain('pq:P249 "BRK.B"');
    const binding = {
      item: { type: "uri", value: "http://www.wikidata.org/entity/Q42" },
      title: { type: "literal", "xml:lang": "en", value: "Zorp" },
    };
    expect(readItems(answer({ results: { bindings: [binding] } }))).toEqual([
      { wikidata_id: "Q42", title: "Zorp" },
    ]);
    expect(() => readItems(answer({ results: { bindings: [{}] } }))).toThrow(UpstreamFailed);
    const asked: string[] = [];
    expect(await askItems(asking({}, asked), 'X" } DROP', byTicker)).toEqual([]);
    expect(asked).toEqual([]);
  });
});

describe("page views", () => {
  const item = (timestamp: string, views: unknown, more: object = {}) => ({
    project: "en.wikipedia",
    article: "Zorp",
    granularity: "daily",
    timestamp,
    access: "all-access",
    agent: "user",
    views,
    ...more,
  });
  test("lists completed days by date", () => {
    const items = [item("2026090900", 3), item("2026090800", 7), item("2026090600", 0)];
    expect(readPageViews(answer({ items })).days).toEqual([
      { date: "2026-09-06", views: 0 },
      { date: "2026-09-08", views: 7 },
    ]);
    expect(readPageViews(answer({ type: "about:blank", detail: "The date(s) …" }, 404)).days).toEqual([]);
    expect(() => readPageViews(answer({ detail: "bad" }, 400))).toThrow(UpstreamRefused);
  });

  test("rejects crawlers, months, two counts of a day, impossible days and values that are not numbers", () => {
    for (const items of [
      [item("2026090800", 7, { agent: "all-agents" })],
      [item("2026090800", 7, { granularity: "monthly" })],
      [item("2026090800", 7), item("2026090800", 8)],
      [item("2026090800", "7")],
      [item("2026090800", -1)],
      [item("20260908", 7)],
      [item("2026023100", 7)],
    ])
      expect(() => readPageViews(answer({ items }))).toThrow(UpstreamFailed);
    expect(() => readPageViews(answer({}))).toThrow(UpstreamFailed);
  });

  test("the URL asks for people only and encodes spaces and slashes", async () => {
    const asked: string[] = [];
    const days = { start: "2026-09-01", end: "2026-09-08" };
    const items = [item("2026083100", 1), item("2026090200", 2)];
    const found = await askPageViews(asking({ items }, asked), "A/B test (x)", days);
    expect(asked).toEqual([
      "https://wikimedia.org/api/rest_v1/metrics/pageviews/per-article/en.wikipedia/all-access/user/A%2FB_test_(x)/daily/20260901/20260908",
    ]);
    expect(found.days).toEqual([{ date: "2026-09-02", views: 2 }]);
  });
});
