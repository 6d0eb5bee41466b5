// Which tags of a pre-2001 schedule stand for which line; each article of Regulation S-X has its own vocabulary.
import type { Line } from "./facts-records.ts";

type Values = ReadonlyMap<string, number>;

/** A tag that may stand for a line, if the column's other values do not speak against it. */
export interface ScheduleLine {
  readonly line: Line;
  readonly tag: string;
  /** False when the value is a placeholder or means something else here. */
  readonly holds?: (value: number, values: Values) => boolean;
}

/** Schedules want a zero where there is nothing to say: a total of nothing beside other amounts is no reported zero. */
const isNotZero = (value: number): boolean => value !== 0;
/** Earnings per share of zero beside a profit or loss are a blank that was filled in. */
const isEarned = (value: number, values: Values): boolean => value !== 0 || values.get("NET-INCOME") === 0;

const EPS: readonly ScheduleLine[] = [
  { line: "eps_basic", tag: "EPS-BASIC", holds: isEarned },
  { line: "eps_basic", tag: "EPS-PRIMARY", holds: isEarned },
  { line: "eps_diluted", tag: "EPS-DILUTED", holds: isEarned },
];
const RESULT: readonly ScheduleLine[] = [
  { line: "income_before_tax", tag: "INCOME-PRETAX" },
  { line: "net_income", tag: "NET-INCOME" },
  ...EPS,
];
const TOTALS: readonly ScheduleLine[] = [
  { line: "total_assets", tag: "TOTAL-ASSETS", holds: isNotZero },
  { line: "liabilities_and_equity", tag: "TOTAL-LIABILITY-AND-EQUITY", holds: isNotZero },
  { line: "liabilities_and_equity", tag: "TOTAL-LIABILITIES-AND-EQUITY", holds: isNotZero },
];

/**
 * Left out on purpose: receivables and plant, which some give before and some after their allowances; equity, which the
 * schedules give in parts only.
 */
const COMMERCE: readonly ScheduleLine[] = [
  { line: "cash_and_equivalents", tag: "CASH" },
  { line: "short_term_investments", tag: "SECURITIES" },
  { line: "inventory", tag: "INVENTORY" },
  { line: "current_assets", tag: "CURRENT-ASSETS", holds: isNotZero },
  { line: "current_liabilities", tag: "CURRENT-LIABILITIES", holds: isNotZero },
  { line: "long_term_debt", tag: "BONDS" },
  ...TOTALS,
  { line: "revenue", tag: "TOTAL-REVENUES", holds: (v, all) => v !== 0 || (all.get("SALES") ?? 0) === 0 },
  // Total costs are often all costs, and costs of goods those of a part: certain only where both are one.
  { line: "cost_of_revenue", tag: "CGS", holds: (v, all) => v !== 0 && all.get("TOTAL-COSTS") === v },
  { line: "interest_expense", tag: "INTEREST-EXPENSE" },
  { line: "income_tax_expense", tag: "INCOME-TAX" },
  ...RESULT,
];

const BANK: readonly ScheduleLine[] = [
  { line: "cash_and_equivalents", tag: "CASH" },
  { line: "loans", tag: "LOANS" },
  { line: "deposits", tag: "DEPOSITS" },
  { line: "short_term_debt", tag: "SHORT-TERM" },
  { line: "long_term_debt", tag: "LONG-TERM" },
  ...TOTALS,
  { line: "interest_expense", tag: "INTEREST-EXPENSE" },
  { line: "net_interest_income", tag: "INTEREST-INCOME-NET" },
  // Written as a deduction by some, as an amount by others: only the amount has a certain sign.
  { line: "provision_for_credit_losses", tag: "LOAN-LOSSES", holds: (value) => value >= 0 },
  { line: "noninterest_expense", tag: "EXPENSE-OTHER" },
  ...RESULT,
];

const INSURANCE: readonly ScheduleLine[] = [
  { line: "cash_and_equivalents", tag: "CASH" },
  ...TOTALS,
  { line: "premiums_earned", tag: "PREMIUMS" },
  { line: "net_investment_income", tag: "INVESTMENT-INCOME" },
  { line: "policyholder_benefits", tag: "BENEFITS" },
  { line: "income_tax_expense", tag: "INCOME-TAX" },
  ...RESULT,
];

const UTILITY: readonly ScheduleLine[] = [
  { line: "current_assets", tag: "TOTAL-CURRENT-ASSETS", holds: isNotZero },
  ...TOTALS,
  { line: "revenue", tag: "GROSS-OPERATING-REVENUE", holds: isNotZero },
  { line: "operating_income", tag: "OPERATING-INCOME-LOSS", holds: isNotZero },
  { line: "net_income", tag: "NET-INCOME" },
  { line: "operating_cash_flow", tag: "CASH-FLOW-OPERATIONS", holds: isNotZero },
  ...EPS,
];

const BROKER: readonly ScheduleLine[] = [
  { line: "cash_and_equivalents", tag: "CASH" },
  ...TOTALS,
  { line: "revenue", tag: "TOTAL-REVENUE", holds: isNotZero },
  { line: "interest_expense", tag: "INTEREST-EXPENSE" },
  ...RESULT,
];

/** By article. Funds (6) have no such statements. */
export const SCHEDULE_LINES: Readonly<Record<string, readonly ScheduleLine[]>> = {
  "5": COMMERCE,
  "7": INSURANCE,
  "9": BANK,
  UT: UTILITY,
  BD: BROKER,
};
