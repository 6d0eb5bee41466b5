// Combining two lists: order, duplicates, limits, and the number of pages.
import { expect, test } from "bun:test";
import { fakeClock } from "../../../test/support/fake-clock.ts";
import type { MarketList, MarketLists } from "./lists.ts";
import type { SourceRow } from "./sources.ts";
import { combine, trendingAnswers } from "./trending.ts";

const row = (symbol: string): SourceRow => ({
  symbol,
  name: null,
  exchange: null,
  quote_type: null,
  currency: null,
  price: null,
  price_time: null,
  change: null,
  change_percent: null,
  volume: null,
  avg_volume_3m: null,
  market_cap: null,
  pe_ratio: null,
  fifty_two_week_high: null,
  fifty_two_week_low: null,
  fifty_two_week_change_percent: null,
});
const rows = (symbols: string) => [...symbols].map(row);
const brief = (list: readonly { symbol: string; sources: readonly string[] }[]) =>
  list.map(
    ({ symbol, sources }) => `${symbol}${sources.map((s) => (s === "most_active" ? "a" : "g")).join("")}`,
  );

test("most active shares come first, then the gainers that are not among them, each with its lists", () => {
  expect(brief(combine(rows("ABC"), rows("XBYA"), { n: 500 }))).toEqual(["Aag", "Bag", "Ca", "Xg", "Yg"]);
});

test("n limits the combined list, the other limits each list before", () => {
  expect(brief(combine(rows("ABC"), rows("XBY"), { n: 4 }))).toEqual(["Aa", "Bag", "Ca", "Xg"]);
  expect(brief(combine(rows("ABC"), rows("XBY"), { n: 1 }))).toEqual(["Aa"]);
  expect(brief(combine(rows("ABC"), rows("XBY"), { n: 9, most_active_limit: 1 }))).toEqual([
    "Aa",
    "Xg",
    "Bg",
    "Yg",
  ]);
  expect(brief(combine(rows("ABC"), rows("XBY"), { n: 9, gainers_limit: 1 }))).toEqual([
    "Aa",
    "Ba",
    "Ca",
    "Xg",
  ]);
});

test("empty lists", () => {
  expect(combine([], [], { n: 5 })).toEqual([]);
  expect(brief(combine([], rows("X"), { n: 5 }))).toEqual(["Xg"]);
});

function world() {
  const clock = fakeClock("2026-09-09T18:00:00Z");
  const asked: string[] = [];
  const kept = new Map<string, number>();
  const ask = (key: string, list: MarketList, force: boolean) => {
    const storedAtMs = kept.get(key);
    if (storedAtMs !== undefined && !force)
      return { value: list, state: "HIT" as const, storedAtMs, expiresAtMs: storedAtMs + 3_600_000 };
    asked.push(key);
    kept.set(key, clock.nowMs());
    return { value: list, state: "MISS" as const, storedAtMs: clock.nowMs(), expiresAtMs: 0 };
  };
  const list = (symbols: string): MarketList => ({
    rows: rows(symbols),
    total: symbols.length,
    warnings: [],
    as_of: clock.now().toString(),
  });
  const lists: MarketLists = {
    mostActive: async (force) => ask("active", list("AB"), force),
    fiftyTwoWeekGainers: async (pages, force) => ask(`gainers ${pages}`, list("XY"), force),
    dayGainers: async () => list(""),
  };
  const trending = trendingAnswers({ lists, clock });
  return {
    clock,
    asked,
    get: (n: number, force = false) => trending({ n }, force, new AbortController().signal),
  };
}

test("reads enough pages of gainers for n, at least three, at most ten", async () => {
  const { asked, get } = world();
  for (const n of [1, 600, 601, 2000, 9999]) await get(n);
  expect(asked).toEqual(["active", "gainers 3", "gainers 4", "gainers 10"]);
});

test("no part is older than half an hour, though the lists are cached for an hour", async () => {
  const { clock, asked, get } = world();
  const first = await get(5);
  expect([first.cache.state, first.total]).toEqual(["MISS", 4]);
  clock.advance(29 * 60_000);
  const second = await get(5);
  expect([second.cache.state, second.cache.expiresAtMs - clock.nowMs()]).toEqual(["HIT", 60_000]);
  clock.advance(60_000);
  expect((await get(5)).cache.state).toBe("MISS");
  expect(asked).toEqual(["active", "gainers 3", "active", "gainers 3"]);
  await get(5, true);
  expect(asked).toHaveLength(6);
});
