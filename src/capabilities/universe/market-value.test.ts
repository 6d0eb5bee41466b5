import { describe, expect, test } from "bun:test";
import type { CountFact } from "../../market/share-count.ts";
import { marketValue, type ValueInput } from "./market-value.ts";

const fact = (over: Partial<CountFact>): CountFact => ({
  value: 1_000_000,
  period_end: "2026-04-20",
  split_basis: "2026-04-28",
  accession_number: "0009000001-26-000002",
  filed_date: "2026-04-28",
  known_at: "2026-04-28T20:31:00Z",
  is_cover: true,
  weighted: null,
  ...over,
});

/** The end of May 2026; splits are known up to 9 September. */
const input = (over: Partial<ValueInput> = {}): ValueInput => ({
  snapshot_date: "2026-05-29",
  day_end: "2026-05-30T03:59:59.999999999Z",
  close: 50,
  basis_date: "2026-09-09",
  splits: [],
  counting: "reports",
  uncounted: null,
  facts: [fact({})],
  provider: null,
  ...over,
});

const split = (ex_date: string, numerator: number | null, denominator: number | null) => ({
  ex_date,
  numerator,
  denominator,
});

test("without splits the count is the same then and now", () => {
  expect(marketValue(input())).toEqual({
    close_price: 50,
    close_price_unadjusted: 50,
    shares_outstanding: 1_000_000,
    shares_source: "regulator",
    shares_as_of: "2026-04-20",
    shares_accession: "0009000001-26-000002",
    market_cap: 50_000_000,
    shares_outstanding_pit: 1_000_000,
    shares_pit_as_of: "2026-04-20",
    shares_pit_known_at: "2026-04-28T20:31:00Z",
    shares_pit_accession: "0009000001-26-000002",
    market_cap_pit: 50_000_000,
    missing: null,
  });
});

describe("splits", () => {
  test("a split after the snapshot: more shares at a lower price on today's basis, but not on the day's", () => {
    expect(marketValue(input({ close: 12.5, splits: [split("2026-07-01", 4, 1)] }))).toMatchObject({
      close_price: 12.5,
      close_price_unadjusted: 50,
      shares_outstanding: 4_000_000,
      market_cap: 50_000_000,
      shares_outstanding_pit: 1_000_000,
      market_cap_pit: 50_000_000,
      missing: null,
    });
  });

  test("a split between the report and the snapshot restates both counts", () => {
    expect(marketValue(input({ close: 12.5, splits: [split("2026-05-11", 4, 1)] }))).toMatchObject({
      close_price_unadjusted: 12.5,
      shares_outstanding: 4_000_000,
      shares_outstanding_pit: 4_000_000,
      market_cap: 50_000_000,
      market_cap_pit: 50_000_000,
    });
  });

  test("a split between the day of a cover's count and the filing: witnesses say on which side it is", () => {
    const counts = (splits: readonly [string, number, number], ...facts: readonly Partial<CountFact>[]) => {
      const found = marketValue(input({ splits: [split(...splits)], facts: facts.map(fact) }));
      return [found.shares_outstanding, found.shares_outstanding_pit, found.missing];
    };
    const before = { period_end: "2026-01-20", filed_date: "2026-01-28", split_basis: "2026-01-28" };
    expect(counts(["2026-04-24", 1, 10], {})).toEqual([null, null, "shares_in_doubt"]);
    expect(counts(["2026-04-28", 4, 1], {})).toEqual([null, null, "shares_in_doubt"]);
    // The cover repeats the count of the report before: old shares.
    expect(counts(["2026-04-24", 1, 10], { ...before, value: 990_000 }, {})).toEqual([
      100_000,
      100_000,
      null,
    ]);
    // It is a tenth of it: new ones.
    expect(counts(["2026-04-24", 1, 10], { ...before, value: 9_900_000 }, {})).toEqual([
      1_000_000,
      1_000_000,
      null,
    ]);
    // Neither.
    expect(counts(["2026-04-24", 1, 10], { ...before, value: 3_000_000 }, {})).toEqual([
      null,
      null,
      "shares_in_doubt",
    ]);
    // The report's own weighted count is on the new basis, the cover is not.
    expect(counts(["2026-04-24", 10, 1], { weighted: 9_700_000 })).toEqual([10_000_000, 10_000_000, null]);
    expect(counts(["2026-04-24", 10, 1], { weighted: 970_000 })).toEqual([null, null, "shares_in_doubt"]);
    // Two witnesses that contradict each other.
    expect(counts(["2026-04-24", 10, 1], { ...before, value: 100_000 }, { weighted: 9_700_000 })).toEqual([
      null,
      null,
      "shares_in_doubt",
    ]);
    // A count of the balance sheet is restated for a split before the report.
    expect(counts(["2026-04-24", 4, 1], { is_cover: false })).toEqual([1_000_000, 1_000_000, null]);
  });

  test("a reverse split, and 3:2", () => {
    expect(marketValue(input({ close: 500, splits: [split("2026-07-01", 1, 10)] }))).toMatchObject({
      close_price_unadjusted: 50,
      shares_outstanding: 100_000,
      shares_outstanding_pit: 1_000_000,
    });
    expect(marketValue(input({ close: 20, splits: [split("2026-07-01", 3, 2)] }))).toMatchObject({
      close_price_unadjusted: 30,
      shares_outstanding: 1_500_000,
      market_cap: 30_000_000,
      market_cap_pit: 30_000_000,
    });
  });

  test("a spin-off reported as a split changes prices but no count: counts across it are null", () => {
    expect(marketValue(input({ close: 40, splits: [split("2026-07-01", 1281, 1000)] }))).toMatchObject({
      close_price_unadjusted: 51.24,
      shares_outstanding: null,
      shares_source: null,
      shares_as_of: null,
      market_cap: null,
      market_cap_pit: 51_240_000,
      missing: "splits_unknown",
    });
  });

  test("an unknown ratio, and splits that are not known up to the day", () => {
    expect(marketValue(input({ splits: [split("2026-07-01", null, null)] }))).toMatchObject({
      close_price: 50,
      close_price_unadjusted: null,
      market_cap: null,
      market_cap_pit: null,
      missing: "splits_unknown",
    });
    expect(marketValue(input({ basis_date: "2026-04-01" }))).toMatchObject({
      market_cap: null,
      market_cap_pit: null,
      missing: "splits_unknown",
    });
    expect(marketValue(input({ basis_date: null })).market_cap).toBeNull();
  });
});

