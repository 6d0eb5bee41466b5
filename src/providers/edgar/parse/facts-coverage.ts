// From when to when a company's statements have figures.
import { readDayNumber } from "./facts-period.ts";
import type { Coverage, FinancialFact, Statement, StatementCoverage } from "./facts-records.ts";

/** A year and a month: beyond it at least one annual report is missing. */
const GAP_DAYS = 400;
/** One that stands for each statement: a period without it has no statement, only remnants of one. */
const KEY_LINES: Readonly<Record<Statement, ReadonlySet<string>>> = {
  income_statement: new Set(["net_income", "revenue", "income_before_tax"]),
  balance_sheet: new Set(["total_assets"]),
  cash_flow: new Set(["operating_cash_flow"]),
};

function statementCoverage(facts: readonly FinancialFact[], statement: Statement): StatementCoverage {
  const ends = new Set<string>();
  const sources = new Set<FinancialFact["source"]>();
  for (const fact of facts) {
    if (!KEY_LINES[statement].has(fact.line) || fact.flags.includes("proxy_form")) continue;
    ends.add(fact.period_end);
    sources.add(fact.source);
  }
  const sorted = [...ends].sort();
  const gaps = sorted.flatMap((before, i) => {
    const after = sorted[i - 1];
    const days = after === undefined ? 0 : (readDayNumber(before) ?? 0) - (readDayNumber(after) ?? 0);
    return after !== undefined && days > GAP_DAYS ? [{ after, before }] : [];
  });
  return { from: sorted[0] ?? null, to: sorted.at(-1) ?? null, gaps, sources: [...sources].sort() };
}

export const coverageOf = (facts: readonly FinancialFact[]): Coverage => ({
  income_statement: statementCoverage(facts, "income_statement"),
  balance_sheet: statementCoverage(facts, "balance_sheet"),
  cash_flow: statementCoverage(facts, "cash_flow"),
});
