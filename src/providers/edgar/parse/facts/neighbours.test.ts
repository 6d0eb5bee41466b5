// A line that a filing gives under several tags: the one that its sums prove, else none and a warning.
import { describe, expect, test } from "bun:test";
import { type MadeFigure, madeCompany } from "../../../../../test/support/company-facts.ts";
import { normaliseFacts } from "./facts.ts";
import type { StatementLine } from "./records.ts";

const YEAR = ["2023-01-01", "2023-12-31"] as const;
const [BEFORE, END] = ["2022-12-31", "2023-12-31"];

function read(line: StatementLine, figures: readonly MadeFigure[]) {
  const { facts, warnings } = normaliseFacts(
    madeCompany([{ accn: "0000001234-24-000001", form: "10-K", filed: "2024-02-15", figures }]),
  );
  const own = facts.filter((fact) => fact.line === line);
  return {
    figures: own.map(({ tag, value, period_end, flags }) => [tag, value, period_end, ...flags]),
    warned: warnings.filter((w) => w.line === line).map(({ code, period_end }) => [code, period_end]),
  };
}

describe("cash of a bank", () => {
  const change: MadeFigure = ["CashAndCashEquivalentsPeriodIncreaseDecrease", 150, ...YEAR];
  const due: MadeFigure[] = [
    ["CashAndDueFromBanks", 100, null, BEFORE],
    ["CashAndDueFromBanks", 130, null, END],
  ];

  test("is the tag whose two days differ by the change in cash", () => {
    const total: MadeFigure[] = [
      ["CashCashEquivalentsAndFederalFundsSold", 1000, null, BEFORE],
      ["CashCashEquivalentsAndFederalFundsSold", 1150, null, END],
    ];
    expect(read("cash_and_equivalents", [change, ...due, ...total])).toEqual({
      figures: [
        ["CashCashEquivalentsAndFederalFundsSold", 1000, BEFORE],
        ["CashCashEquivalentsAndFederalFundsSold", 1150, END],
      ],
      warned: [],
    });
  });

  test("is cash and due from banks when that closes, with the effect of exchange rates too", () => {
    const effect: MadeFigure = ["EffectOfExchangeRateOnCashAndCashEquivalents", -120, ...YEAR];
    expect(read("cash_and_equivalents", [change, effect, ...due]).figures).toEqual([
      ["CashAndDueFromBanks", 100, BEFORE],
      ["CashAndDueFromBanks", 130, END],
    ]);
  });

  test("is null with a warning when cash and due from banks is shown to be a part", () => {
    expect(read("cash_and_equivalents", [change, ...due])).toEqual({
      figures: [],
      warned: [
        ["cash_and_equivalents_in_doubt", BEFORE],
        ["cash_and_equivalents_in_doubt", END],
      ],
    });
    expect(read("cash_and_equivalents", due).figures).toHaveLength(2);
  });

  test("is cash and due from banks although the change in cash counts restricted cash in", () => {
    const all = "CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents";
    const figures: MadeFigure[] = [
      ...due,
      [`${all}PeriodIncreaseDecreaseIncludingExchangeRateEffect`, 40, ...YEAR],
      [all, 110, null, BEFORE],
      [all, 150, null, END],
      ["RestrictedCash", 10, null, BEFORE],
      ["RestrictedCash", 20, null, END],
    ];
    expect(read("cash_and_equivalents", figures).figures).toEqual([
      ["CashAndDueFromBanks", 100, BEFORE],
      ["CashAndDueFromBanks", 130, END],
    ]);
  });

  test("is null with a warning where it is more than current assets leave, with cash of operations held for sale", () => {
    const total = (day: string, value: number): MadeFigure[] => [
      ["CashAndCashEquivalentsAtCarryingValue", value, null, day],
      ["AccountsReceivableNetCurrent", 500, null, day],
      ["OtherAssetsCurrent", 90, null, day],
    ];
    const held = (day: string, value: number): MadeFigure => ["AssetsHeldForSaleCurrent", value, null, day];
    const all = (day: string, value: number): MadeFigure => ["AssetsCurrent", value, null, day];
    const days = [...total(BEFORE, 1000), ...total(END, 1150), all(BEFORE, 1890), all(END, 2040)];
    const expected = {
      figures: [],
      warned: [
        ["cash_and_equivalents_in_doubt", BEFORE],
        ["cash_and_equivalents_in_doubt", END],
      ],
    };
    expect(read("cash_and_equivalents", [change, ...days, held(END, 600)])).toEqual(expected);
    expect(read("cash_and_equivalents", [...days.toReversed(), held(END, 600), change]).figures).toEqual([]);
    // Without operations held for sale, and where cash and some of the other assets are all of them, it is
    // the line.
    expect(read("cash_and_equivalents", [change, ...days]).figures).toHaveLength(2);
    expect(read("cash_and_equivalents", [change, ...days, held(END, 0)]).figures).toHaveLength(2);
    const note: MadeFigure = ["DerivativeAssetsCurrent", 70, null, END];
    const fitting = [
      ...days.filter(([tag]) => tag !== "AssetsCurrent"),
      held(END, 300),
      all(END, 2040),
      note,
    ];
    expect(read("cash_and_equivalents", [change, ...fitting])).toMatchObject({ warned: [] });
  });

  test("counts short-term investments in only where the change in cash does", () => {
    const [before, end] = [700, 850].map((value, nth): MadeFigure => {
      return ["CashCashEquivalentsAndShortTermInvestments", value, null, nth === 0 ? BEFORE : END];
    }) as [MadeFigure, MadeFigure];
    expect(read("cash_and_equivalents", [change, before, end]).figures).toHaveLength(2);
    expect(read("cash_and_equivalents", [before, end]).figures).toEqual([]);
    const held: MadeFigure = ["AssetsOfDisposalGroupIncludingDiscontinuedOperationCurrent", 9, null, END];
    expect(read("cash_and_equivalents", [change, before, end, held]).figures).toEqual([]);
  });
});

