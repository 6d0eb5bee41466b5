// The records of reported figures: the statement lines, one figure of one filing, and what a source covers.

/** Money per period, money at a date, money per share, or a count of shares. */
export type LineKind = "flow" | "stock" | "per_share" | "shares";
export type Statement = "income_statement" | "balance_sheet" | "cash_flow";

/** Parts, and other totals, that filers report where an item of docs/contract.md has no figure. */
export const INCOME_PARTS = [
  "costs_and_expenses",
  "selling_and_marketing",
  "general_and_administrative",
] as const;
export const BALANCE_PARTS = [
  "commercial_paper",
  "notes_payable_current",
  "loans_payable_current",
  "convertible_debt_current",
  "line_of_credit",
  "line_of_credit_current",
  "line_of_credit_noncurrent",
  "notes_payable",
  "loans_payable",
  "long_term_notes_payable",
  "long_term_loans_payable",
  "convertible_debt_noncurrent",
  "long_term_debt_with_current",
  "deferred_revenue_noncurrent",
  "deferred_revenue_total",
  "utility_property",
  "cash_and_due_from_banks",
  "preferred_stock",
] as const;
export const CASH_FLOW_PARTS = ["depreciation", "amortization", "amortization_of_intangible_assets"] as const;
export type IncomePart = (typeof INCOME_PARTS)[number];
export type BalancePart = (typeof BALANCE_PARTS)[number];
export type CashFlowPart = (typeof CASH_FLOW_PARTS)[number];

export const INCOME_LINES = [
  "revenue",
  "cost_of_revenue",
  "gross_profit",
  "research_and_development",
  "selling_general_administrative",
  "operating_expenses",
  "operating_income",
  "interest_expense",
  "income_before_tax",
  "income_tax_expense",
  "net_income",
  "eps_basic",
  "eps_diluted",
  "weighted_average_shares_basic",
  "weighted_average_shares_diluted",
  // In addition to the items of docs/contract.md: the result of all owners, and the lines of banks and
  // insurers.
  "net_income_with_noncontrolling",
  "net_interest_income",
  "noninterest_income",
  "noninterest_expense",
  "provision_for_credit_losses",
  "premiums_earned",
  "net_investment_income",
  "policyholder_benefits",
  // Between tax and net income.
  "discontinued_operations",
  "equity_method_income",
  ...INCOME_PARTS,
] as const;

export const BALANCE_LINES = [
  "total_assets",
  "current_assets",
  "cash_and_equivalents",
  "short_term_investments",
  "accounts_receivable",
  "inventory",
  "property_plant_equipment",
  "goodwill",
  "intangible_assets",
  "total_liabilities",
  "current_liabilities",
  "accounts_payable",
  "short_term_debt",
  "long_term_debt",
  "deferred_revenue",
  "total_equity",
  "retained_earnings",
  "shares_outstanding",
  // In addition to the items of docs/contract.md: parts of short-term debt where no total is reported, and
  // parts of the balance sheet's right side.
  "short_term_borrowings",
  "long_term_debt_current",
  "parent_equity",
  "noncontrolling_interest",
  "temporary_equity",
  "liabilities_and_equity",
  "loans",
  "deposits",
  ...BALANCE_PARTS,
] as const;

export const CASH_FLOW_LINES = [
  "operating_cash_flow",
  "capital_expenditure",
  "investing_cash_flow",
  "financing_cash_flow",
  "dividends_paid",
  "share_repurchases",
  "depreciation_amortization",
  "stock_based_compensation",
  "net_change_in_cash",
  "exchange_rate_effect",
  // In addition: the parts of each activity that are reported apart, of continuing and of discontinued
  // operations.
  "operating_cash_flow_continuing",
  "investing_cash_flow_continuing",
  "financing_cash_flow_continuing",
  "operating_cash_flow_discontinued",
  "investing_cash_flow_discontinued",
  "financing_cash_flow_discontinued",
  ...CASH_FLOW_PARTS,
] as const;

export type IncomeLine = (typeof INCOME_LINES)[number];
export type BalanceLine = (typeof BALANCE_LINES)[number];
export type CashFlowLine = (typeof CASH_FLOW_LINES)[number];
export type StatementLine = IncomeLine | BalanceLine | CashFlowLine;

/**
 * Lines that are given by their meaning: reports show them in notes and in other statements too, under the
 * same tag, and the SEC's files of figures do not say where. Every other line is a line of the statement
 * itself.
 */
export const LINES_BY_MEANING: ReadonlySet<StatementLine> = new Set<StatementLine>([
  ...(["interest_expense", "equity_method_income", "provision_for_credit_losses"] as const),
  ...(["intangible_assets", "shares_outstanding", "stock_based_compensation"] as const),
  ...BALANCE_PARTS,
  ...CASH_FLOW_PARTS,
]);

/** "6M" and "9M" are the year to date at the end of the second and third quarter. */
export type FiscalPeriod = "Q1" | "Q2" | "Q3" | "Q4" | "FY" | "6M" | "9M";

