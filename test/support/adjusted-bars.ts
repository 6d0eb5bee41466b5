// A made-up share for tests of adjustments: its prices as printed each day, and what any adjustment of them
// is by hand.
import { actionCoverage, barsDaily, corporateActions } from "../../src/datasets/index.ts";
import { wholeShares } from "../../src/market/float.ts";
import { batchOf, type Lake } from "../../src/platform/lake/lake.ts";

/** Days about a 4:1 split on Wednesday, 11 March, and a 1:10 on 13 May. */
export const PRINTED = [
  { date: "2026-03-06", open: 396.04, high: 404.4, low: 392.8, close: 400, volume: 1000 },
  { date: "2026-03-09", open: 401.2, high: 411.6, low: 399.6, close: 405, volume: 1500 },
  { date: "2026-03-10", open: 406, high: 413.2, low: 405.4, close: 412, volume: 1100 },
  { date: "2026-03-11", open: 103, high: 105.3, low: 102, close: 104, volume: 5000 },
  { date: "2026-03-12", open: 104, high: 106.1, low: 103.2, close: 105, volume: 4400 },
  { date: "2026-03-13", open: 105.5, high: 107, low: 104.5, close: 106, volume: 4200 },
  { date: "2026-05-12", open: 9.9, high: 10.4, low: 9.7, close: 10, volume: 90_000 },
  { date: "2026-05-13", open: 101, high: 103, low: 99, close: 102, volume: 8800 },
] as const;
export type Printed = (typeof PRINTED)[number];

const SPLITS = [
  { ex_date: "2026-03-11", ratio: 4 },
  { ex_date: "2026-05-13", ratio: 0.1 },
];
/** As paid, with the printed close of the session before. */
export const PAID = [
  { ex_date: "2026-03-10", amount: 0.77, before: 405 },
  { ex_date: "2026-05-12", amount: 0.3, before: 106 },
];

const between = <T extends { ex_date: string }>(actions: readonly T[], date: string, basis: string) =>
  actions.filter(({ ex_date }) => date < ex_date && ex_date <= basis);

/** Shares of the basis day for one of the day. */
export const sharesFor = (date: string, basis: string) =>
  between(SPLITS, date, basis).reduce((shares, { ratio }) => shares * ratio, 1);

/** Returns the factor from prices of the day to prices of the basis day, dividends taken off. */
export const totalFactor = (date: string, basis: string) =>
  between(PAID, date, basis).reduce((factor, { amount, before }) => factor * (1 - amount / before), 1) /
  sharesFor(date, basis);

/** The bar's figures on an adjustment, by hand. */
export function byHand(bar: Printed, adjustment: string, basis: string) {
  const shares = sharesFor(bar.date, basis);
  const total = totalFactor(bar.date, basis);
  const factor = adjustment === "raw" ? 1 : adjustment === "split" ? 1 / shares : total;
  return {
    open: bar.open * factor,
    high: bar.high * factor,
    low: bar.low * factor,
    close: bar.close * factor,
    volume: adjustment === "raw" ? bar.volume : wholeShares(bar.volume * shares),
    adjusted_close: bar.close * total,
  };
}

/** Stores the share as a provider gave it: the first days before the first split, the rest on 1 June. */
export async function storePrinted(lake: Lake, symbol: string, coveredFrom: string | null): Promise<void> {
  const basisOf = (date: string) => (date < "2026-03-10" ? "2026-03-10" : "2026-06-01");
  const rows = PRINTED.map((bar) => {
    const basis_date = basisOf(bar.date);
    const { adjusted_close, ...figures } = byHand(bar, "split", basis_date);
    const known = { basis_date, known_at: `${basis_date}T21:00:00Z`, source: "test" };
    return { symbol, date: bar.date, ...figures, adj_close: adjusted_close, currency: "USD", ...known };
  });
  const action = (ex_date: string) => ({
    symbol,
    ex_date,
    amount: null,
    currency: null,
    numerator: null,
    denominator: null,
    missing_through: null,
    basis_date: "2026-06-01",
    known_at: `${ex_date}T21:00:00Z`,
    source: "test",
  });
  const actions = [
    ...SPLITS.map(({ ex_date, ratio }) => ({
      ...action(ex_date),
      kind: "split",
      numerator: Math.max(ratio, 1),
      denominator: ratio < 1 ? 1 / ratio : 1,
      price_factor: 1 / ratio,
    })),
    ...PAID.map(({ ex_date, amount, before }) => ({
      ...action(ex_date),
      kind: "dividend",
      amount: amount / sharesFor(ex_date, "2026-06-01"),
      currency: "USD",
      price_factor: 1 - amount / before,
    })),
  ];
  const known = { known_at: "2026-06-01T21:00:00Z", source: "test" };
  await lake.append([
    batchOf(barsDaily, rows),
    batchOf(corporateActions, actions),
    batchOf(
      actionCoverage,
      coveredFrom === null ? [] : [{ symbol, from_date: coveredFrom, incomplete_through: null, ...known }],
    ),
  ]);
}
