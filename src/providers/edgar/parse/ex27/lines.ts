// The tags of a schedule before 2001 that stand for each statement line. Each article of Regulation S-X has
// its own tags.
import type { StatementLine } from "../facts/records.ts";

type Values = ReadonlyMap<string, number>;

/** A tag that may stand for a line, unless the column's other values contradict it. */
export interface ScheduleLine {
  readonly line: StatementLine;
  readonly tag: string;
  /** False when the value is a placeholder or has another meaning here. Default: false for zero. */
  readonly holds?: (value: number, values: Values) => boolean;
}

/**
 * True when a value is the figure of its line. Schedules require a zero where there is nothing to report, so
 * a zero is no evidence: a company with zero bonds may pay interest, and a column of the previous year may
 * have a balance sheet of zeros.
 */
export const stands = ({ holds }: ScheduleLine, value: number, values: Values): boolean =>
  holds ? holds(value, values) : value !== 0;

/** Some filers write it as a deduction, others as an amount. Only a positive amount has a certain sign. */
const isAmount = (value: number): boolean => value > 0;
/** A zero tax is real when the result is the same before and after tax. */
const isTax = (value: number, values: Values): boolean => {
  const [before, after] = [values.get("INCOME-PRETAX"), values.get("INCOME-CONTINUING")];
  return value !== 0 || (before !== undefined && before !== 0 && before === after);
};

const EPS: readonly ScheduleLine[] = [
  { line: "eps_basic", tag: "EPS-BASIC" },
  { line: "eps_basic", tag: "EPS-PRIMARY" },
  { line: "eps_diluted", tag: "EPS-DILUTED" },
];
const RESULT: readonly ScheduleLine[] = [
  { line: "income_before_tax", tag: "INCOME-PRETAX" },
  { line: "net_income", tag: "NET-INCOME" },
  ...EPS,
];
const TOTALS: readonly ScheduleLine[] = [
  { line: "total_assets", tag: "TOTAL-ASSETS" },
  { line: "liabilities_and_equity", tag: "TOTAL-LIABILITY-AND-EQUITY" },
  { line: "liabilities_and_equity", tag: "TOTAL-LIABILITIES-AND-EQUITY" },
];

/**
 * Omitted on purpose: receivables and plant, which some filers state before and some after allowances, and
 * equity, which the schedules give only in parts.
 */
const COMMERCE: readonly ScheduleLine[] = [
  { line: "cash_and_equivalents", tag: "CASH" },
  { line: "short_term_investments", tag: "SECURITIES" },
  { line: "inventory", tag: "INVENTORY" },
  { line: "current_assets", tag: "CURRENT-ASSETS" },
  { line: "current_liabilities", tag: "CURRENT-LIABILITIES" },
  { line: "long_term_debt", tag: "BONDS" },
  ...TOTALS,
  { line: "revenue", tag: "TOTAL-REVENUES" },
  // TOTAL-COSTS is often all costs, and CGS often covers only a part of them. The meaning is certain when
  // both are equal.
  { line: "cost_of_revenue", tag: "CGS", holds: (v, all) => v !== 0 && all.get("TOTAL-COSTS") === v },
  { line: "interest_expense", tag: "INTEREST-EXPENSE", holds: isAmount },
  { line: "income_tax_expense", tag: "INCOME-TAX", holds: isTax },
  ...RESULT,
];

const BANK: readonly ScheduleLine[] = [
  { line: "cash_and_equivalents", tag: "CASH" },
  { line: "loans", tag: "LOANS" },
  { line: "deposits", tag: "DEPOSITS" },
  { line: "short_term_debt", tag: "SHORT-TERM" },
  { line: "long_term_debt", tag: "LONG-TERM" },
  ...TOTALS,
  { line: "interest_expense", tag: "INTEREST-EXPENSE", holds: isAmount },
  { line: "net_interest_income", tag: "INTEREST-INCOME-NET" },
  { line: "provision_for_credit_losses", tag: "LOAN-LOSSES", holds: isAmount },
  { line: "noninterest_expense", tag: "EXPENSE-OTHER" },
  ...RESULT,
];

const INSURANCE: readonly ScheduleLine[] = [
  { line: "cash_and_equivalents", tag: "CASH" },
  ...TOTALS,
  { line: "premiums_earned", tag: "PREMIUMS" },
  { line: "net_investment_income", tag: "INVESTMENT-INCOME" },
  { line: "policyholder_benefits", tag: "BENEFITS" },
  { line: "income_tax_expense", tag: "INCOME-TAX", holds: isTax },
  ...RESULT,
];

const UTILITY: readonly ScheduleLine[] = [
  { line: "current_assets", tag: "TOTAL-CURRENT-ASSETS" },
  ...TOTALS,
  { line: "liabilities_and_equity", tag: "TOT-CAPITALIZATION-AND-LIAB" },
  { line: "revenue", tag: "GROSS-OPERATING-REVENUE" },
  { line: "operating_income", tag: "OPERATING-INCOME-LOSS" },
  { line: "net_income", tag: "NET-INCOME" },
  { line: "operating_cash_flow", tag: "CASH-FLOW-OPERATIONS" },
  ...EPS,
];

const BROKER: readonly ScheduleLine[] = [
  { line: "cash_and_equivalents", tag: "CASH" },
  ...TOTALS,
  { line: "revenue", tag: "TOTAL-REVENUE" },
  { line: "interest_expense", tag: "INTEREST-EXPENSE", holds: isAmount },
  ...RESULT,
];

/** The lines of each article. Funds (article 6) have no such statements. */
export const SCHEDULE_LINES: Readonly<Record<string, readonly ScheduleLine[]>> = {
  "5": COMMERCE,
  "7": INSURANCE,
  "9": BANK,
  UT: UTILITY,
  BD: BROKER,
};