describe("property of a utility", () => {
  const property = (value: number): MadeFigure => ["PropertyPlantAndEquipmentNet", value, null, END];
  const utility: MadeFigure = ["PublicUtilitiesPropertyPlantAndEquipmentNet", 900, null, END];

  test("is the utility's where nothing else is given, and the total where that is more", () => {
    expect(read("property_plant_equipment", [utility]).figures).toEqual([[utility[0], 900, END]]);
    expect(read("property_plant_equipment", [utility, property(950)]).figures).toEqual([
      ["PropertyPlantAndEquipmentNet", 950, END],
    ]);
  });

  test("is null with a warning where the other property is less: it is what is not the utility's", () => {
    expect(read("property_plant_equipment", [utility, property(40)])).toEqual({
      figures: [],
      warned: [["property_plant_equipment_in_doubt", END]],
    });
  });
});

describe("capital expenditure", () => {
  const property: MadeFigure = ["PaymentsToAcquirePropertyPlantAndEquipment", 16, ...YEAR];
  const productive: MadeFigure = ["PaymentsToAcquireProductiveAssets", 117, ...YEAR];
  const sold: MadeFigure = ["ProceedsFromSaleOfProductiveAssets", 7, ...YEAR];
  const total = (value: number): MadeFigure => ["NetCashProvidedByUsedInInvestingActivities", value, ...YEAR];

  test("is the payment that is a line of the statement, where a note has another", () => {
    const figures = [property, productive, sold, total(-110)];
    expect(read("capital_expenditure", figures).figures).toEqual([
      ["PaymentsToAcquireProductiveAssets", 117, END],
    ]);
  });

  test("is the payment for property where both are lines", () => {
    const figures = [property, productive, sold, total(-126)];
    expect(read("capital_expenditure", figures).figures).toEqual([
      ["PaymentsToAcquirePropertyPlantAndEquipment", 16, END],
    ]);
  });

  test("is null with a warning where no sum decides", () => {
    expect(read("capital_expenditure", [property, productive, sold, total(-500)])).toEqual({
      figures: [],
      warned: [["capital_expenditure_in_doubt", END]],
    });
  });

  test("is not the smaller of several payments: other equipment beside oil and gas property", () => {
    const other: MadeFigure = ["PaymentsToAcquireOtherPropertyPlantAndEquipment", 65, ...YEAR];
    const wells: MadeFigure = ["PaymentsToAcquireOilAndGasPropertyAndEquipment", 820, ...YEAR];
    expect(read("capital_expenditure", [other, wells]).figures).toEqual([]);
    // Alone it may be a part too: the payments for other property may have a tag of the filer's own.
    expect(read("capital_expenditure", [other])).toEqual({
      figures: [],
      warned: [["capital_expenditure_in_doubt", END]],
    });
    const flow = (value: number): MadeFigure[] => [
      other,
      ["ProceedsFromSaleOfPropertyPlantAndEquipment", 25, ...YEAR],
      ["NetCashProvidedByUsedInInvestingActivities", value, ...YEAR],
    ];
    expect(read("capital_expenditure", flow(-40)).figures).toEqual([[other[0], 65, END]]);
    expect(read("capital_expenditure", flow(-400)).figures).toEqual([]);
  });
});