/**
 * suspect_scale: a thousand or a million times off the company's earlier figures. suspect_context: the number
 * of another period. suspect_sign: negative where the line cannot be. conflicting: the filing gives two
 * different numbers. suspect_length: of the quarter or of the year to date, before 2001.
 * unproven_statement: a total of depreciation that may be a line of the income statement alone; the statement
 * as the filing presents it decides. reversed_sign: filed with the opposite sign, as the
 * statement's sums show; `value` has the true one. sign_unproven: a cost, payment or liability filed as a
 * negative number that no sum explains. proxy_form: from a proxy statement or an employees' plan.
 * other_form: from a current report or prospectus. Before 2001: primary_eps (primary or fully diluted
 * earnings, not basic or diluted), borrowed_multiplier (the schedule omits its multiplier; that of the
 * company's other schedules is used).
 */
export type FactFlag =
  | "suspect_scale"
  | "suspect_context"
  | "suspect_sign"
  | "suspect_length"
  | "unproven_statement"
  | "reversed_sign"
  | "sign_unproven"
  | "conflicting"
  | "proxy_form"
  | "other_form"
  | "primary_eps"
  | "borrowed_multiplier";

/** A figure with one of these flags is never served in a row: another report's figure is, or null. */
export const SUSPECT_FLAGS: readonly FactFlag[] = [
  "suspect_scale",
  "suspect_context",
  "suspect_sign",
  "suspect_length",
  "unproven_statement",
  "conflicting",
];

/** How a figure compares with an earlier filing's for the same line and period. */
export type Revision = "first" | "same" | "rounding" | "split" | "restated";

/**
 * One figure of one filing. No field depends on later filings, so a company's facts are only ever appended
 * to. Key: (cik, line, period_start, period_months, period_end, accession_number).
 */
export interface FinancialFact {
  /** Ten digits. */
  readonly cik: string;
  readonly line: StatementLine;
  readonly statement: Statement;
  /** Null for balance sheets, and when a schedule before 2001 does not state it. */
  readonly period_start: string | null;
  readonly period_end: string;
  /**
   * Calendar year in which the fiscal year ends (the year before if it ends on 1 to 7 January). Null when
   * unknown.
   */
  readonly fiscal_year: number | null;
  /**
   * The fiscal year that the report says it is about; filers err in it, so it is a vote only. Null when it
   * says none.
   */
  readonly filing_fiscal_year: number | null;
  /**
   * From the dates, never from the filing's own label. Null when the period is not a part of the fiscal year.
   */
  readonly fiscal_period: FiscalPeriod | null;
  /** Null for balance sheets and for odd lengths (stubs, transition periods of some months). */
  readonly period_months: 3 | 6 | 9 | 12 | null;
  /**
   * As reported, in whole units of `unit`, with the tag's own sign, or the opposite one
   * (reversed_sign).
   */
  readonly value: number;
  /** "USD", "USD/shares", "shares". */
  readonly unit: string;
  /** The currency the filing reports in, ISO 4217. Nothing is converted. */
  readonly currency: string;
  readonly tag: string;
  /** "us-gaap", "ifrs-full", "dei", "ex27". */
  readonly taxonomy: string;
  readonly accession_number: string;
  readonly form: string;
  readonly filed_date: string;
  /**
   * When the filing became public (`public_from` of the filings index), RFC 3339 UTC; null while not looked
   * up. `knownAt` then takes the end of the filing day for XBRL, and null for schedules of the 1990s.
   */
  readonly accepted_at: string | null;
  /**
   * 1 for the first report with this line and period among the facts known when it was filed, then 2, 3, …
   */
  readonly vintage: number;
  readonly revision: Revision;
  readonly flags: readonly FactFlag[];
  /** Share and per-share lines include the splits before this day; null for other lines. */
  readonly split_basis: string | null;
  readonly source: "xbrl" | "ex27";
}

/** The period for which a statement has figures. Dates are period ends. */
export interface StatementCoverage {
  readonly from: string | null;
  readonly to: string | null;
  /** Spans of more than 400 days without figures in between. */
  readonly gaps: readonly { readonly after: string; readonly before: string }[];
  readonly sources: readonly ("xbrl" | "ex27")[];
}
export type FactsCoverage = Readonly<Record<Statement, StatementCoverage>>;

/**
 * A warning about figures as data. A field is null when the warning is not about one line, period or report.
 */
export interface FigureWarning {
  /** Stable: "suspect_scale", "revenue_in_doubt", "currency_unclear", … */
  readonly code: string;
  readonly line: StatementLine | null;
  readonly period_end: string | null;
  readonly accession_number: string | null;
  /** The warning as a sentence. */
  readonly detail: string;
  /** When it came about, where that is later than its report: the warning is not known before. */
  readonly noted_at?: string | undefined;
}

export interface NormalisedFacts {
  /** Oldest filing first. */
  readonly facts: readonly FinancialFact[];
  readonly coverage: FactsCoverage;
  readonly warnings: readonly FigureWarning[];
}

export interface NormaliseOptions {
  /** Ten digits; default: the file's own. A file of another entity is refused. */
  readonly cik?: string | undefined;
  /** Filings dated after this day, YYYY-MM-DD, are not read. Default: all are. */
  readonly until?: string | undefined;
  /** Returns `public_from` of a filing by its dashed accession number; null or undefined when unknown. */
  readonly acceptedAt?: ((accession_number: string) => string | null | undefined) | undefined;
}

/** An EX-27 as filed: the exhibit's text with the filing it belongs to. */
export interface Ex27Document {
  readonly text: string;
  /** Ten digits. */
  readonly cik: string;
  readonly accession_number: string;
  readonly form: string;
  readonly filed_date: string;
  readonly accepted_at?: string | null | undefined;
}
