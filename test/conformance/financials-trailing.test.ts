// Holds trailing twelve months of the recordings against the sum of their four quarters, and their receipts
// against the value. Prints the counts.
import { expect, setDefaultTimeout, test } from "bun:test";
import type { Row, Statements } from "../../src/capabilities/financial/statements/records.ts";
import { selectStatements } from "../../src/capabilities/financial/statements/select.ts";
import { hasFinancials, recordedFiles, recording } from "./financials-recordings.ts";

setDefaultTimeout(1_200_000);

const daysBetween = (from: string, to: string): number =>
  Temporal.PlainDate.from(from).until(to, { largestUnit: "day" }).days;
const flowsOf = ({ income_statement, cash_flow }: Statements): readonly Row[] =>
  [...income_statement, ...cash_flow] as unknown as Row[];

/** The quarters that end within the row's twelve months, when they are four; else none. */
function quartersOf(row: Row, quarters: readonly Row[]): readonly Row[] {
  const own = quarters.filter(
    ({ statement, period_end_date: end, currency }) =>
      statement === row.statement &&
      currency === row.currency &&
      daysBetween(end, row.period_end_date) >= -4 &&
      daysBetween(row.period_start_date ?? "", end) > 60,
  );
  return own.length === 4 ? own : [];
}

/** The most by which four quarters in millions may be off their year. */
const ROUNDING = 4e6;

/** How a figure compares with the sum of four quarters. */
function outcomeOf(row: Row, name: string, four: readonly Row[]): string | null {
  const line = name as keyof Row["items"];
  const [value, source] = [row.items[line], row.sources[line]];
  const terms = four.map(({ items }) => items[line]).filter((one) => one !== null);
  const sum = terms.length === 4 ? terms.reduce((total, one) => total + one, 0) : null;
  if (value === null) return sum === null ? null : "null beside four quarters";
  if (row.basis === "reported") return "as reported";
  const total = (source?.operands ?? []).reduce((all, one) => all + (one.sign ?? Number.NaN) * one.value, 0);
  expect(total).toBeCloseTo(value, 2);
  if (sum === null) return "without four quarters";
  return Math.abs(sum - value) <= ROUNDING ? "equal" : "apart";
}

test.if(hasFinancials)("trailing twelve months of the recordings are the sum of their quarters", () => {
  const counts: Record<string, number> = {};
  for (const file of recordedFiles) {
    const { facts } = recording(file);
    const trailing = flowsOf(selectStatements(facts, { period_type: "ttm", include_derived: true }));
    const all = flowsOf(selectStatements(facts, { include_derived: true }));
    const quarters = all.filter(({ period_months }) => period_months === 3);
    for (const row of trailing) {
      const four = quartersOf(row, quarters);
      for (const name of Object.keys(row.items)) {
        const outcome = outcomeOf(row, name, four);
        if (outcome) counts[outcome] = (counts[outcome] ?? 0) + 1;
      }
    }
  }
  console.info("trailing twelve months of the recordings", counts);
  const { apart = 0, equal = 0, "null beside four quarters": nulls = 0 } = counts;
  expect(apart).toBe(0);
  expect(equal).toBeGreaterThan(2_000);
  expect(nulls / equal).toBeLessThan(0.02);
});