test("capital expenditure is the payment for machinery where no other payment for property stands", () => {
  const machinery: MadeFigure = ["PaymentsToAcquireMachineryAndEquipment", 50, ...YEAR];
  expect(read("capital_expenditure", [machinery]).figures).toEqual([[machinery[0], 50, END]]);
  const more: MadeFigure = ["PaymentsToExploreAndDevelopOilAndGasProperties", 400, ...YEAR];
  expect(read("capital_expenditure", [machinery, more]).figures).toEqual([]);
});

describe("depreciation and amortization", () => {
  const partial = (value: number): MadeFigure => ["DepreciationAndAmortization", value, ...YEAR];
  const alone: MadeFigure = ["Depreciation", 44, ...YEAR];

  test("is not the income statement's, when depreciation alone is more", () => {
    expect(read("depreciation_amortization", [partial(31), alone])).toEqual({
      figures: [],
      warned: [["depreciation_amortization_in_doubt", END]],
    });
    expect(read("depreciation_amortization", [partial(54), alone]).figures).toEqual([
      ["DepreciationAndAmortization", 54, END, "unproven_statement"],
    ]);
  });

  test("is null with a warning where the report gives depreciation alone, which is a line of its own", () => {
    expect(read("depreciation_amortization", [alone])).toEqual({
      figures: [],
      warned: [["depreciation_amortization_in_doubt", END]],
    });
    expect(read("depreciation", [alone])).toEqual({ figures: [["Depreciation", 44, END]], warned: [] });
  });

  test("has no warning for a quarter of a note where the report states the cash flows to date", () => {
    const toDate = ["2023-01-01", "2023-06-30"] as const;
    const figures: MadeFigure[] = [
      ["NetCashProvidedByUsedInOperatingActivities", 90, ...toDate],
      ["DepreciationDepletionAndAmortization", 60, ...toDate],
      ["Depreciation", 44, ...toDate],
      ["Depreciation", 22, "2023-04-01", "2023-06-30"],
    ];
    expect(read("depreciation_amortization", figures)).toEqual({
      figures: [["DepreciationDepletionAndAmortization", 60, "2023-06-30"]],
      warned: [],
    });
  });

  test("is not the income statement's, when the parts of the cash-flow statement are another sum", () => {
    const parts: MadeFigure[] = [
      ["Depreciation", 700, ...YEAR],
      ["AdjustmentForAmortization", 120, ...YEAR],
    ];
    for (const tag of ["DepreciationDepletionAndAmortization", "DepreciationAndAmortization"]) {
      const withTotal = (value: number): MadeFigure[] => [[tag, value, ...YEAR], ...parts];
      expect(read("depreciation_amortization", withTotal(800))).toEqual({
        figures: [],
        warned: [["depreciation_amortization_in_doubt", END]],
      });
      expect(read("depreciation", withTotal(800)).figures).toEqual([["Depreciation", 700, END]]);
      expect(read("amortization", withTotal(800)).figures).toEqual([["AdjustmentForAmortization", 120, END]]);
      expect(read("depreciation_amortization", withTotal(820)).figures).toEqual([[tag, 820, END]]);
      expect(read("depreciation", withTotal(820)).figures).toEqual([]);
      // The adjustment may be of a loan: depreciation and the amortization of intangible assets are then the
      // total.
      const others: MadeFigure = ["AmortizationOfIntangibleAssets", 150, ...YEAR];
      const unproven = tag === "DepreciationAndAmortization" ? ["unproven_statement"] : [];
      expect(read("depreciation_amortization", [...withTotal(850), others]).figures).toEqual([
        [tag, 850, END, ...unproven],
      ]);
    }
  });

  test("is the larger of two totals", () => {
    const figures: MadeFigure[] = [
      ["DepreciationDepletionAndAmortization", 8_200, ...YEAR],
      ["DepreciationAmortizationAndAccretionNet", 10_157, ...YEAR],
    ];
    expect(read("depreciation_amortization", figures).figures).toEqual([
      ["DepreciationAmortizationAndAccretionNet", 10_157, END],
    ]);
  });

  test("is in doubt when it is negative", () => {
    expect(read("depreciation_amortization", [partial(-31)]).figures).toEqual([
      ["DepreciationAndAmortization", -31, END, "unproven_statement", "sign_unproven"],
    ]);
  });
});

