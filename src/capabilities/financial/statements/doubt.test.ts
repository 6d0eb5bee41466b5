import { describe, expect, test } from "bun:test";
import { type MadeFiling, madeCompany, madeYear, textsOf } from "../../../../test/support/company-facts.ts";
import { type FinancialFact, normaliseFacts } from "../../../providers/edgar/index.ts";
import { ofListed } from "./figure-basis.ts";
import { selectStatements } from "./select.ts";

const factsOf = (filings: readonly MadeFiling[]) => normaliseFacts(madeCompany(filings)).facts;
const flagged = (facts: readonly FinancialFact[]) =>
  facts.filter(({ flags }) => flags.length > 0).map((f) => `${f.line} ${f.period_end} ${f.value} ${f.flags}`);

/** Multiplies some figures of filings. */
const scaled = (
  filings: readonly MadeFiling[],
  factor: number,
  which: (tag: string, filing: MadeFiling) => boolean,
): MadeFiling[] =>
  filings.map((filing) => ({
    ...filing,
    figures: filing.figures.map(([tag, value, ...rest]) => [
      tag,
      which(tag, filing) ? value * factor : value,
      ...rest,
    ]),
  }));

const SHARES = "WeightedAverageNumberOfDilutedSharesOutstanding";
const history = [2018, 2019, 2020].flatMap((year) => madeYear(year, year * 1e6));
const isIn = (year: number) => (filing: MadeFiling) => filing.filed.startsWith(String(year));

describe("figures a thousand times off", () => {
  test("share counts in thousands are recognised by comparison with adjacent periods, as long as the error lasts", () => {
    const wrong = scaled(history, 0.001, (tag, filing) => tag === SHARES && isIn(2020)(filing));
    const facts = factsOf(wrong);
    const bad = facts.filter(
      ({ filed_date, line }) => filed_date.startsWith("2020") && line.endsWith("shares_diluted"),
    );
    expect(bad).toHaveLength(6);
    expect(bad.every(({ flags, value }) => value === 1e5 && flags.includes("suspect_scale"))).toBe(true);
    expect(flagged(facts)).toHaveLength(6);
  });

  test("leaves only the wrong line out of its row, with a warning", () => {
    const wrong = scaled(
      history,
      0.001,
      (tag, filing) => tag === SHARES && filing.accn.endsWith("20-000001"),
    );
    const { income_statement, warnings } = selectStatements(factsOf(wrong));
    const row = income_statement.find(({ period_end_date }) => period_end_date === "2020-03-31");
    expect(row?.items).toMatchObject({ revenue: 2020e6, weighted_average_shares_diluted: null });
    expect(textsOf(warnings)).toEqual([
      expect.stringMatching(/is 100000 shares in 10-Q .*suspect_scale.*null is given/),
    ]);
  });

  test("uses the figure of an older report when there is one", () => {
    const repeated: MadeFiling = {
      accn: "0000001234-21-000001",
      form: "10-Q",
      filed: "2021-05-01",
      figures: [...(madeYear(2020, 2020e6)[0]?.figures ?? []), ...(madeYear(2021, 2021e6)[0]?.figures ?? [])],
    };
    const wrong = scaled(
      [...history, repeated],
      0.001,
      (tag, { accn }) => tag === SHARES && accn === repeated.accn,
    );
    const { income_statement } = selectStatements(factsOf(wrong));
    const row = income_statement.find(({ period_end_date }) => period_end_date === "2020-03-31");
    expect(row?.accession_number).toBe("0000001234-21-000001");
    expect(row?.items.weighted_average_shares_diluted).toBe(100e6);
    expect(row?.sources.weighted_average_shares_diluted?.accession_number).toBe("0000001234-20-000001");
  });

  test("flags a filing entirely in thousands as a whole; the next one is compared with the sound ones", () => {
    const wrong = scaled(history, 0.001, (_, { accn }) => accn === "0000001234-20-000002");
    const facts = factsOf(wrong);
    const sound = facts.filter(({ flags }) => flags.length === 0);
    expect(
      sound.some(
        ({ accession_number, unit }) => accession_number === "0000001234-20-000002" && unit === "USD",
      ),
    ).toBe(false);
    expect(
      facts
        .filter(({ accession_number }) => accession_number === "0000001234-20-000003")
        .every(({ flags }) => flags.length === 0),
    ).toBe(true);
  });

  test("flags a filing whose earnings per share alone are right: a wrong profit does not confirm its share counts", () => {
    const isLast = ({ accn }: MadeFiling) => accn === "0000001234-21-000000";
    const wrong = scaled(
      history,
      1000,
      (tag, filing) => isLast(filing) && !tag.startsWith("EarningsPerShare"),
    );
    const facts = factsOf(wrong).filter(
      ({ accession_number }) => accession_number === "0000001234-21-000000",
    );
    const sound = facts.filter(({ flags }) => flags.length === 0).map(({ line }) => line);
    expect([facts.length > 10, sound]).toEqual([true, ["eps_diluted"]]);
  });

  test("when all later filings differ in the same way, the first one was wrong", () => {
    const wrong = scaled(history, 1000, (_, { filed }) => filed < "2018-06");
    const facts = factsOf(wrong);
    expect(facts.filter(({ filed_date }) => filed_date >= "2019").flatMap(({ flags }) => flags)).toEqual([]);
  });

  test("a reverse split of one for a thousand is not an error: earnings per share confirm it", () => {
    const split = scaled(
      scaled(history, 0.001, (tag, filing) => tag === SHARES && isIn(2020)(filing)),
      1000,
      (tag, filing) => tag === "EarningsPerShareDiluted" && isIn(2020)(filing),
    );
    expect(flagged(factsOf(split))).toEqual([]);
  });

  test("a profit that falls to near zero and thousandfold growth are not errors", () => {
    const poor = scaled(
      history,
      0.001,
      (tag, filing) => /NetIncomeLoss|EarningsPerShare/.test(tag) && isIn(2020)(filing),
    );
    expect(flagged(factsOf(poor))).toEqual([]);
    const grown = [2018, 2019, 2020, 2021].flatMap((year) => madeYear(year, 1e6 * 11 ** (year - 2018)));
    expect(flagged(factsOf(grown))).toEqual([]);
  });

  test("flags net income a thousand times what earnings per share imply", () => {
    const wrong = scaled(
      history,
      1000,
      (tag, { accn }) => tag === "NetIncomeLoss" && accn === "0000001234-20-000001",
    );
    expect(flagged(factsOf(wrong))).toEqual(["net_income 2020-03-31 202000000000 suspect_scale"]);
  });
});

