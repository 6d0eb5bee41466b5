import { describe, expect, test } from "bun:test";
import {
  type MadeFiling,
  madeBalance,
  madeCashFlow,
  madeCompany,
  madeIncome,
} from "../../../../test/support/company-facts.ts";
import { normaliseFacts } from "../../../providers/edgar/index.ts";
import type { SelectOptions } from "./records.ts";
import { selectStatements } from "./select.ts";

const report = (accn: string, filed: string, start: string, end: string, yearStart: string): MadeFiling => ({
  accn,
  form: "10-Q",
  filed,
  fy: null,
  fp: null,
  figures: [...madeIncome(1e8, start, end), ...madeCashFlow(1e7, yearStart, end), ...madeBalance(1e9, end)],
});
const first = report("0000001234-23-000001", "2023-11-01", "2023-07-01", "2023-09-30", "2023-07-01");
const second = report("0000001234-24-000001", "2024-02-01", "2023-10-01", "2023-12-31", "2023-07-01");

function read(filings: readonly MadeFiling[], options: SelectOptions = {}) {
  const { income_statement, warnings } = selectStatements(
    normaliseFacts(madeCompany(filings)).facts,
    options,
  );
  return {
    labels: income_statement.map(
      ({ period_end_date, fiscal_year, fiscal_period }) =>
        `${period_end_date} ${fiscal_year} ${fiscal_period}`,
    ),
    warned: warnings
      .filter(({ code }) => code === "fiscal_label_unknown")
      .map(({ period_end, accession_number }) => [period_end, accession_number]),
  };
}

describe("a quarter whose fiscal year is unknown", () => {
  const unknown = {
    labels: ["2023-09-30 null null"],
    warned: [["2023-09-30", first.accn]],
  };

  test("has no label, and one warning names the report and the reason", () => {
    expect(read([first])).toEqual(unknown);
  });

  test("has its label from the year to date of the next report, not before that is known", () => {
    expect(read([first, second])).toEqual({
      labels: ["2023-12-31 2024 Q2", "2023-09-30 2024 Q1"],
      warned: [],
    });
    expect(read([first, second], { as_of: Temporal.Instant.from("2024-01-15T00:00:00Z") })).toEqual(unknown);
  });
});
