// Recorded answers of Wikipedia, of the page views and of the news archive through their readers.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { UpstreamRefused } from "../../src/platform/errors.ts";
import type { UpstreamAnswer } from "../../src/platform/upstream/policy.ts";
import { classifyGdelt, readArticles } from "../../src/providers/gdelt/index.ts";
import {
  classifyWikimedia,
  readPageViews,
  readSearch,
  readTitles,
} from "../../src/providers/wikimedia/index.ts";

setDefaultTimeout(1_200_000);

type Fields = Readonly<Record<string, unknown>>;
interface Recording {
  readonly name: string;
  readonly text: string;
  readonly json: unknown;
}

const FOLDER = process.env.CONFORMANCE_DIR ?? join(import.meta.dir, "../../../shared/real");

function recordings(part: string): Recording[] {
  const folder = join(FOLDER, part);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json") && !name.endsWith(".meta.json"))
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name), "utf8");
      return { name, text, json: JSON.parse(text) };
    });
}

const fields = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const list = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fields) : []);
const answer = (url: string, text: string, status = 200): UpstreamAnswer => ({
  url,
  status,
  headers: new Headers(),
  bytes: new TextEncoder().encode(text),
  receivedAt: Temporal.Instant.from("2035-01-01T00:00:00Z"),
});

const API = "https://en.wikipedia.org/w/api.php";
const VIEWS = "https://wikimedia.org/api/rest_v1/metrics/pageviews/per-article/x";
const ARCHIVE = "https://api.gdeltproject.org/api/v2/doc/doc";

const wikipedia = recordings("wikipedia");
const queryOf = ({ json }: Recording) => fields(fields(json).query);
const searches = wikipedia.filter((one) => "search" in queryOf(one));
const pages = wikipedia.filter((one) => "pages" in queryOf(one));
const refusals = wikipedia.filter(({ json }) => "error" in fields(json));
const views = recordings("pageviews");
const archive = recordings("gdelt");

if (wikipedia.length + views.length + archive.length === 0) test.skip("skipped: no recordings", () => {});

describe.if(searches.length > 0)("searches", () => {
  for (const one of searches)
    test(one.name, () => {
      const given = list(queryOf(one).search);
      const { hits, total_hits } = readSearch(answer(API, one.text));
      expect(hits.map(({ title }) => title)).toEqual(given.map(({ title }) => String(title)));
      expect(hits.map(({ page_id }) => page_id)).toEqual(given.map(({ pageid }) => Number(pageid)));
      expect(total_hits).toBe((fields(queryOf(one).searchinfo).totalhits ?? null) as number | null);
      for (const { snippet } of hits) expect(snippet ?? "").not.toMatch(/<\w|&amp;/);
      expect(classifyWikimedia(answer(API, one.text)).kind).toBe("ok");
    });
});

describe.if(pages.length > 0)("pages", () => {
  for (const one of pages)
    test(one.name, () => {
      const { normalized, pages: given } = queryOf(one);
      const asked = list(normalized).map(({ from }) => String(from));
      const listed = list(Array.isArray(given) ? given : Object.values(fields(given)));
      const found = readTitles(answer(API, one.text), [
        ...asked,
        ...listed.map(({ title }) => String(title)),
      ]);
      for (const page of listed) {
        const article = found.get(String(page.title));
        // Either format says that a page is missing: "" or true.
        if ("missing" in page) expect(article).toBeNull();
        else {
          expect(article?.title).toBe(String(page.title));
          expect(article?.page_id).toBe(Number(page.pageid));
        }
      }
      for (const { from, to } of list(normalized))
        expect(found.get(String(from))).toEqual(found.get(String(to)) ?? null);
    });
});

describe.if(refusals.length > 0)("errors sent with status 200", () => {
  for (const one of refusals)
    test(one.name, () => {
      expect(classifyWikimedia(answer(API, one.text)).kind).toBe("answered");
      expect(() => readSearch(answer(API, one.text))).toThrow(String(fields(fields(one.json).error).code));
    });
});

describe.if(views.length > 0)("page views", () => {
  for (const { name, json, text } of views.filter((one) => Array.isArray(fields(one.json).items)))
    test(name, () => {
      const given = list(fields(json).items).map(({ timestamp, views: count }) => {
        const [year, month, day] = /^(\d{4})(\d\d)(\d\d)00$/.exec(String(timestamp))?.slice(1) ?? [];
        return { date: `${year}-${month}-${day}`, views: Number(count) };
      });
      expect(given.length).toBeGreaterThan(0);
      expect(readPageViews(answer(VIEWS, text)).days).toEqual(given);
    });

  for (const { name, json } of views)
    for (const [i, form] of list(fields(json).observed_forms_of_404).entries())
      test(`${name}: form ${i + 1} of "none"`, () => {
        const none = answer(VIEWS, JSON.stringify(form.body), Number(form.status));
        expect(classifyWikimedia(none).kind).toBe("answered");
        expect(readPageViews(none).days).toEqual([]);
      });
});

describe.if(archive.length > 0)("the news archive", () => {
  for (const { name, json, text } of archive.filter((one) => Array.isArray(fields(one.json).articles)))
    test(name, () => {
      const given = list(fields(json).articles);
      const { articles } = readArticles(answer(ARCHIVE, text));
      expect(articles.map(({ url, title, language }) => [url, title, language])).toEqual(
        given.map(({ url, title, language }) => [url, title, language] as [string, string, string]),
      );
      // 20240615T170000Z, read back from the instant.
      expect(articles.map(({ seen_at }) => seen_at.toString().replaceAll(/[-:]/g, ""))).toEqual(
        given.map(({ seendate }) => String(seendate)),
      );
    });

  for (const { name, json } of archive.filter((one) => Array.isArray(one.json)))
    for (const { status, body, when } of list(json))
      test(`${name}: ${when ?? body}`, () => {
        const said = answer(ARCHIVE, String(body), Number(status));
        const isLimit = status === 429 || /limit requests/.test(String(body));
        const isNone = String(body).trim() === "{}";
        expect(classifyGdelt(said).kind).toBe(isLimit ? "rate_limited" : isNone ? "ok" : "answered");
        // This sentence has been seen with 200 as well.
        if (isLimit) expect(classifyGdelt({ ...said, status: 200 }).kind).toBe("rate_limited");
        else if (isNone) expect(readArticles(said).articles).toEqual([]);
        else expect(() => readArticles(said)).toThrow(UpstreamRefused);
      });
});
