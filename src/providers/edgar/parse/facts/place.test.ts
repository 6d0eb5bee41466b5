import { describe, expect, test } from "bun:test";
import { type MadeFigure, type MadeFiling, madeCompany } from "../../../../../test/support/company-facts.ts";
import { normaliseFacts } from "./facts.ts";

const TAG = "DepreciationAndAmortization";
const CASH_TAG = "DepreciationDepletionAndAmortization";
const YEAR = ["2022-01-01", "2022-12-31"] as const;
const HALF = ["2023-01-01", "2023-06-30"] as const;
const QUARTER = ["2023-04-01", "2023-06-30"] as const;
type Dates = readonly [string, string];

/**
 * Revenue 1,000, costs of it 600, administration 200, and what is left after `other` costs of no known name.
 */
const income = (dates: Dates, other = 0): MadeFigure[] => [
  ["Revenues", 1_000, ...dates],
  ["CostOfRevenue", 600, ...dates],
  ["SellingGeneralAndAdministrativeExpense", 200, ...dates],
  ["OperatingIncomeLoss", 200 - other, ...dates],
  ["NetIncomeLoss", 100, ...dates],
  ["NetCashProvidedByUsedInOperatingActivities", 300, ...dates],
];
const filing = (accn: string, form: string, filed: string, ...figures: MadeFigure[]): MadeFiling => ({
  accn,
  form,
  filed,
  figures,
});
const annual = (...figures: MadeFigure[]) => filing("A", "10-K", "2023-02-10", ...figures);
const quarterly = (filed: string, ...figures: MadeFigure[]) =>
  filing(`Q ${filed}`, "10-Q", filed, ...figures);

/** Whether the place of each figure is proved, by report. */
function proved(...filings: MadeFiling[]): Record<string, boolean> {
  const { facts } = normaliseFacts(madeCompany(filings));
  const own = facts.filter(({ line }) => line === "depreciation_amortization");
  return Object.fromEntries(
    own.map(({ accession_number, flags }) => [accession_number, !flags.includes("unproven_statement")]),
  );
}

describe("the place of depreciation and amortization", () => {
  test("is not known where the costs of the income statement may have it", () => {
    for (const tag of [TAG, CASH_TAG])
      expect(proved(annual(...income(YEAR, 60), [tag, 50, ...YEAR]))).toEqual({ A: false });
  });

  test("is proved where the costs leave no room for it", () => {
    expect(proved(annual(...income(YEAR, 20), [TAG, 50, ...YEAR]))).toEqual({ A: true });
    const before = ["2021-01-01", "2021-12-31"] as const;
    const figures = [...income(YEAR, 20), [TAG, 50, ...YEAR] as const, ...income(before, 60)];
    expect(proved(annual(...figures, [TAG, 40, ...before]))).toEqual({ A: false });
  });

  test("is proved by another total, and by the parts of the cash-flow statement", () => {
    const figures = [...income(YEAR, 60), [CASH_TAG, 50, ...YEAR] as const];
    expect(proved(annual(...figures, [TAG, 40, ...YEAR]))).toEqual({ A: true });
    const parts: MadeFigure[] = [
      ["Depreciation", 30, ...YEAR],
      ["AdjustmentForAmortization", 20, ...YEAR],
    ];
    expect(proved(annual(...figures, ...parts))).toEqual({ A: true });
  });

  test("of the cash-flow statement's own tag is in doubt only beside costs or operating income", () => {
    const bank: MadeFigure[] = [
      ["NetIncomeLoss", 100, ...YEAR],
      ["NetCashProvidedByUsedInOperatingActivities", 300, ...YEAR],
    ];
    expect(proved(annual(...bank, [CASH_TAG, 50, ...YEAR]))).toEqual({ A: true });
    expect(proved(annual(...bank, ["CostsAndExpenses", 700, ...YEAR], [CASH_TAG, 50, ...YEAR]))).toEqual({
      A: false,
    });
    expect(proved(annual(...bank, [TAG, 50, ...YEAR]))).toEqual({ A: false });
  });

  test("is shown by a quarterly report that has it for the year to date alone", () => {
    const toDate = [...income(HALF, 60), ...income(QUARTER, 60), [TAG, 50, ...HALF] as const];
    expect(proved(quarterly("2023-08-01", ...toDate))).toEqual({ "Q 2023-08-01": true });
    expect(proved(quarterly("2023-08-01", ...toDate, [TAG, 25, ...QUARTER]))).toEqual({
      "Q 2023-08-01": false,
    });
    // Without a quarter in its income statement the report shows nothing.
    expect(proved(quarterly("2023-08-01", ...income(HALF, 60), [TAG, 50, ...HALF]))).toEqual({
      "Q 2023-08-01": false,
    });
  });

  test("is shown for later reports, and never for earlier ones", () => {
    const toDate = [...income(HALF, 60), ...income(QUARTER, 60), [TAG, 50, ...HALF] as const];
    const year = ["2023-01-01", "2023-12-31"] as const;
    const after = filing("B", "10-K", "2024-02-10", ...income(year, 60), [TAG, 50, ...year]);
    const late = { ...after, accn: "C", filed: "2025-02-10" };
    const before = annual(...income(YEAR, 60), [TAG, 50, ...YEAR]);
    const shown = quarterly("2023-08-01", ...toDate);
    expect(proved(before, shown, after, late)).toEqual({ A: false, "Q 2023-08-01": true, B: true, C: false });
    const other = filing("B", "10-K", "2024-02-10", ...income(year, 60), [CASH_TAG, 50, ...year]);
    expect(proved(shown, other)).toEqual({ "Q 2023-08-01": true, B: false });
  });
});
