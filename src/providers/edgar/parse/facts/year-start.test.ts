// The label of a quarterly report that stands alone: by its own figures and balance sheets, else none.
import { describe, expect, test } from "bun:test";
import {
  type MadeFigure,
  type MadeFiling,
  madeBalance,
  madeCashFlow,
  madeCompany,
  madeIncome,
} from "../../../../../test/support/company-facts.ts";
import { normaliseFacts } from "./facts.ts";

const END = "2023-09-30";
const QUARTER = ["2023-07-01", END] as const;
const income = [...madeIncome(1e8, ...QUARTER), ...madeIncome(0.9e8, "2022-07-01", "2022-09-30")];
const sheets = (...days: string[]) => [END, ...days].flatMap((day) => madeBalance(1e9, day));
/** The start of the year by the quarters that a year has before `END`. */
const [Q1, Q2, Q3] = ["2023-06-30", "2023-03-31", "2022-12-31"];

/** The label of the quarter's income in a report with these figures. */
function labelOf(
  figures: readonly MadeFigure[],
  said: Pick<MadeFiling, "fy" | "fp"> = { fy: null, fp: null },
) {
  const filing = { accn: "0000001234-23-000003", form: "10-Q", filed: "2023-11-01", figures, ...said };
  const { facts } = normaliseFacts(madeCompany([filing]));
  const fact = facts.find(({ line, period_end }) => line === "net_income" && period_end === END);
  return fact && fact.fiscal_year !== null ? `${fact.fiscal_year} ${fact.fiscal_period}` : null;
}
const cash = madeCashFlow(1e7, ...QUARTER);

describe("a quarterly report alone is labelled", () => {
  test("by its figures for the year to date, of cash flows or of income", () => {
    expect(labelOf([...income, ...madeCashFlow(1e7, "2023-01-01", END)])).toBe("2023 Q3");
    expect(labelOf([...income, ...madeIncome(3e8, "2023-01-01", END)])).toBe("2023 Q3");
    expect(labelOf([...income, ...madeIncome(3e8, "2023-04-01", END)])).toBe("2024 Q2");
  });

  test.each([
    [Q3, "2023 Q3"],
    [Q2, "2024 Q2"],
    [Q1, "2024 Q1"],
  ])("by the balance sheet of the year end beside its own: %s", (yearEnd, label) => {
    // Cash flows of a quarter alone are those of a first quarter only where no balance sheet says otherwise.
    expect(labelOf([...income, ...sheets(yearEnd), ...cash])).toBe(label);
    expect(labelOf([...sheets(yearEnd), ...cash, ...income].toReversed())).toBe(label);
  });

  test("by the older of two balance sheets, where the quarter before is shown too", () => {
    expect(labelOf([...income, ...sheets(Q1, Q3)])).toBe("2023 Q3");
    expect(labelOf([...income, ...sheets(Q1, Q2)])).toBe("2024 Q2");
  });

  test("by what it says of itself only where its dates agree", () => {
    const said = (fp: string, fy = 2023) => ({ fy, fp });
    expect(labelOf([...income, ...sheets(Q3)], said("Q3"))).toBe("2023 Q3");
    expect(labelOf([...income, ...sheets(Q1)], said("Q1", 2024))).toBe("2024 Q1");
    expect(labelOf([...income, ...sheets(Q3)], said("Q1"))).toBeNull();
    expect(labelOf([...income, ...sheets(Q1), ...cash], said("Q3"))).toBeNull();
    // A year far from its days shows that the report's label is worth nothing.
    expect(labelOf([...income, ...sheets(Q3)], said("Q1", 1901))).toBe("2023 Q3");
  });

  test("not at all without evidence, or where it contradicts itself", () => {
    expect(labelOf(income)).toBeNull();
    expect(labelOf([...income, ...sheets()])).toBeNull();
    expect(labelOf([...income, ...sheets(), ...cash])).toBeNull();
    expect(labelOf([...income, ...sheets(Q1)])).toBeNull();
    expect(labelOf([...income, ...sheets(Q1, Q2, Q3)])).toBeNull();
    expect(labelOf([...income, ...sheets(Q1, Q3), ...cash])).toBeNull();
  });

  test("in years of 52 weeks with a first quarter of sixteen", () => {
    const filing = {
      accn: "0000001234-23-000001",
      form: "10-Q",
      filed: "2023-06-01",
      fy: null,
      fp: null,
      figures: [
        ...madeIncome(1e8, "2023-01-01", "2023-04-22"),
        ...madeCashFlow(1e7, "2023-01-01", "2023-04-22"),
        ...madeBalance(1e9, "2023-04-22"),
        ...madeBalance(1e9, "2022-12-31"),
      ],
    };
    const { facts } = normaliseFacts(madeCompany([filing]));
    expect(
      new Set(facts.filter(({ period_end }) => period_end === "2023-04-22").map((f) => f.fiscal_period)),
    ).toEqual(new Set(["Q1"]));
  });
});
