import { describe, expect, test } from "bun:test";
import {
  type MadeFigure,
  type MadeFiling,
  madeBalance,
  madeCompany,
} from "../../../../test/support/company-facts.ts";
import type { Split, StoredSplits } from "../../../market/share-split.ts";
import { normaliseFacts } from "../../../providers/edgar/index.ts";
import { adjuster } from "./adjust.ts";
import { selectStatements } from "./select.ts";
import { knownSplits, type SplitHistory } from "./share-splits.ts";

const CIK = "0000001234";
/**
 * A year's income of one company: the same income every year, so the count of shares gives the earnings per
 * share.
 */
const year = (nth: number, shares: number): MadeFigure[] => {
  const [start, end] = [`${nth}-01-01`, `${nth}-12-31`];
  return [
    ["Revenues", 1000e6, start, end],
    ["NetIncomeLoss", 400e6, start, end],
    ["IncomeTaxExpenseBenefit", 100e6, start, end],
    ["EarningsPerShareDiluted", 400e6 / shares, start, end],
    ["WeightedAverageNumberOfDilutedSharesOutstanding", shares, start, end],
  ];
};
/**
 * The report of a year, filed on 15 February: its own count and, where given, its count for the year before.
 */
const report = (
  nth: number,
  shares: number,
  before: number | null,
  more: readonly MadeFigure[] = [],
): MadeFiling => ({
  accn: `0000001234-${nth - 1999}-000001`,
  form: "10-K",
  filed: `${nth + 1}-02-15`,
  figures: [
    ...year(nth, shares),
    ...(before === null ? [] : year(nth - 1, before)),
    ...madeBalance(500e6, `${nth}-12-31`),
    ["CommonStockSharesOutstanding", shares, null, `${nth}-12-31`],
    ...more,
  ],
});
const FOUR: Split = { ex_date: "2022-06-01", numerator: 4, denominator: 1 };
const known = (...splits: Split[]): SplitHistory => ({
  symbol: "MADE",
  splits,
  from: "2000-01-01",
  to: "2024-01-10",
});

function adjusted(filings: readonly MadeFiling[], history: SplitHistory | { why: string }, cik = CIK) {
  const { facts } = normaliseFacts(madeCompany(filings));
  const statements = selectStatements(facts, { vintage: "first" });
  const scaler = adjuster({ facts, history, cik });
  const income = scaler.rows(statements.income_statement);
  const balance = scaler.rows(statements.balance_sheet);
  return {
    income,
    balance,
    warnings: scaler.warnings(),
    eps: Object.fromEntries(income.map((row) => [row.fiscal_year, row.items.eps_diluted])),
  };
}

/**
 * Reports of 2020 to 2022 around a split of June 2022, which the last one includes in the year before too.
 */
const AROUND = [report(2020, 100e6, null), report(2021, 100e6, 100e6), report(2022, 400e6, 400e6)];

