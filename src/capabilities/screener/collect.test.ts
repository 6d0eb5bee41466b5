// Collecting a whole set: pages, limits, a list that changes or ends early; and sorting by own figures.
import { expect, test } from "bun:test";
import { collect, sorted } from "./collect.ts";
import type { ScreenSource, SourceRow } from "./sources.ts";

const row = (symbol: string, fields: Partial<SourceRow> = {}): SourceRow => ({
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
  dividend_yield: null,
  beta: null,
  sector: null,
  industry: null,
  kinds: [],
  ...fields,
});
const names = (from: number, count: number) => Array.from({ length: count }, (_, i) => row(`S${from + i}`));
const SCREEN = { filters: { price_min: 5 }, sort_by: "market_cap", sort_order: "desc" } as const;

/** Collects from a source of `total` rows; `pageOf` gives the rows of an offset. */
async function collected(
  total: number,
  pageOf = (offset: number) => names(offset, Math.max(0, Math.min(250, total - offset))),
) {
  const offsets: number[] = [];
  const source: ScreenSource = {
    name: "test",
    async screen({ filters, sort_by, sort_order, offset, size }) {
      expect([filters, sort_by, sort_order, size]).toEqual([{ price_min: 5 }, "market_cap", "desc", 250]);
      offsets.push(offset);
      return {
        total,
        rows: pageOf(offset),
        received_at: `2026-09-09T18:00:0${Math.min(9, offsets.length)}Z`,
      };
    },
  };
  return { ...(await collect(source, SCREEN, new AbortController().signal)), offsets };
}

test("every page until the total is reached", async () => {
  const set = await collected(620);
  expect(set).toMatchObject({
    total: 620,
    truncated: false,
    as_of: "2026-09-09T18:00:01Z",
    offsets: [0, 250, 500],
  });
  expect(set.rows).toHaveLength(620);
  expect((await collected(250)).offsets).toEqual([0]);
  expect(await collected(0)).toMatchObject({ rows: [], truncated: false, offsets: [0] });
});

test("collects at most 24 pages or 6,000 rows, then is truncated", async () => {
  const exact = await collected(6000);
  expect([exact.rows.length, exact.truncated, exact.offsets.length]).toEqual([6000, false, 24]);
  const more = await collected(6001);
  expect([more.rows.length, more.truncated, more.offsets.length]).toEqual([6000, true, 24]);
});

test("a symbol that moves from one page to the next counts once", async () => {
  const set = await collected(500, (offset) => (offset === 0 ? names(0, 250) : names(240, 250)));
  expect(set.rows).toHaveLength(490);
  expect(new Set(set.rows.map(({ symbol }) => symbol)).size).toBe(490);
  expect(set.truncated).toBe(false);
});

test("an empty page before the end leaves the set incomplete and truncated", async () => {
  const set = await collected(1000, (offset) => (offset < 500 ? names(offset, 250) : []));
  expect([set.rows.length, set.truncated, set.offsets]).toEqual([500, true, [0, 250, 500]]);
});

test("sorted by the rows' own figures, then by symbol; unknown ones last in their original order", () => {
  const rows = [
    row("D", { market_cap: 1 }),
    row("U2"),
    row("B", { market_cap: 5 }),
    row("A", { market_cap: 5 }),
    row("U1"),
  ];
  const order = (by: Parameters<typeof sorted>[1], way: "asc" | "desc") =>
    sorted(rows, by, way).map(({ symbol }) => symbol);
  expect(order("market_cap", "desc")).toEqual(["A", "B", "D", "U2", "U1"]);
  expect(order("market_cap", "asc")).toEqual(["D", "A", "B", "U2", "U1"]);
  expect(order("beta", "desc")).toEqual(["D", "U2", "B", "A", "U1"]);
});

test("each sort uses its own figure", () => {
  const low = row("LOW", {
    price: 1,
    change_percent: 1,
    volume: 1,
    avg_volume_3m: 1,
    pe_ratio: 1,
    dividend_yield: 1,
    fifty_two_week_change_percent: 1,
  });
  const high = row("HIGH", {
    price: 2,
    change_percent: 2,
    volume: 2,
    avg_volume_3m: 2,
    pe_ratio: 2,
    dividend_yield: 2,
    fifty_two_week_change_percent: 2,
  });
  for (const by of [
    "price",
    "change_percent",
    "volume",
    "avg_volume",
    "pe",
    "dividend_yield",
    "fifty_two_week_change",
    "dollar_volume",
  ] as const)
    expect([by, ...sorted([low, high], by, "desc").map(({ symbol }) => symbol)]).toEqual([by, "HIGH", "LOW"]);
});
