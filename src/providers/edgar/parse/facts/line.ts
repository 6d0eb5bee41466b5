// A statement line: its kind, its sign, and the tags that may stand for it with their conditions.
import type { Get } from "./proofs.ts";
import {
  BALANCE_PARTS,
  CASH_FLOW_PARTS,
  type LineKind,
  type Statement,
  type StatementLine,
} from "./records.ts";

/** A tag that may stand for a line. Its name omits the taxonomy "us-gaap:" but no other. */
export interface Candidate {
  readonly tag: string;
  /**
   * Rejected when the filing has a nonzero value of one of these for the same period: it is then a part or a
   * broader sum.
   */
  readonly unless?: readonly string[];
  /** Rejected when the filing has a nonzero value of one of these for any period. */
  readonly unlessInFiling?: readonly string[];
  /** Accepted only when this returns true. `value` is the tag's value. */
  readonly proof?: (value: number, get: Get, tolerance: number) => boolean;
  /** Accepted only when it closes the sum that decides its line. */
  readonly onlyClosing?: true;
}

/** Lines whose figures for one period of a filing are compared with each other. */
export const COMPARED_LINES = [
  ...(["revenue", "cost_of_revenue", "gross_profit", "operating_expenses", "operating_income"] as const),
  ...(["income_before_tax", "income_tax_expense", "net_income", "net_income_with_noncontrolling"] as const),
  ...(["eps_basic", "eps_diluted"] as const),
  ...(["weighted_average_shares_basic", "weighted_average_shares_diluted"] as const),
  ...(["total_assets", "current_assets", "cash_and_equivalents", "accounts_receivable"] as const),
  ...(["inventory", "property_plant_equipment", "goodwill", "loans"] as const),
  ...(["total_liabilities", "temporary_equity", "total_equity", "liabilities_and_equity"] as const),
  "shares_outstanding",
  ...(["operating_cash_flow", "investing_cash_flow", "financing_cash_flow"] as const),
  ...(["operating_cash_flow_continuing", "investing_cash_flow_continuing"] as const),
  ...(["financing_cash_flow_continuing", "exchange_rate_effect", "net_change_in_cash"] as const),
] as const satisfies readonly StatementLine[];
export type ComparedLine = (typeof COMPARED_LINES)[number];
const COMPARED: ReadonlySet<string> = new Set(COMPARED_LINES);
export const isCompared = (line: string): line is ComparedLine => COMPARED.has(line);

export interface LineSpec {
  readonly line: StatementLine;
  /** The line where its figures are compared with those of others; null for the other lines. */
  readonly compared: ComparedLine | null;
  readonly statement: Statement;
  readonly kind: LineKind;
  /** True for a state on a day, false for a flow over a period. */
  readonly instant: boolean;
  /** True when the line cannot be negative; a negative value has the wrong sign. */
  readonly positive: boolean;
  /** True for a cost, payment or liability: positive by its definition, and filed as a credit by some. */
  readonly isCharge: boolean;
  readonly candidates: readonly Candidate[];
}

/**
 * Share count on the cover of a report. Missing for filers with several classes, which give a count for each
 * class.
 */
export const COVER_SHARES = "dei:EntityCommonStockSharesOutstanding";

/** A tag without conditions, or a candidate. */
export type Entry = string | Candidate;
const SHARES = /^(?:weighted_average_shares_|shares_outstanding)/;
export const kindOf = (line: string, statement: Statement): LineKind => {
  if (SHARES.test(line)) return "shares";
  if (line.startsWith("eps_")) return "per_share";
  return statement === "balance_sheet" ? "stock" : "flow";
};

/** Counts and assets, which are reported as positive amounts. */
export const POSITIVE: ReadonlySet<string> = new Set<StatementLine>([
  ...(["weighted_average_shares_basic", "weighted_average_shares_diluted", "shares_outstanding"] as const),
  ...(["total_assets", "current_assets", "inventory"] as const),
  ...(["property_plant_equipment", "goodwill", "intangible_assets"] as const),
]);
/** Costs, payments and liabilities. Tax, provisions and equity may truly be negative. */
export const CHARGES: ReadonlySet<string> = new Set<StatementLine>([
  ...(["cost_of_revenue", "research_and_development", "selling_general_administrative"] as const),
  ...(["operating_expenses", "interest_expense", "noninterest_expense"] as const),
  ...(["policyholder_benefits", "costs_and_expenses", "selling_and_marketing"] as const),
  ...(["general_and_administrative", "total_liabilities", "current_liabilities"] as const),
  ...(["accounts_payable", "short_term_debt", "long_term_debt", "deferred_revenue"] as const),
  ...(["short_term_borrowings", "long_term_debt_current", "temporary_equity"] as const),
  ...(["liabilities_and_equity", "deposits", "capital_expenditure", "dividends_paid"] as const),
  ...(["share_repurchases", "depreciation_amortization", "stock_based_compensation"] as const),
  ...CASH_FLOW_PARTS,
  ...BALANCE_PARTS.filter((line) => !/^(?:utility|cash|preferred)_/.test(line)),
]);
