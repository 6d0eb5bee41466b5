// Collecting archived news page by page, with an end.
import { expect, test } from "bun:test";
import { fakeClock } from "../../../test/support/fake-clock.ts";
import type { MappedEntity } from "./entity-store.ts";
import { newsCollector } from "./news-collect.ts";
import type { NewsCoverage } from "./news-coverage.ts";
import type { NewsStore } from "./news-store.ts";
import type { NewsArchive, SourceNews } from "./sources.ts";

const ENTITY = {
  symbol: "ZORP",
  encyc_title: "Zorp Dynamics",
  company_name: "Zorp Dynamics Inc.",
} as MappedEntity;
const SPAN = { start: "2026-09-01", end: "2026-09-07" };
const PAGE = 250;

/**
 * An archive of `total` articles, one per minute. Unless `honest`, it ignores the requested start of a page.
 */
function collecting(total: number, honest = true) {
  const first = Temporal.Instant.from("2026-09-02T00:00:00Z");
  const all = Array.from(
    { length: total },
    (_, i): SourceNews => ({
      url: `https://ledger.example/${i}`,
      title: `Zorp ${i}`,
      domain: null,
      language: null,
      source_country: null,
      seen_at: first.add({ minutes: i }),
    }),
  );
  const clock = fakeClock("2026-09-09T21:00:00Z");
  const asked: string[] = [];
  const marked: { start_date: string; end_date: string; articles: number; truncated: boolean }[] = [];
  const archive: NewsArchive = {
    query: (name) => name,
    async articles(_query, { from, to }) {
      asked.push(from.toString());
      const within = all.filter(
        ({ seen_at }) =>
          Temporal.Instant.compare(seen_at, honest ? from : first) >= 0 &&
          Temporal.Instant.compare(seen_at, to) < 0,
      );
      const articles = within.slice(0, PAGE);
      return { articles, is_full: articles.length === PAGE, received_at: clock.now() };
    },
    volume: async () => ({ days: [], received_at: clock.now() }),
    closedUntil: () => null,
    archiveFrom: "2017-01-01",
  };
  const store = {
    saveArticles: async (_symbol: string, _query: string, found: readonly SourceNews[]) => found.length,
    saveVolume: async () => 0,
  } as unknown as NewsStore;
  const coverage = {
    markCollected: (row: (typeof marked)[number]) => void marked.push(row),
  } as unknown as NewsCoverage;
  const news = newsCollector({ archive, store, coverage, clock });
  const run = (span = SPAN) => news.collect(ENTITY, span, span, new AbortController().signal);
  return { run, asked, marked, news };
}

test("600 articles: three pages, each starting where the one before ended, every article once", async () => {
  const { run, asked, marked } = collecting(600);
  expect(await run()).toMatchObject({ articles_found: 600, truncated: false, status: "collected" });
  expect(asked).toEqual(["2026-09-01T04:00:00Z", "2026-09-02T04:09:00Z", "2026-09-02T08:18:00Z"]);
  expect(marked).toMatchObject([{ start_date: "2026-09-01", end_date: "2026-09-07", articles: 600 }]);
});

test("more than four pages: the report is truncated", async () => {
  const { run, asked, marked } = collecting(5_000);
  expect((await run()).truncated).toBe(true);
  expect(asked.length).toBe(4);
  expect(marked[0]?.truncated).toBe(true);
});

test("an archive that repeats the same page is not asked forever", async () => {
  const { run, asked } = collecting(600, false);
  expect(await run()).toMatchObject({ articles_found: 250, truncated: true });
  expect(asked.length).toBe(2);
});

test("a day that is not over does not count as collected", async () => {
  const { run, marked } = collecting(3);
  await run({ start: "2026-09-01", end: "2026-09-09" });
  expect(marked).toMatchObject([{ start_date: "2026-09-01", end_date: "2026-09-08" }]);
  const today = collecting(3);
  await today.run({ start: "2026-09-09", end: "2026-09-09" });
  expect(today.marked).toEqual([]);
});

test("a span is limited to the archive's days", () => {
  const { news } = collecting(0);
  expect(news.within({ start: "2016-12-20", end: "2017-01-05" })).toEqual({
    start: "2017-01-01",
    end: "2017-01-05",
  });
  expect(news.within({ start: "2026-09-01", end: "2026-12-31" }).end).toBe("2026-09-09");
  expect(() => news.within({ start: "2016-01-01", end: "2016-12-31" })).toThrow("2017-01-01");
});
