import { describe, expect, test } from "bun:test";
import { type MadeFigure, madeCompany } from "../../../../../test/support/company-facts.ts";
import { normaliseFacts } from "./facts.ts";
import type { StatementLine } from "./records.ts";

const YEAR = ["2023-01-01", "2023-12-31"] as const;
const DAY = "2023-12-31";
const ALL_CASH = "CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents";
const CHANGE = `${ALL_CASH}PeriodIncreaseDecreaseIncludingExchangeRateEffect`;
const EFFECT = "EffectOfExchangeRateOnCashAndCashEquivalents";

/** Tag and value of a line in a filing with these amounts. */
function lineOf(line: StatementLine, figures: readonly MadeFigure[]) {
  const filing = { accn: "0000001234-24-000001", form: "10-K", filed: "2024-02-15", figures };
  const found = normaliseFacts(madeCompany([filing])).facts.filter((fact) => fact.line === line);
  return found.map(({ tag, value }) => [tag, value]);
}
const cashOf = (amounts: Readonly<Record<string, number>>, others: readonly MadeFigure[] = []) =>
  lineOf("cash_and_equivalents", [
    ...Object.entries(amounts).map(([tag, value]): MadeFigure => [tag, value, null, DAY]),
    ...others,
  ]);

describe("cash of the balance sheet", () => {
  test("is the total of all cash where the filing has no restricted cash, or reports it as zero", () => {
    expect(cashOf({ [ALL_CASH]: 900 })).toEqual([[ALL_CASH, 900]]);
    expect(cashOf({ [ALL_CASH]: 900, RestrictedCashCurrent: 0 })).toEqual([[ALL_CASH, 900]]);
    expect(cashOf({ [ALL_CASH]: 900, CashAndCashEquivalentsAtCarryingValue: 880 })).toEqual([
      ["CashAndCashEquivalentsAtCarryingValue", 880],
    ]);
  });

  test("is unknown where the total includes restricted cash, of any day of the filing", () => {
    expect(cashOf({ [ALL_CASH]: 900, RestrictedCashAndCashEquivalentsAtCarryingValue: 20 })).toEqual([]);
    expect(cashOf({ [ALL_CASH]: 900 }, [["RestrictedCash", 20, null, "2022-12-31"]])).toEqual([]);
  });

  test("is unknown where the total includes the cash of operations held for sale", () => {
    const held = "DisposalGroupIncludingDiscontinuedOperationCashAndCashEquivalents";
    expect(cashOf({ [ALL_CASH]: 900, [held]: 40 })).toEqual([]);
    expect(cashOf({ [ALL_CASH]: 900, [held]: 0 })).toEqual([[ALL_CASH, 900]]);
    expect(cashOf({ [ALL_CASH]: 900, [held]: 40, CashAndCashEquivalentsAtCarryingValue: 860 })).toEqual([
      ["CashAndCashEquivalentsAtCarryingValue", 860],
    ]);
  });

  test("is not a total that exceeds the current assets", () => {
    expect(cashOf({ [ALL_CASH]: 900, AssetsCurrent: 899 })).toEqual([[ALL_CASH, 900]]);
    expect(cashOf({ [ALL_CASH]: 900, AssetsCurrent: 500 })).toEqual([]);
  });

  test("is the tag `Cash` only where no other total stands for the day, or restricted cash is the difference", () => {
    expect(cashOf({ Cash: 30 })).toEqual([["Cash", 30]]);
    expect(cashOf({ Cash: 30, [ALL_CASH]: 5978 })).toEqual([[ALL_CASH, 5978]]);
    expect(cashOf({ Cash: 30, [ALL_CASH]: 5978, RestrictedCash: 8 })).toEqual([]);
    const parts = { RestrictedCashCurrent: 7, RestrictedCashNoncurrent: 3 };
    expect(cashOf({ Cash: 30, [ALL_CASH]: 40, ...parts })).toEqual([["Cash", 30]]);
    expect(cashOf({ Cash: 30 }, [[ALL_CASH, 5978, null, "2022-12-31"]])).toContainEqual(["Cash", 30]);
  });
});

