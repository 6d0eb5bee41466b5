// Bars and listed actions of one symbol: which agree, and which contradict each other.
import { describe, expect, test } from "bun:test";
import type { ListedAction } from "../endpoints/corporate-actions.ts";
import { actionsOnBasis, type Closes, findMismatch, hasUnlistedDividends } from "./adjustment-check.ts";

const action = (
  kind: ListedAction["kind"],
  ex_date: string,
  more: Partial<ListedAction> = {},
): ListedAction => ({
  symbol: "T",
  kind,
  ex_date,
  rate: null,
  currency: "USD",
  numerator: null,
  denominator: null,
  ...more,
});
const SPLIT = action("split", "2026-03-04", { numerator: 4, denominator: 1 });
const DIVIDEND = action("dividend", "2026-03-05", { rate: 0.5 });

/** Printed closes: 400, 408 before the split, 100, 99.5, 101 after it; 0.50 is paid on the 5th. */
const closes = (): Closes[] => [
  { date: "2026-03-02", settled: true, raw: 400, split: 100, all: 99.5 },
  { date: "2026-03-03", settled: true, raw: 408, split: 102, all: 101.49 },
  { date: "2026-03-04", settled: true, raw: 100, split: 100, all: 99.5 },
  { date: "2026-03-05", settled: true, raw: 99.5, split: 99.5, all: 99.5 },
  { date: "2026-03-06", settled: true, raw: 101, split: 101, all: 101 },
];
const NOW = { basis: "2026-03-09", reachesBasis: true };
const doubt = (listed: ListedAction[], bars = closes(), at = NOW) =>
  findMismatch(listed, bars, actionsOnBasis(listed, bars, at.basis), at);

describe("actions on the basis", () => {
  test("a split's factor is old shares by new, a dividend's the part of the previous close it leaves", () => {
    const [split, dividend] = actionsOnBasis([DIVIDEND, SPLIT], closes(), "2026-03-09");
    expect(split).toMatchObject({
      kind: "split",
      numerator: 4,
      denominator: 1,
      amount: null,
      price_factor: 0.25,
    });
    expect(dividend).toMatchObject({ kind: "dividend", amount: 0.5, price_factor: 1 - 0.5 / 100 });
  });

  test("a dividend before a split is divided by it; actions after the basis do not count", () => {
    const early = action("dividend", "2026-03-03", { rate: 2 });
    expect(actionsOnBasis([early, SPLIT], closes(), "2026-03-09")[0]).toMatchObject({
      amount: 0.5,
      price_factor: 1 - 0.5 / 100,
    });
    expect(actionsOnBasis([early, SPLIT], closes(), "2026-03-03")).toMatchObject([{ amount: 2 }]);
  });

  test("a factor is measured by the close as traded, not by the feed's rounded one", () => {
    const bars: Closes[] = [
      { date: "2026-03-02", settled: true, raw: 231.59, split: 57.9, all: 57.4 },
      { date: "2026-03-03", settled: true, raw: 232, split: 58, all: 58 },
    ];
    const paid = action("dividend", "2026-03-03", { rate: 2 });
    expect(actionsOnBasis([paid, SPLIT], bars, "2026-03-09")[0]?.price_factor).toBe(1 - 0.5 / 57.8975);
  });

  test("without a settled close before it a dividend has no factor", () => {
    const first = action("dividend", "2026-03-02", { rate: 1 });
    expect(actionsOnBasis([first], closes(), "2026-03-09")[0]?.price_factor).toBeNull();
  });
});

describe("bars agree with the actions", () => {
  test("in a history adjusted for exactly the listed actions", () => {
    expect(doubt([SPLIT, DIVIDEND])).toBeNull();
  });

  test("in a span of the past, whatever later dividends it is adjusted for", () => {
    const past = closes().map((bar) => ({ ...bar, all: bar.all === null ? null : bar.all * 0.97 }));
    expect(doubt([SPLIT, DIVIDEND], past, { basis: "2026-09-09", reachesBasis: false })).toBeNull();
  });

  test("with two payments on one day", () => {
    const bars = closes().map((bar) =>
      bar.date < "2026-03-05" ? { ...bar, all: Number((bar.split * 0.985).toFixed(2)) } : bar,
    );
    expect(doubt([SPLIT, DIVIDEND, action("dividend", "2026-03-05", { rate: 1 })], bars)).toBeNull();
  });

  test("for a penny stock, whose rounding hides the exact size of a dividend", () => {
    const bars: Closes[] = [
      { date: "2026-03-04", settled: true, raw: null, split: 1.2, all: 1.19 },
      { date: "2026-03-05", settled: true, raw: null, split: 1.21, all: 1.21 },
    ];
    expect(doubt([action("dividend", "2026-03-05", { rate: 0.012 })], bars)).toBeNull();
  });

  test("on a running day, whose forms were read at different moments", () => {
    const bars = [...closes(), { date: "2026-03-09", settled: false, raw: 90, split: 103, all: 97 }];
    expect(doubt([SPLIT, DIVIDEND], bars)).toBeNull();
  });
});

describe("bars contradict the actions", () => {
  const untrusted: readonly (readonly [string, ListedAction[], Closes[]?, typeof NOW?])[] = [
    [
      "a listed split that the prices do not know yet",
      [SPLIT, DIVIDEND],
      closes().map((bar) => ({ ...bar, split: bar.raw ?? 0 })),
    ],
    ["prices rescaled by a split that is not listed", [DIVIDEND]],
    ["a dividend that is not listed", [SPLIT]],
    [
      "a listed dividend that was not taken off",
      [SPLIT, DIVIDEND, action("dividend", "2026-03-06", { rate: 1.5 })],
    ],
    ["a dividend of another amount", [SPLIT, { ...DIVIDEND, rate: 2 }]],
    [
      "a dividend taken off ahead of its day",
      [SPLIT, DIVIDEND],
      closes().map((bar) => ({ ...bar, all: (bar.all ?? 0) * 0.98 })),
    ],
    ["a spin-off", [SPLIT, DIVIDEND, action("other", "2026-03-06")]],
    ["a dividend in another currency", [SPLIT, { ...DIVIDEND, currency: "CAD" }]],
    [
      "days without a fully adjusted close",
      [SPLIT, DIVIDEND],
      closes().map((bar) => ({ ...bar, all: null })),
    ],
  ];
  for (const [what, listed, bars, at] of untrusted)
    test(`is ${what}`, () => {
      expect(doubt(listed, bars ?? closes(), at ?? NOW)).toBeString();
    });

  test("a spin-off before the first bar does not matter", () => {
    expect(doubt([SPLIT, DIVIDEND, action("other", "2026-03-02")])).toBeNull();
  });
});

test("bars that ended and are adjusted for more than the list has belong to a company that goes on under another symbol", () => {
  const basis = "2026-09-09";
  const unlisted = (listed: ListedAction[], bars: Closes[]) =>
    hasUnlistedDividends(bars, actionsOnBasis(listed, bars, basis), basis);
  expect(unlisted([SPLIT, DIVIDEND], closes())).toBe(false);
  const later = closes().map((bar) => ({ ...bar, all: (bar.all ?? 0) * 0.97 }));
  expect(unlisted([SPLIT, DIVIDEND], later)).toBe(true);
  // A dividend that is listed after the last bar explains it, one of another size does not: 3.03 are 3 % of
  // 101.
  const paid = (rate: number) => action("dividend", "2026-06-01", { rate });
  expect(unlisted([SPLIT, DIVIDEND, paid(3.03)], later)).toBe(false);
  expect(unlisted([SPLIT, DIVIDEND, paid(1.01)], later)).toBe(true);
});
