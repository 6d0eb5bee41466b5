import { expect, test } from "bun:test";
import type { FinancialFact } from "../../providers/edgar/index.ts";
import { dataLossError, type FactsUpdate } from "./replaced-reports.ts";

/** `each` figures for each of `reports` reports. */
const figures = (source: FinancialFact["source"], reports: number, each: number) =>
  Array.from(
    { length: reports * each },
    (_, i) => ({ source, accession_number: `0000001234-97-${i % reports}` }) as FinancialFact,
  );
const reading = (facts: readonly FinancialFact[], source: FinancialFact["source"]): FactsUpdate => ({
  cik: "0000001234",
  source,
  facts,
  mode: "replace",
});

test("refuses a file that lost most of its figures; schedules are counted by report", () => {
  const error = (source: FinancialFact["source"], now: readonly [number, number]) =>
    dataLossError(reading(figures(source, ...now), source), figures(source, 8, 10))?.message ?? null;
  expect(error("xbrl", [8, 5])).toBeNull();
  expect(error("xbrl", [8, 4])).toContain("has 32 figures where 80 are stored");
  expect(error("ex27", [8, 2])).toBeNull();
  expect(error("ex27", [3, 10])).toContain("has 3 schedules where 8 are stored");
  // Figures of the other source do not count.
  expect(dataLossError(reading([], "ex27"), figures("xbrl", 8, 10))).toBeNull();
});