describe("three witnesses of one filing: weighted count, cover or balance count, income / earnings per share", () => {
  const YEAR = ["2020-01-01", "2020-12-31"] as const;
  const BALANCE = "CommonStockSharesOutstanding";
  const COVER = "dei:EntityCommonStockSharesOutstanding";
  const report = (
    weighted: number,
    counts: MadeFiling["figures"],
    { income = 1_152e6, perShare = 2.9 } = {},
  ): MadeFiling => ({
    accn: "0000001234-21-000001",
    form: "10-K",
    filed: "2021-02-15",
    figures: [
      ["Revenues", 9_041e6, ...YEAR],
      ["OperatingIncomeLoss", 2_270e6, ...YEAR],
      ["NetIncomeLoss", income, ...YEAR],
      ["EarningsPerShareDiluted", perShare, ...YEAR],
      [SHARES, weighted, ...YEAR],
      ...counts,
    ],
  });
  const doubted = (filing: MadeFiling) => flagged(factsOf([filing]));

  test("share counts in thousands that agree with each other do not outvote an income that fits its statement", () => {
    const filing = report(397_000, [[BALANCE, 393_000, null, "2020-12-31"]]);
    expect(doubted(filing)).toEqual([
      "weighted_average_shares_diluted 2020-12-31 397000 suspect_scale",
      "shares_outstanding 2020-12-31 393000 suspect_scale",
    ]);
    for (const vintage of ["first", "latest"] as const) {
      const { income_statement, balance_sheet, warnings } = selectStatements(factsOf([filing]), { vintage });
      expect(income_statement[0]?.items).toMatchObject({
        net_income: 1_152e6,
        eps_diluted: 2.9,
        weighted_average_shares_diluted: null,
      });
      expect(balance_sheet).toEqual([]);
      expect(textsOf(warnings).join()).toContain(
        "weighted average shares diluted to 2020-12-31 is 397000 shares",
      );
    }
  });

  test("counts in millions are doubted in the same way", () => {
    expect(doubted(report(397, []))).toEqual([
      "weighted_average_shares_diluted 2020-12-31 397 suspect_scale",
    ]);
  });

  test("a cover or balance count off the two others is the wrong one", () => {
    for (const tag of [COVER, BALANCE])
      for (const count of [393e9, 393e12, 393_000])
        expect(doubted(report(397e6, [[tag, count, null, "2020-12-31"]]))).toEqual([
          `shares_outstanding 2020-12-31 ${count} suspect_scale`,
        ]);
  });

  test("a count ten times off both the weighted count and the one of income is in doubt whatever the factor", () => {
    const end = "2020-12-31";
    for (const tag of [COVER, BALANCE])
      for (const count of [1, 100, 1000, 39e6, 4.2e9])
        expect(doubted(report(397e6, [[tag, count, null, end]]))).toEqual([
          `shares_outstanding ${end} ${count} suspect_scale`,
        ]);
    // Five times off, as before an offering; and one that the cover repeats, as after one.
    expect(doubted(report(397e6, [[BALANCE, 80e6, null, end]]))).toEqual([]);
    const repeated = [39e6, 41e6].map(
      (count, nth) => [nth ? COVER : BALANCE, count, null, nth ? "2021-02-01" : end] as const,
    );
    expect(doubted(report(397e6, repeated))).toEqual([]);
  });

  test("a placeholder without a witness is in doubt of a company with a listed share, not of a subsidiary", () => {
    const facts = factsOf([
      {
        accn: "0000001234-21-000001",
        form: "10-K",
        filed: "2021-02-15",
        figures: [
          ["Assets", 9e8, null, "2020-12-31"],
          [BALANCE, 100, null, "2020-12-31"],
        ],
      },
    ]);
    expect(flagged(facts)).toEqual([]);
    expect(flagged(ofListed(facts))).toEqual(["shares_outstanding 2020-12-31 100 suspect_scale"]);
  });

  test("a cover count in doubt is withheld with a warning about the report's balance sheet", () => {
    const end = "2020-12-31";
    const filing = report(397e6, [
      [COVER, 393e9, null, "2021-02-01"],
      ["Assets", 9e9, null, end],
      ["Liabilities", 5e9, null, end],
      ["StockholdersEquity", 4e9, null, end],
    ]);
    const { balance_sheet, warnings } = selectStatements(factsOf([filing]));
    expect(balance_sheet.map(({ items }) => items.shares_outstanding)).toEqual([null]);
    const said = warnings.filter(({ line }) => line === "shares_outstanding");
    expect(
      said.map(({ code, period_end, accession_number }) => [code, period_end, accession_number]),
    ).toEqual([["suspect_scale", end, filing.accn]]);
    expect(said[0]?.detail).toContain("shares outstanding to 2021-02-01 is 393000000000 shares in");
  });

  test("an income off the two counts and its statement is the wrong one", () => {
    const filing = report(397e6, [[COVER, 393e6, null, "2020-12-31"]], { income: 1_152e9 });
    expect(doubted(filing)).toEqual(["net_income 2020-12-31 1152000000000 suspect_scale"]);
  });

  test("earnings per share off an income and two counts that agree are the wrong ones", () => {
    const filing = report(397e6, [[COVER, 393e6, null, "2020-12-31"]], { perShare: 2900 });
    expect(doubted(filing)).toEqual(["eps_diluted 2020-12-31 2900 suspect_scale"]);
  });

  test("counts in thousands that the cover repeats are the wrong ones where they give unusual earnings per share", () => {
    const COUNTS = [
      "weighted_average_shares_diluted 2020-12-31 397000 suspect_scale",
      "shares_outstanding 2020-12-31 393000 suspect_scale",
    ];
    const covered = (weighted: number, amounts?: { income: number; perShare: number }) =>
      doubted(report(weighted, [[COVER, weighted - weighted / 100, null, "2020-12-31"]], amounts));
    expect(doubted(report(397_000, [[COVER, 393_000, null, "2020-12-31"]]))).toEqual(COUNTS);
    expect(covered(741_000, { income: 99e6, perShare: 0.13 })).toEqual([
      "weighted_average_shares_diluted 2020-12-31 741000 suspect_scale",
      "shares_outstanding 2020-12-31 733590 suspect_scale",
    ]);
    // Two cents a share, or twenty dollars: both are usual, so that nothing but income is sound.
    expect(covered(5e6, { income: 100e6, perShare: 0.02 })).toEqual([
      "eps_diluted 2020-12-31 0.02 suspect_scale",
      "weighted_average_shares_diluted 2020-12-31 5000000 suspect_scale",
      "shares_outstanding 2020-12-31 4950000 suspect_scale",
    ]);
  });

  test("a weighted count of a period without earnings per share is doubted with its like", () => {
    const filing = report(397_000, [[SHARES, 396_000, "2019-01-01", "2019-12-31"]]);
    expect(doubted(filing)).toHaveLength(2);
    const sound = report(397e6, [[SHARES, 396e6, "2019-01-01", "2019-12-31"]]);
    expect(doubted(sound)).toEqual([]);
  });

  test("without income, two counts a thousand apart are both in doubt", () => {
    const { figures, ...rest } = report(397_000, [[COVER, 393e6, null, "2020-12-31"]]);
    const filing = { ...rest, figures: figures.filter(([tag]) => tag !== "NetIncomeLoss") };
    expect(doubted(filing)).toHaveLength(2);
  });

  test("a first filing in millions is withheld, and its amendment is served", () => {
    const first: MadeFiling = {
      ...report(397, []),
      figures: scaled([report(397, [["Assets", 27_000e6, null, "2020-12-31"]])], 1e-6, (tag) =>
        /^(Revenues|OperatingIncome|NetIncome|Assets)/.test(tag),
      ).flatMap(({ figures }) => figures),
    };
    const amended = report(397e6, [["Assets", 27_000e6, null, "2020-12-31"]]);
    const amendment = { ...amended, accn: "0000001234-21-000002", form: "10-K/A", filed: "2021-02-22" };
    const facts = factsOf([first, amendment]);
    const sound = facts.filter(({ flags }) => flags.length === 0);
    expect(sound.map((f) => `${f.line} ${f.value} ${f.form}`)).toEqual([
      "eps_diluted 2.9 10-K",
      "revenue 9041000000 10-K/A",
      "operating_income 2270000000 10-K/A",
      "net_income 1152000000 10-K/A",
      "eps_diluted 2.9 10-K/A",
      "weighted_average_shares_diluted 397000000 10-K/A",
      "total_assets 27000000000 10-K/A",
    ]);
  });

  test("a new filing of shares in thousands is judged by earlier filings alone", () => {
    const later = scaled(history, 0.001, (tag, filing) => tag === SHARES && isIn(2020)(filing));
    const whole = factsOf(later);
    const early = factsOf(later.filter(({ filed }) => filed < "2020-06"));
    expect(early).toEqual(whole.slice(0, early.length));
  });
});