describe("adjusted figures", () => {
  test("are scaled by the splits after their report, and only they", () => {
    const { income, balance, warnings } = adjusted(AROUND, known(FOUR));
    expect(
      income.map(({ items, split_basis, sources }) => [
        items.eps_diluted,
        items.weighted_average_shares_diluted,
        split_basis,
        sources.eps_diluted?.split_factor,
      ]),
    ).toEqual([
      [1, 400e6, "2024-01-10", 1],
      [1, 400e6, "2024-01-10", 4],
      [1, 400e6, "2024-01-10", 4],
    ]);
    expect(income.map(({ items }) => [items.revenue, items.net_income])).toEqual(
      Array(3).fill([1000e6, 400e6]),
    );
    expect(balance.map(({ items }) => items.shares_outstanding)).toEqual([400e6, 400e6, 400e6]);
    expect(warnings).toEqual([]);
  });

  test("of a reverse split are whole shares, and prices' digits per share", () => {
    const reverse = { ex_date: "2022-06-01", numerator: 1, denominator: 3 };
    const { income } = adjusted([report(2020, 100e6, null)], known(reverse));
    expect(income[0]?.items).toMatchObject({ eps_diluted: 12, weighted_average_shares_diluted: 33_333_333 });
    const forward = { ex_date: "2022-06-01", numerator: 3, denominator: 1 };
    expect(adjusted([report(2020, 100e6, null)], known(forward)).eps).toEqual({ 2020: 1.333333 });
  });

  test("are null with a warning where a split's ratio is not known, without the rows after it", () => {
    const { eps, income, warnings } = adjusted(AROUND, known({ ...FOUR, denominator: null }));
    expect(eps).toEqual({ 2020: null, 2021: null, 2022: 1 });
    expect(income.map(({ split_basis }) => split_basis)).toEqual(["2024-01-10", null, null]);
    expect(income.map(({ sources }) => "eps_diluted" in sources)).toEqual([true, false, false]);
    expect(warnings.map(({ code, detail }) => [code, detail]).sort()).toEqual([
      [
        "not_adjusted",
        "Share counts and figures per share of the period to 2020-12-31 cannot be adjusted and are null where this holds: the ratio of a split of MADE after 2021-02-15 is not known.",
      ],
      [
        "not_adjusted",
        "Share counts and figures per share of the period to 2021-12-31 cannot be adjusted and are null where this holds: the ratio of a split of MADE after 2022-02-15 is not known.",
      ],
    ]);
    // A spin-off that the provider gives as a split of odd parts is none of the shares.
    expect(adjusted(AROUND, known({ ...FOUR, numerator: 1281, denominator: 1000 })).eps[2020]).toBeNull();
  });

  test("are null where splits are known only for other days, or not at all", () => {
    expect(adjusted(AROUND, { ...known(FOUR), from: "2021-06-01" }).eps).toEqual({
      2020: null,
      2021: 1,
      2022: 1,
    });
    expect(adjusted(AROUND, { ...known(FOUR), to: "2022-12-31" }).eps).toEqual({
      2020: 1,
      2021: 1,
      2022: null,
    });
    const none = adjusted(AROUND, { why: "The splits of MADE are not known." });
    expect(none.eps).toEqual({ 2020: null, 2021: null, 2022: null });
    expect(none.warnings).toMatchObject([
      { detail: expect.stringMatching(/to 2020-12-31, 2021-12-31, 2022-12-31 .*: the splits of MADE/) },
    ]);
  });

  test("are null where the report was filed on the day of the split, or by a predecessor", () => {
    const day = { ...FOUR, ex_date: "2022-02-15" };
    expect(adjusted([report(2020, 100e6, null), report(2021, 400e6, 400e6)], known(day)).eps).toEqual({
      2020: 1,
      2021: null,
    });
    expect(adjusted(AROUND, known(FOUR), "0000009999").eps).toEqual({ 2020: null, 2021: null, 2022: null });
  });

  test("of a report's cover are from before a split until the filing where its weighted count is restated", () => {
    const cover = (nth: number, shares: number): MadeFigure => [
      "dei:EntityCommonStockSharesOutstanding",
      shares,
      null,
      `${nth + 1}-01-20`,
    ];
    const withCover = {
      ...report(2021, 100e6, null),
      figures: [...year(2021, 100e6), ...madeBalance(500e6, "2021-12-31"), cover(2021, 25e6)],
    };
    const between = known({ ...FOUR, ex_date: "2022-02-01" });
    const { balance, income } = adjusted([withCover], between);
    expect([balance[0]?.items.shares_outstanding, income[0]?.items.weighted_average_shares_diluted]).toEqual([
      100e6, 100e6,
    ]);
    expect(balance[0]?.sources.shares_outstanding).toMatchObject({
      split_basis: "2022-01-31",
      split_factor: 4,
    });
    // The two agree: nothing shows whether both are from before the split.
    const unclear = { ...withCover, figures: [...withCover.figures.slice(0, -1), cover(2021, 95e6)] };
    expect(adjusted([unclear], between).balance[0]?.items.shares_outstanding).toBeNull();
    expect(adjusted([withCover], known(FOUR)).balance[0]?.items.shares_outstanding).toBe(100e6);
  });
});

