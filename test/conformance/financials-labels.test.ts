// Counts the rows of the recordings without a fiscal label, after each report as it was filed. Prints the
// counts.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { allNamed } from "../../sample/edgar/filers.ts";
import { selectStatements } from "../../src/capabilities/financial/statements/select.ts";
import { address, fileOf, late } from "../support/sample-facts.ts";
import { hasFinancials, normalisedOf, recordedFiles, recording } from "./financials-recordings.ts";

setDefaultTimeout(1_200_000);

if (!hasFinancials) test("skipped: no recordings", () => {});

/** The evening of every day on which a report was filed. */
function evenings(facts: readonly { readonly filed_date: string }[]): Temporal.Instant[] {
  const days = new Set(facts.map(({ filed_date }) => filed_date));
  return [...days].sort().map((day) => Temporal.Instant.from(`${day}T23:59:59-05:00`).add({ hours: 24 }));
}

describe("fiscal labels of the sample market", () => {
  test("every row has one, or a warning says why not", () => {
    const counts = { companies: 0, rows: 0, unlabelled: 0 };
    const silent: string[] = [];
    for (const { cik, name } of allNamed()) {
      if (late.ask(address(cik)).status !== 200) continue;
      const statements = selectStatements(normalisedOf(fileOf(late, cik)).facts);
      counts.companies++;
      for (const row of [
        ...statements.income_statement,
        ...statements.balance_sheet,
        ...statements.cash_flow,
      ]) {
        counts.rows++;
        if (row.fiscal_year !== null) continue;
        counts.unlabelled++;
        const isSaid = statements.warnings.some(
          ({ code, accession_number }) =>
            code === "fiscal_label_unknown" && accession_number === row.accession_number,
        );
        if (!isSaid) silent.push(`${name} to ${row.period_end_date}`);
      }
    }
    console.info("fiscal labels of the sample market", counts);
    expect(silent).toEqual([]);
    expect(counts.rows).toBeGreaterThan(1000);
  });
});

describe("fiscal labels of the recordings", () => {
  for (const vintage of ["latest", "first"] as const)
    test.if(hasFinancials)(`${vintage}: every row has one, at every moment`, () => {
      const counts = { moments: 0, rows: 0, unlabelled: 0, withoutYearEnd: 0 };
      const unlabelled: string[] = [];
      for (const file of recordedFiles) {
        const { facts } = recording(file);
        for (const as_of of evenings(facts)) {
          const { income_statement, balance_sheet, cash_flow, warnings } = selectStatements(facts, {
            as_of,
            vintage,
          });
          counts.moments++;
          for (const row of [...income_statement, ...balance_sheet, ...cash_flow]) {
            counts.rows++;
            if (row.fiscal_year !== null && row.fiscal_period !== null) continue;
            counts.unlabelled++;
            // Without any year end on file the label is null, and a warning says so.
            const isSaid = warnings.some(
              ({ code, accession_number }) =>
                code === "fiscal_label_unknown" && accession_number === row.accession_number,
            );
            if (isSaid) counts.withoutYearEnd++;
            else unlabelled.push(`${file} ${as_of}: ${row.statement} to ${row.period_end_date}`);
          }
        }
      }
      console.info(`fiscal labels, ${vintage}`, counts);
      expect(unlabelled).toEqual([]);
      expect(counts.withoutYearEnd).toBe(0);
      expect(counts.moments).toBeGreaterThan(100);
    });
});