describe("amortization of intangible assets", () => {
  const depreciation: MadeFigure = ["Depreciation", 44, ...YEAR];
  const ofIntangibles: MadeFigure = ["AmortizationOfIntangibleAssets", 8, ...YEAR];
  const line = (value: number): MadeFigure => ["AdjustmentForAmortization", value, ...YEAR];

  test("is not a note's beside another amount of amortization in the cash flow statement", () => {
    const figures = [depreciation, ofIntangibles, line(35)];
    expect(read("amortization_of_intangible_assets", figures).figures).toEqual([]);
    expect(read("amortization", figures).figures).toEqual([["AdjustmentForAmortization", 35, END]]);
  });

  test("is served alone, and beside the same amount", () => {
    const served = [["AmortizationOfIntangibleAssets", 8, END]];
    expect(read("amortization_of_intangible_assets", [depreciation, ofIntangibles]).figures).toEqual(served);
    const same = [depreciation, ofIntangibles, line(8)];
    expect(read("amortization_of_intangible_assets", same).figures).toEqual(served);
  });
});

describe("provision for credit losses", () => {
  const wide: MadeFigure = ["ProvisionForLoanLeaseAndOtherLosses", 904, ...YEAR];
  const narrow: MadeFigure = ["ProvisionForLoanAndLeaseLosses", 862, ...YEAR];
  const interest: MadeFigure = ["InterestIncomeExpenseNet", 1_172, ...YEAR];
  const after = (value: number): MadeFigure => [
    "InterestIncomeExpenseAfterProvisionForLoanLoss",
    value,
    ...YEAR,
  ];
  const provision = (...figures: MadeFigure[]) => read("provision_for_credit_losses", figures);

  test("is the one of several that net interest income shows", () => {
    expect(provision(wide, narrow, interest, after(310)).figures).toEqual([
      ["ProvisionForLoanAndLeaseLosses", 862, END],
    ]);
    expect(provision(wide, narrow, interest, after(268)).figures).toEqual([
      ["ProvisionForLoanLeaseAndOtherLosses", 904, END],
    ]);
  });

  test("is null with a warning when several stand and no sum shows which", () => {
    const warned = [["provision_for_credit_losses_in_doubt", END]];
    expect(provision(wide, narrow)).toEqual({ figures: [], warned });
    expect(provision(wide, narrow, interest, after(100))).toEqual({ figures: [], warned });
  });

  test("is the only one there is", () => {
    expect(provision(wide).figures).toEqual([["ProvisionForLoanLeaseAndOtherLosses", 904, END]]);
    expect(provision(narrow, interest).figures).toEqual([["ProvisionForLoanAndLeaseLosses", 862, END]]);
  });
});

describe("commercial paper", () => {
  const paper: MadeFigure = ["CommercialPaper", 1_248, null, END];

  test("is all short-term borrowings only where no other borrowing stands beside it", () => {
    expect(read("short_term_borrowings", [paper]).figures).toEqual([["CommercialPaper", 1_248, END]]);
    for (const tag of ["ShortTermBankLoansAndNotesPayable", "NotesPayable", "OtherShortTermBorrowings"]) {
      const both: MadeFigure[] = [paper, [tag, 44, null, END]];
      expect(read("short_term_borrowings", both).figures).toEqual([]);
      expect(read("commercial_paper", both).figures).toEqual([["CommercialPaper", 1_248, END]]);
    }
    const total: MadeFigure = ["ShortTermBorrowings", 1_292, null, END];
    expect(read("short_term_borrowings", [paper, total]).figures).toEqual([
      ["ShortTermBorrowings", 1_292, END],
    ]);
  });
});

describe("contract revenue", () => {
  const contract: MadeFigure = ["RevenueFromContractWithCustomerExcludingAssessedTax", 90, ...YEAR];
  const costs: MadeFigure = ["CostsAndExpenses", 110, ...YEAR];
  const income = (value: number): MadeFigure => ["OperatingIncomeLoss", value, ...YEAR];

  test("is null with a warning where all costs and operating income show more revenue", () => {
    expect(read("revenue", [contract, costs, income(10)])).toEqual({
      figures: [],
      warned: [["revenue_in_doubt", END]],
    });
    expect(
      read("revenue", [contract, ["CostOfRevenue", 80, ...YEAR], ["GrossProfit", 40, ...YEAR]]).figures,
    ).toEqual([]);
  });

  test("is the total where they arrive at it, or at it and income that operating income counts in", () => {
    const whole = [[contract[0], 90, END]];
    expect(read("revenue", [contract, costs, income(-20)]).figures).toEqual(whole);
    const equity: MadeFigure = ["IncomeLossFromEquityMethodInvestments", 30, ...YEAR];
    expect(read("revenue", [contract, costs, income(10), equity]).figures).toEqual(whole);
  });
});
