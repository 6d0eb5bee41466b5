// The comparison of several symbols: what is 100 %, and what is left out.
import { expect, test } from "bun:test";
import { COMPARED_MAX, compare, comparedSymbols } from "./comparison.ts";

const closes = (from: number, ...values: readonly (number | null)[]) =>
  values.map((close, i) => ({ date: `2026-03-0${from + i}`, close }));

test("the first day on which every symbol has a close is 100 %, and no close is carried over a gap", () => {
  const series = new Map([
    ["A", closes(2, 10, 20, 30, 25)],
    ["B", closes(3, null, 4, 5)],
  ]);
  const { from, symbols } = compare(series);
  expect(from).toBe("2026-03-04");
  expect(symbols).toEqual([
    {
      symbol: "A",
      points: [
        { date: "2026-03-04", close: 30, percent: 100 },
        { date: "2026-03-05", close: 25, percent: (25 / 30) * 100 },
      ],
    },
    {
      symbol: "B",
      points: [
        { date: "2026-03-04", close: 4, percent: 100 },
        { date: "2026-03-05", close: 5, percent: 125 },
      ],
    },
  ]);
  const gap = compare(new Map([["A", closes(2, 10, null, 11)]]));
  expect(gap.symbols[0]?.points.map(({ date }) => date)).toEqual(["2026-03-02", "2026-03-04"]);
});

test("symbols without a day in common have no comparison", () => {
  const apart = compare(
    new Map([
      ["A", closes(2, 10, 11)],
      ["B", closes(5, 1, 2)],
    ]),
  );
  expect(apart).toEqual({
    from: null,
    symbols: [
      { symbol: "A", points: [] },
      { symbol: "B", points: [] },
    ],
  });
  expect(compare(new Map()).from).toBeNull();
});

test("symbols are read from a text: upper case, each once, never the page's own, not more than fit", () => {
  expect(comparedSymbols(" quib-b,SNARV quib-b,zorp ", "ZORP")).toEqual(["QUIB-B", "SNARV"]);
  expect(comparedSymbols(null, "ZORP")).toEqual([]);
  expect(comparedSymbols("A B C D E F", "ZORP")).toHaveLength(COMPARED_MAX);
});