/** Cash flows that sum to 40 before exchange rates. */
const FLOWS: readonly MadeFigure[] = [
  ["NetCashProvidedByUsedInOperatingActivities", 100, ...YEAR],
  ["NetCashProvidedByUsedInInvestingActivities", -50, ...YEAR],
  ["NetCashProvidedByUsedInFinancingActivities", -10, ...YEAR],
];
const flow = (tag: string, value: number): MadeFigure => [tag, value, ...YEAR];

describe("the effect of exchange rates", () => {
  test.each([
    `EffectOfExchangeRateOn${ALL_CASH}IncludingDisposalGroupAndDiscontinuedOperations`,
    `${EFFECT}ContinuingOperations`,
  ])("is read under %s", (tag) => {
    const figures = [...FLOWS, flow(tag, -7), flow(CHANGE, 33)];
    expect(lineOf("exchange_rate_effect", figures)).toEqual([[tag, -7]]);
    expect(lineOf("net_change_in_cash", figures)).toEqual([[CHANGE, 33]]);
  });

  test("is the one of several with which the flows sum to the change in cash", () => {
    const both = [flow(EFFECT, -20), flow(`${EFFECT}ContinuingOperations`, -7)];
    expect(lineOf("exchange_rate_effect", [...FLOWS, ...both, flow(CHANGE, 33)])).toEqual([
      [`${EFFECT}ContinuingOperations`, -7],
    ]);
    expect(lineOf("exchange_rate_effect", [...FLOWS, ...both, flow(CHANGE, 20)])).toEqual([[EFFECT, -20]]);
    expect(lineOf("exchange_rate_effect", both)).toEqual([[EFFECT, -20]]);
  });

  test("of continuing operations is only a part where another operation has one", () => {
    const parts = [flow(`${EFFECT}ContinuingOperations`, -7), flow(`${EFFECT}DiscontinuedOperations`, -2)];
    expect(lineOf("exchange_rate_effect", [...FLOWS, ...parts])).toEqual([]);
  });
});

describe("the change in cash", () => {
  const BEFORE = `${ALL_CASH}PeriodIncreaseDecreaseExcludingExchangeRateEffect`;
  test("is the one that includes exchange rates, not the sum of the flows", () => {
    const figures = [...FLOWS, flow(EFFECT, -7), flow(CHANGE, 40)];
    expect(
      lineOf("net_change_in_cash", [...figures, flow("CashAndCashEquivalentsPeriodIncreaseDecrease", 33)]),
    ).toEqual([["CashAndCashEquivalentsPeriodIncreaseDecrease", 33]]);
    expect(lineOf("net_change_in_cash", [...FLOWS, flow(EFFECT, -7), flow(BEFORE, 40)])).toEqual([]);
    expect(lineOf("net_change_in_cash", [...FLOWS, flow(BEFORE, 40)])).toEqual([[BEFORE, 40]]);
  });

  test("proves cash flows of continuing operations, with or without exchange rates", () => {
    const continuing = FLOWS.map(([tag, value]) => flow(`${tag}ContinuingOperations`, value));
    const operating = (...others: readonly MadeFigure[]) =>
      lineOf("operating_cash_flow", [...continuing, ...others]).map(([, value]) => value);
    expect(operating(flow(EFFECT, -7), flow(CHANGE, 33))).toEqual([100]);
    expect(operating(flow(EFFECT, -7), flow(CHANGE, 40))).toEqual([100]);
    expect(operating(flow(EFFECT, -7), flow(BEFORE, 40))).toEqual([100]);
    expect(operating()).toEqual([100]);
    expect(operating(flow("NetCashProvidedByUsedInDiscontinuedOperations", 5))).toEqual([]);
    const ended = flow("CashProvidedByUsedInInvestingActivitiesDiscontinuedOperations", 5);
    expect(operating(flow("NetCashProvidedByUsedInDiscontinuedOperations", 5), ended)).toEqual([100]);
    // An open sum is no disproof, unless a discontinued result leaves open which operations it is open for.
    expect(operating(flow(EFFECT, -7), flow(CHANGE, 90))).toEqual([100]);
    const result = flow("IncomeLossFromDiscontinuedOperationsNetOfTax", -3);
    expect(operating(flow(EFFECT, -7), flow(CHANGE, 90), result)).toEqual([]);
    expect(operating(flow(EFFECT, -7), flow(CHANGE, 33), result)).toEqual([100]);
    expect(operating(flow("EffectOfExchangeRateOnCash", -7), flow(CHANGE, 33), result)).toEqual([100]);
  });
});
