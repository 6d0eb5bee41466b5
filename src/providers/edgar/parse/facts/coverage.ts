// The period for which a company's statements have figures.
import type { Report } from "./column.ts";
import type { ComparedLine } from "./line.ts";
import { readDayNumber } from "./period.ts";
import type { FactsCoverage, FinancialFact, Statement, StatementCoverage } from "./records.ts";

/** A year and a month. A longer gap means that at least one annual report is missing. */
const GAP_DAYS = 400;
/** A period without any of these lines counts as having no statement, only isolated figures. */
const KEY_LINES: Readonly<Record<Statement, readonly ComparedLine[]>> = {
  income_statement: ["net_income", "revenue", "income_before_tax"],
  balance_sheet: ["total_assets"],
  cash_flow: ["operating_cash_flow"],
};
const KEYS: ReadonlySet<string> = new Set(Object.values(KEY_LINES).flat());
const STATEMENTS: readonly Statement[] = ["income_statement", "balance_sheet", "cash_flow"];

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

/** Collects the periods for which statements have figures. */
class Coverage {
  readonly #seen: Readonly<Record<Statement, Seen>> = {
    income_statement: { ends: new Set(), sources: new Set() },
    balance_sheet: { ends: new Set(), sources: new Set() },
    cash_flow: { ends: new Set(), sources: new Set() },
  };

  add(statement: Statement, end: string, source: FinancialFact["source"]): void {
    this.#seen[statement].ends.add(end);
    this.#seen[statement].sources.add(source);
  }

  get all(): FactsCoverage {
    return {
      income_statement: statementCoverage(this.#seen.income_statement),
      balance_sheet: statementCoverage(this.#seen.balance_sheet),
      cash_flow: statementCoverage(this.#seen.cash_flow),
    };
  }
}

export function coverageOf(facts: readonly FinancialFact[]): FactsCoverage {
  const coverage = new Coverage();
  for (const { line, flags, statement, period_end, source } of facts)
    if (KEYS.has(line) && !flags.includes("proxy_form")) coverage.add(statement, period_end, source);
  return coverage.all;
}

/** Returns the coverage of the reports from which facts are made. */
export function coverageOfReports(reports: readonly Report[]): FactsCoverage {
  const coverage = new Coverage();
  for (const { filing, columns } of reports)
    for (const { period, figures } of filing.tier === "proxy" ? [] : columns)
      for (const statement of STATEMENTS)
        if (KEY_LINES[statement].some((line) => figures[line] !== undefined))
          coverage.add(statement, period.end, "xbrl");
  return coverage.all;
}