describe("the number of another period", () => {
  const [q1, q2, q3, annual] = madeYear(2020, 100e6) as [MadeFiling, MadeFiling, MadeFiling, MadeFiling];
  const withNet = (filing: MadeFiling, start: string, end: string, value: number): MadeFiling => ({
    ...filing,
    figures: filing.figures.map((figure) =>
      figure[0] === "NetIncomeLoss" && figure[2] === start && figure[3] === end
        ? ["NetIncomeLoss", value, start, end]
        : figure,
    ),
  });
  const repeat: MadeFiling = {
    ...annual,
    figures: [
      ...annual.figures,
      ["NetIncomeLoss", 10e6, "2020-01-01", "2020-06-30"],
      ["NetIncomeLoss", 10e6, "2020-04-01", "2020-06-30"],
    ],
  };

  test("six months that hold the second quarter's figure are flagged against the earlier report", () => {
    expect(flagged(factsOf([q1, q2, q3, repeat]))).toEqual([
      "net_income 2020-06-30 10000000 suspect_context",
    ]);
  });

  test("without an earlier report of either, both numbers are in doubt", () => {
    const wrong = withNet(q2, "2020-01-01", "2020-06-30", 10e6);
    expect(flagged(factsOf([q1, wrong]))).toEqual([
      "net_income 2020-06-30 10000000 suspect_context",
      "net_income 2020-06-30 10000000 suspect_context",
    ]);
  });

  test("a year that holds nine months' figure contradicts its fourth quarter", () => {
    const wrong = withNet(annual, "2020-01-01", "2020-12-31", 30e6);
    const wrongYear: MadeFiling = {
      ...wrong,
      figures: [...wrong.figures, ["NetIncomeLoss", 10e6, "2020-10-01", "2020-12-31"]],
    };
    expect(flagged(factsOf([q1, q2, q3, wrongYear]))).toEqual([
      "net_income 2020-12-31 30000000 suspect_context",
    ]);
  });

  test("numbers that stand as they were first reported stay sound when the quarter between is restated", () => {
    const first = [withNet(q1, "2020-01-01", "2020-03-31", 0), withNet(q2, "2020-01-01", "2020-06-30", 10e6)];
    const later: MadeFiling = {
      ...annual,
      figures: [
        ["NetIncomeLoss", 5e6, "2020-01-01", "2020-03-31"],
        ["NetIncomeLoss", 10e6, "2020-01-01", "2020-06-30"],
        ["NetIncomeLoss", 10e6, "2020-04-01", "2020-06-30"],
      ],
    };
    expect(flagged(factsOf([...first, later]))).toEqual([]);
  });

  test("equal numbers are right where the quarter between was nothing, or is not known", () => {
    const nothing = [
      withNet(q1, "2020-01-01", "2020-03-31", 0),
      withNet(q2, "2020-01-01", "2020-06-30", 10e6),
    ];
    expect(flagged(factsOf(nothing))).toEqual([]);
    expect(flagged(factsOf([withNet(q2, "2020-01-01", "2020-06-30", 10e6)]))).toEqual([]);
  });

  const revenue = (value: number, start: string, end: string): MadeFiling["figures"][number] => [
    "Revenues",
    value,
    start,
    end,
  ];
  const annualReport = (...figures: MadeFiling["figures"][number][]): MadeFiling => ({
    accn: "0000001234-21-000000",
    form: "10-K",
    filed: "2021-02-15",
    figures,
  });
  const nine: MadeFiling = {
    accn: "0000001234-20-000003",
    form: "10-Q",
    filed: "2020-11-01",
    figures: [
      revenue(300e6, "2020-01-01", "2020-09-30"),
      revenue(270e6, "2019-01-01", "2019-09-30"),
      revenue(101e6, "2020-07-01", "2020-09-30"),
    ],
  };
  const inDoubt = (filing: MadeFiling) =>
    factsOf([nine, filing])
      .filter(({ flags }) => flags.includes("suspect_context"))
      .map(({ period_months, value }) => [period_months, value]);

  test("one number for a year and its quarter: only the one far from the line's usual size is in doubt", () => {
    const both = (value: number) =>
      annualReport(revenue(value, "2020-01-01", "2020-12-31"), revenue(value, "2020-10-01", "2020-12-31"));
    expect(inDoubt(both(400e6))).toEqual([[3, 400e6]]);
    expect(inDoubt(both(100e6))).toEqual([[12, 100e6]]);
  });

  test("a fourth quarter that repeats last year's although the year less nine months gives another", () => {
    const report = (fourth: number) =>
      annualReport(
        revenue(400e6, "2020-01-01", "2020-12-31"),
        revenue(fourth, "2020-10-01", "2020-12-31"),
        revenue(92e6, "2019-10-01", "2019-12-31"),
      );
    expect(inDoubt(report(92e6))).toEqual([[3, 92e6]]);
    expect(inDoubt(report(100e6))).toEqual([]);
  });
});

describe("a payment filed as a negative number", () => {
  test("is served as a payment, with a warning of its own", () => {
    const year = ["2020-01-01", "2020-12-31"] as const;
    const { cash_flow, warnings } = selectStatements(
      normaliseFacts(
        madeCompany([
          {
            accn: "0000001234-21-000001",
            form: "10-K",
            filed: "2021-02-15",
            figures: [
              ["NetCashProvidedByUsedInOperatingActivities", 90e6, ...year],
              ["NetCashProvidedByUsedInInvestingActivities", -50e6, ...year],
              ["NetCashProvidedByUsedInFinancingActivities", -40e6, ...year],
              ["PaymentsToAcquirePropertyPlantAndEquipment", -50e6, ...year],
            ],
          },
        ]),
      ).facts,
    );
    expect(cash_flow[0]?.items.capital_expenditure).toBe(50e6);
    expect(warnings).toContainEqual({
      code: "reversed_sign",
      line: "capital_expenditure",
      period_end: "2020-12-31",
      accession_number: "0000001234-21-000001",
      detail:
        "capital expenditure to 2020-12-31 is -50000000 USD in 10-K 0000001234-21-000001, and its statement adds up only with the opposite sign: 50000000 is given.",
    });
  });
});
