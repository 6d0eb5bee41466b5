import { expect, test } from "bun:test";
import { type AmountBasis, splitFactor } from "./split-basis.ts";

const SPLITS = [{ ex_date: "2026-06-10", price_factor: 0.25 }];
const row = (more: Partial<AmountBasis> = {}): AmountBasis => ({
  ex_dividend_date: "2026-03-02",
  basis_date: null,
  recorded_at: "2026-11-02T15:00:00Z",
  backfilled: false,
  ...more,
});

test("an amount as paid is scaled by the splits since its ex date, none before them", () => {
  expect(splitFactor(row(), SPLITS, "2026-06-09", null)).toBe(1);
  expect(splitFactor(row(), SPLITS, "2026-06-10", null)).toBe(0.25);
  expect(splitFactor(row({ basis_date: "2026-06-10" }), SPLITS, "2026-11-02", null)).toBe(1);
});

test("an amount on a later basis needs every split up to it", () => {
  const coming = row({ ex_dividend_date: "2026-06-15", backfilled: true });
  expect(splitFactor(coming, SPLITS, "2026-06-01", "2026-11-02")).toBe(4);
  expect(splitFactor(coming, SPLITS, "2026-06-01", "2026-06-14")).toBeNull();
  expect(splitFactor(coming, SPLITS, "2026-06-01", null)).toBeNull();
  // A split after the ex date is no part of it.
  expect(splitFactor({ ...coming, ex_dividend_date: "2026-06-09" }, SPLITS, "2026-06-01", "2026-11-02")).toBe(
    1,
  );
});

test("a coming payment is on the basis of its fetch", () => {
  const coming = row({
    ex_dividend_date: "2026-12-15",
    backfilled: true,
    recorded_at: "2026-06-08T15:00:00Z",
  });
  expect(splitFactor(coming, SPLITS, "2026-06-01", "2026-06-08")).toBe(1);
  expect(splitFactor({ ...coming, backfilled: false }, SPLITS, "2026-06-09", null)).toBe(1);
});

test("a split without a known ratio makes the factor null", () => {
  const unknown = [{ ex_date: "2026-06-10", price_factor: null }];
  expect(splitFactor(row(), unknown, "2026-07-01", "2026-07-01")).toBeNull();
  const coming = row({ ex_dividend_date: "2026-06-15", backfilled: true });
  expect(splitFactor(coming, unknown, "2026-06-01", "2026-11-02")).toBeNull();
});