describe("what was on file on the day", () => {
  const before = fact({
    value: 900_000,
    period_end: "2026-01-20",
    split_basis: "2026-01-28",
    filed_date: "2026-01-28",
    known_at: "2026-01-28T21:00:00Z",
    accession_number: "0009000001-26-000001",
  });

  test("a later report counts for today but not for the day", () => {
    const later = fact({
      known_at: "2026-05-30T04:00:00Z",
      filed_date: "2026-05-30",
      split_basis: "2026-05-30",
    });
    expect(marketValue(input({ facts: [before, later] }))).toMatchObject({
      shares_outstanding: 1_000_000,
      shares_outstanding_pit: 900_000,
      shares_pit_accession: "0009000001-26-000001",
      market_cap_pit: 45_000_000,
    });
  });

  test("a report of the day's last moment counts", () => {
    const last = fact({ known_at: "2026-05-30T03:59:59.999Z" });
    expect(marketValue(input({ facts: [before, last] })).shares_outstanding_pit).toBe(1_000_000);
  });

  test("a restated count of the same day: the first one then, the amended one now", () => {
    const amended = fact({
      value: 1_100_000,
      accession_number: "0009000001-26-000007",
      filed_date: "2026-08-03",
      split_basis: "2026-08-03",
      known_at: "2026-08-03T20:00:00Z",
    });
    expect(marketValue(input({ facts: [fact({}), amended] }))).toMatchObject({
      shares_outstanding: 1_100_000,
      shares_accession: "0009000001-26-000007",
      shares_outstanding_pit: 1_000_000,
      shares_pit_accession: "0009000001-26-000002",
    });
  });

  test("a report without a known moment does not count; an old one is out of date", () => {
    expect(marketValue(input({ facts: [fact({ known_at: null })] }))).toMatchObject({
      market_cap: 50_000_000,
      market_cap_pit: null,
      missing: "no_shares_pit",
    });
    const old = { ...before, period_end: "2024-11-20" };
    expect(marketValue(input({ facts: [old] }))).toMatchObject({
      market_cap_pit: null,
      missing: "old_shares_pit",
    });
  });
});

describe("the price provider's count", () => {
  const provider = { shares: 2_000_000, date: "2026-09-09" };

  test("is used where no report has a count, and for several classes and depositary shares", () => {
    expect(marketValue(input({ facts: [], provider }))).toMatchObject({
      shares_outstanding: 2_000_000,
      shares_source: "price_provider",
      shares_as_of: "2026-09-09",
      shares_accession: null,
      market_cap: 100_000_000,
      market_cap_pit: null,
      missing: "no_shares_pit",
    });
    const several = input({ counting: "provider", uncounted: "several_classes", provider });
    expect(marketValue(several)).toMatchObject({
      market_cap: 100_000_000,
      shares_source: "price_provider",
      market_cap_pit: null,
      missing: "several_classes",
    });
  });

  test("may lag a split: it is not used within a quarter after one", () => {
    const lagging = input({ facts: [], provider, splits: [split("2026-07-15", 2, 1)] });
    expect(marketValue(lagging)).toMatchObject({ market_cap: null, missing: "splits_unknown,no_shares_pit" });
    const settled = input({ facts: [], provider, splits: [split("2026-06-01", 2, 1)] });
    expect(marketValue(settled)).toMatchObject({ market_cap: 100_000_000, close_price_unadjusted: 100 });
  });
});

test("a day without a close has no value, and keeps its counts", () => {
  expect(marketValue(input({ close: null }))).toMatchObject({
    close_price: null,
    close_price_unadjusted: null,
    shares_outstanding: 1_000_000,
    market_cap: null,
    shares_outstanding_pit: 1_000_000,
    market_cap_pit: null,
    missing: "no_close",
  });
});

test("warrants and the like have no count at all", () => {
  expect(marketValue(input({ counting: "none" }))).toMatchObject({
    shares_outstanding: null,
    market_cap: null,
    market_cap_pit: null,
    missing: "no_shares,no_shares_pit",
  });
});