describe("the share counts of several reports", () => {
  test("that include a split before its day keep that one report from being scaled", () => {
    const early = [
      report(2019, 100e6, null),
      report(2020, 100e6, 100e6),
      report(2021, 400e6, 400e6),
      report(2022, 400e6, 400e6),
    ];
    expect(adjusted(early, known(FOUR)).eps).toEqual({ 2019: 1, 2020: 1, 2021: null, 2022: 1 });
  });

  test("that differ without a known split withhold everything before", () => {
    const { eps, warnings } = adjusted(AROUND, known());
    expect(eps).toEqual({ 2020: null, 2021: null, 2022: 1 });
    expect(warnings[0]?.detail).toContain("contradict the known splits of MADE");
  });

  test("that do not change over a reported split withhold the reports on both sides", () => {
    const same = [
      report(2019, 100e6, null),
      report(2020, 100e6, 100e6),
      report(2021, 100e6, 100e6),
      report(2022, 100e6, 100e6),
    ];
    const spinOff = { ex_date: "2021-06-01", numerator: 6, denominator: 5 };
    expect(adjusted(same, known(spinOff)).eps).toEqual({ 2019: null, 2020: null, 2021: null, 2022: 4 });
  });
});

describe("the splits of a symbol", () => {
  const stored = (more: Partial<StoredSplits>): StoredSplits => ({
    splits: [FOUR],
    from: "2010-01-01",
    through: "2024-01-10",
    wanted: "2024-01-10",
    ...more,
  });
  const ask = async (states: StoredSplits[], failure: Error | null = null) => {
    const asked: (readonly string[])[] = [];
    let nth = 0;
    const found = await knownSplits(
      {
        splitsOf: async () => states[Math.min(nth++, states.length - 1)] as StoredSplits,
        fill: async (_symbol, dates) => {
          asked.push(dates);
          return failure as null;
        },
      },
      {
        oldest: "2012-05-01",
        priced: { symbol: "MADE" },
        asOf: null,
        limit: { within: (signal, work) => work(signal) },
      },
      new AbortController().signal,
    );
    return { asked, ...found };
  };

  test("are asked for only where they are not stored", async () => {
    expect(await ask([stored({})])).toMatchObject({
      asked: [],
      history: { from: "2010-01-01", to: "2024-01-10" },
    });
    const late = await ask([stored({ from: null, through: null }), stored({})]);
    expect(late).toMatchObject({
      asked: [["2012-05-01", "2024-01-10"]],
      history: { to: "2024-01-10" },
      priceError: null,
    });
    expect((await ask([stored({ through: "2024-01-08" }), stored({})])).asked).toEqual([["2024-01-10"]]);
  });

  test("that cannot be asked for are not known up to today, and no older basis passes for today's", async () => {
    const failed = await ask([stored({ through: "2024-01-08" })], new Error("It is down."));
    expect(failed).toMatchObject({
      history: { why: "The splits of MADE are not known up to 2024-01-10." },
      priceError: "It is down.",
    });
    // Nothing newer exists over a weekend; after more than a week a split may be missing.
    expect((await ask([stored({ through: "2024-01-08" })])).history).toMatchObject({ to: "2024-01-08" });
    expect((await ask([stored({ through: "2023-12-29" })])).history).toHaveProperty("why");
  });

  test("under a past moment end on its day, whatever is stored since", async () => {
    const past = await ask([stored({ wanted: "2022-05-31", splits: [] })]);
    expect(past).toMatchObject({ asked: [], history: { to: "2022-05-31" } });
  });
});
