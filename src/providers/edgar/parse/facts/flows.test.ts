import { describe, expect, test } from "bun:test";
import { type MadeFigure, madeCompany } from "../../../../../test/support/company-facts.ts";
import { normaliseFacts } from "./facts.ts";

const YEAR = ["2023-01-01", "2023-12-31"] as const;
const figure = (tag: string, value: number): MadeFigure => [tag, value, ...YEAR];
const read = (line: string, ...figures: MadeFigure[]) =>
  normaliseFacts(madeCompany([{ accn: "0000001234-24-000001", form: "10-K", filed: "2024-02-15", figures }]))
    .facts.filter((fact) => fact.line === line)
    .map(({ value, flags }) => [value, ...flags]);

describe("a payment filed as a negative number", () => {
  const dividends = figure("PaymentsOfDividends", -40);
  const debt = figure("ProceedsFromIssuanceOfLongTermDebt", 100);
  const total = (value: number) => figure("NetCashProvidedByUsedInFinancingActivities", value);

  test("is shown as a payment where only that sums to the section's total", () => {
    expect(read("dividends_paid", dividends, debt, total(60))).toEqual([[40, "reversed_sign"]]);
    expect(read("dividends_paid", dividends, total(-40))).toEqual([[40, "reversed_sign"]]);
  });

  test("counts other payments the same way, and net payments by their name or as cash", () => {
    const buyback = figure("PaymentsForRepurchaseOfCommonStock", -10);
    const hedge = figure("PaymentsForProceedsFromHedgeFinancingActivities", -5);
    const all = [dividends, buyback, hedge, debt];
    expect(read("share_repurchases", ...all, total(55))).toEqual([[10, "reversed_sign"]]);
    expect(read("share_repurchases", ...all, total(45))).toEqual([[10, "reversed_sign"]]);
  });

  test("is a receipt where the sum shows one, and unproven where no sum closes", () => {
    expect(read("dividends_paid", dividends, debt, total(140))).toEqual([[-40]]);
    expect(read("dividends_paid", dividends, debt, total(75))).toEqual([[-40, "sign_unproven"]]);
    expect(read("dividends_paid", dividends, debt)).toEqual([[-40, "sign_unproven"]]);
  });

  test("a payment filed as a positive number is left as it is", () => {
    const paid = figure("PaymentsOfDividends", 40);
    expect(read("dividends_paid", paid, debt, total(140))).toEqual([[40]]);
  });
});

test("dividends of common and of preferred shares apart are no total, and a warning says so", () => {
  const common = figure("PaymentsOfDividendsCommonStock", 30);
  const preferred = figure("PaymentsOfDividendsPreferredStockAndPreferenceStock", 10);
  const filing = { accn: "0000001234-24-000001", form: "10-K", filed: "2024-02-15" };
  const total = figure("NetCashProvidedByUsedInOperatingActivities", 90);
  const { facts, warnings } = normaliseFacts(
    madeCompany([{ ...filing, figures: [common, preferred, total] }]),
  );
  expect(facts.some(({ line }) => line === "dividends_paid")).toBe(false);
  expect(warnings.map(({ code, line, period_end }) => [code, line, period_end])).toEqual([
    ["dividends_paid_in_doubt", "dividends_paid", YEAR[1]],
  ]);
  expect(read("dividends_paid", common, total)).toEqual([[30]]);
});
