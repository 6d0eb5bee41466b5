// Which of a provider's articles are new, later versions or duplicates.
import { expect, test } from "bun:test";
import type { Headline } from "../../market/headline.ts";
import { type NewsRow, revise } from "./revise.ts";

const at = (text: string) => Temporal.Instant.from(text);
const NOW = at("2026-09-09T21:00:00Z");
const LATER = at("2026-09-09T21:05:00Z");

const article = (more: Partial<Headline> = {}): Headline => ({
  id: "1",
  headline: "Zorp moves",
  summary: null,
  url: "https://desk.example/1",
  source: null,
  author: null,
  tickers: ["ZORP"],
  published_at: at("2026-09-09T20:00:00Z"),
  updated_at: null,
  image_url: null,
  language: null,
  ...more,
});
const stored = (provider: string, more: Partial<Headline> = {}, now = NOW): NewsRow[] => [
  ...revise(provider, [article(more)], [], now).rows,
];
const counts = ({ rows, inserted, updated }: ReturnType<typeof revise>) => [rows.length, inserted, updated];

test("a first version", () => {
  const { rows } = revise("alpaca", [article()], [], NOW);
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({
    filed_on: "2026-09-09",
    placed_at: "2026-09-09T20:00:00Z",
    provider: "alpaca",
    provider_article_id: "1",
    other_providers: null,
    tickers: "ZORP",
    published_at: "2026-09-09T20:00:00Z",
    revision: 1,
    ingested_at: NOW.toString(),
    known_at: NOW.toString(),
  });
});

test("the day is New York's, and the ingest's where no publication is known", () => {
  expect(stored("yahoo", { published_at: at("2026-09-09T03:30:00Z") })[0]?.filed_on).toBe("2026-09-08");
  const [unknown] = stored("yahoo", { published_at: null });
  expect(unknown).toMatchObject({ filed_on: "2026-09-09", placed_at: NOW.toString(), published_at: null });
});

test("a publication time days in the future is dropped; some hours may be a clock difference", () => {
  expect(stored("yahoo", { published_at: at("2027-09-09T20:00:00Z") })[0]?.published_at).toBeNull();
  expect(stored("yahoo", { published_at: at("2026-09-09T23:00:00Z") })[0]?.published_at).toBe(
    "2026-09-09T23:00:00Z",
  );
});

test("the same again is nothing new, in one reading or the next", () => {
  expect(counts(revise("alpaca", [article(), article()], [], NOW))).toEqual([1, 1, 0]);
  expect(counts(revise("alpaca", [article()], stored("alpaca"), LATER))).toEqual([0, 0, 0]);
});

test("a change is a later version; an older copy is not", () => {
  const first = stored("alpaca", { updated_at: at("2026-09-09T20:00:00Z") });
  const changed = article({ headline: "Zorp moves (updated)", updated_at: at("2026-09-09T21:03:00Z") });
  const second = revise("alpaca", [changed], first, LATER);
  expect(counts(second)).toEqual([1, 0, 1]);
  expect(second.rows[0]).toMatchObject({
    id: first[0]?.id ?? "",
    headline: "Zorp moves (updated)",
    revision: 2,
    published_at: "2026-09-09T20:00:00Z",
    updated_at: "2026-09-09T21:03:00Z",
    ingested_at: NOW.toString(),
    known_at: LATER.toString(),
  });
  const old = article({ updated_at: at("2026-09-09T20:00:00Z") });
  expect(counts(revise("alpaca", [old], [...first, ...second.rows], LATER))).toEqual([0, 0, 0]);
});

test("a later version may lose a symbol; the same one read elsewhere only gains", () => {
  const first = stored("alpaca", { tickers: ["ZORP", "QUIB"], updated_at: at("2026-09-09T20:00:00Z") });
  const later = article({ tickers: ["ZORP"], updated_at: at("2026-09-09T20:30:00Z") });
  expect(revise("alpaca", [later], first, LATER).rows[0]?.tickers).toBe("ZORP");
  const feeds = [article({ tickers: ["ZORP"] }), article({ tickers: ["KRONK"] })];
  expect(revise("yahoo", feeds, [], NOW).rows.map(({ tickers }) => tickers)).toEqual(["ZORP,KRONK"]);
});

test("another provider's copy adds only the provider and its tickers", () => {
  const first = stored("alpaca");
  const copy = article({
    id: "y-9",
    url: "https://www.desk.example/1?.tsrc=rss",
    headline: "Zorp Moves!",
    summary: "Other words.",
    tickers: ["KRONK"],
    published_at: null,
  });
  const { rows, inserted, updated } = revise("yahoo", [copy], first, LATER);
  expect([inserted, updated]).toEqual([0, 1]);
  expect(rows[0]).toEqual({
    ...(first[0] as NewsRow),
    other_providers: "yahoo",
    tickers: "ZORP,KRONK",
    revision: 2,
    known_at: LATER.toString(),
  });
  expect(counts(revise("yahoo", [copy], [...first, ...rows], LATER))).toEqual([0, 0, 0]);
});

test("a copy is recognised by a headline the article had before, and after its own change too", () => {
  const first = stored("alpaca", { updated_at: at("2026-09-09T20:00:00Z") });
  const changed = article({ headline: "Zorp soars", updated_at: at("2026-09-09T20:40:00Z") });
  const all = [...first, ...revise("alpaca", [changed], first, LATER).rows];
  for (const headline of ["Zorp moves", "Zorp soars"]) {
    const { rows } = revise("yahoo", [article({ id: "y", headline })], all, LATER);
    expect(rows.map((row) => [row.headline, row.other_providers, row.revision])).toEqual([
      ["Zorp soars", "yahoo", 3],
    ]);
  }
  expect(revise("yahoo", [article({ id: "y", headline: "Something else" })], all, LATER).inserted).toBe(1);
});

test("without an address articles of two providers stay two", () => {
  expect(
    revise("yahoo", [article({ id: "y", url: null })], stored("alpaca", { url: null }), LATER).inserted,
  ).toBe(1);
});

test("a feed that moves the publication time marks a changed article", () => {
  const moved = article({ published_at: at("2026-09-09T20:50:00Z") });
  const [row] = revise("globenewswire", [moved], stored("globenewswire"), LATER).rows;
  expect(row).toMatchObject({
    published_at: "2026-09-09T20:00:00Z",
    updated_at: "2026-09-09T20:50:00Z",
    revision: 2,
  });
  expect(counts(revise("globenewswire", [moved], [row as NewsRow], LATER))).toEqual([0, 0, 0]);
});

test("a publication time that becomes readable is stored and its day stays; one that becomes unreadable stays", () => {
  const first = stored("yahoo", { published_at: null });
  const [row] = revise("yahoo", [article({ published_at: at("2026-09-07T12:00:00Z") })], first, LATER).rows;
  expect(row).toMatchObject({ placed_at: NOW.toString(), published_at: "2026-09-07T12:00:00Z" });
  expect(counts(revise("yahoo", [article({ published_at: null })], stored("yahoo"), LATER))).toEqual([
    0, 0, 0,
  ]);
});
