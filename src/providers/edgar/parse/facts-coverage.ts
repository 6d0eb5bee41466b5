// The period for which a company's statements have figures.
import { readDayNumber } from "./facts-period.ts";
import type { FactsCoverage, FinancialFact, Statement, StatementCoverage } from "./facts-records.ts";

/** A year and a month. A longer gap means that at least one annual report is missing. */
const GAP_DAYS = 400;
/** A period without any of these lines counts as having no statement, only isolated figures. */
const KEY_LINES: ReadonlySet<string> = new Set([
  "net_income",
  "revenue",
  "income_before_tax",
  "total_assets",
  "operating_cash_flow",
]);

interface Seen {
  readonly ends: Set<string>;
  readonly sources: Set<FinancialFact["source"]>;
}

function statementCoverage({ ends, sources }: Seen): StatementCoverage {
  const sorted = [...ends].sort();
  const days = sorted.map((end) => readDayNumber(end) ?? 0);
  const gaps = sorted.flatMap((before, i) => {
    const after = sorted[i - 1];
    const isGap = (days[i] ?? 0) - (days[i - 1] ?? 0) > GAP_DAYS;
    return after !== undefined && isGap ? [{ after, before }] : [];
  });
  return { from: sorted[0] ?? null, to: sorted.at(-1) ?? null, gaps, sources: [...sources].sort() };
}

export function coverageOf(facts: readonly FinancialFact[]): FactsCoverage {
  const none = (): Seen => ({ ends: new Set(), sources: new Set() });
  const seen: Record<Statement, Seen> = {
    income_statement: none(),
    balance_sheet: none(),
    cash_flow: none(),
  };
  for (const { line, flags, statement, period_end, source } of facts) {
    if (!KEY_LINES.has(line) || flags.includes("proxy_form")) continue;
    seen[statement].ends.add(period_end);
    seen[statement].sources.add(source);
  }
  return {
    income_statement: statementCoverage(seen.income_statement),
    balance_sheet: statementCoverage(seen.balance_sheet),
    cash_flow: statementCoverage(seen.cash_flow),
  };
}
