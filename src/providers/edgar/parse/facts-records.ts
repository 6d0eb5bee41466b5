// The records of reported figures: one figure of one filing (long form), the statement rows chosen from them, their metrics.

/** Money per period, money at a date, money per share, or a count of shares. */
export type LineKind = "flow" | "stock" | "per_share" | "shares";
export type Statement = "income_statement" | "balance_sheet" | "cash_flow";

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
  // Beside the contract's items: what belongs to all owners, and the lines banks and insurers have instead.
  "net_income_with_noncontrolling",
  "net_interest_income",
  "noninterest_income",
  "noninterest_expense",
  "provision_for_credit_losses",
  "premiums_earned",
  "net_investment_income",
  "policyholder_benefits",
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
  // Beside the contract's items: the parts of short-term debt where no total is reported, and of the right-hand side.
  "short_term_borrowings",
  "long_term_debt_current",
  "parent_equity",
  "noncontrolling_interest",
  "temporary_equity",
  "liabilities_and_equity",
  "loans",
  "deposits",
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
] as const;

export type IncomeLine = (typeof INCOME_LINES)[number];
export type BalanceLine = (typeof BALANCE_LINES)[number];
export type CashFlowLine = (typeof CASH_FLOW_LINES)[number];
export type StatementLine = IncomeLine | BalanceLine | CashFlowLine;

/** "6M" and "9M" are the year to date at the end of the second and third quarter. */
export type FiscalPeriod = "Q1" | "Q2" | "Q3" | "Q4" | "FY" | "6M" | "9M";

/**
 * suspect_scale: a thousand or a million times off its neighbours. suspect_context: the number of another period stands
 * in it. suspect_sign: below zero where nothing can be. conflicting: the filing gives two different numbers for it.
 * proxy_form: not of a report but of a proxy statement or an employees' plan. other_form: of a current report or
 * prospectus. Pre-2001: primary_eps (primary or fully diluted earnings, not basic or diluted), borrowed_multiplier (the
 * schedule omits its multiplier; that of the company's others is used).
 */
export type FactFlag =
  | "suspect_scale"
  | "suspect_context"
  | "suspect_sign"
  | "conflicting"
  | "proxy_form"
  | "other_form"
  | "primary_eps"
  | "borrowed_multiplier";

/** A figure with one of these is never served in a row: the figure another report gives is, or null. */
export const SUSPECT_FLAGS: readonly FactFlag[] = [
  "suspect_scale",
  "suspect_context",
  "suspect_sign",
  "conflicting",
];

/** What a filing made of a figure that an earlier one had for the same line and period. */
export type Revision = "first" | "same" | "rounding" | "split" | "restated";

/**
 * One figure of one filing. Nothing in it depends on filings that came later, so that a company's facts are only ever
 * appended to. Key: (cik, line, period_start, period_months, period_end, accession_number).
 */
export interface FinancialFact {
  /** Ten digits. */
  readonly cik: string;
  readonly line: StatementLine;
  readonly statement: Statement;
  /** Null for balance sheets, and where a pre-2001 schedule does not state it. */
  readonly period_start: string | null;
  readonly period_end: string;
  /** Calendar year in which the fiscal year ends (ending 1 to 7 January: the year before). Null where unknown. */
  readonly fiscal_year: number | null;
  /** By the dates, never by the filing's own label; null for a length that is none of the fiscal year's parts. */
  readonly fiscal_period: FiscalPeriod | null;
  /** Null for balance sheets and for odd lengths (stubs, transition periods of some months). */
  readonly period_months: 3 | 6 | 9 | 12 | null;
  /** As reported, in whole units of `unit`, with the tag's own sign (payments are positive). */
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
   * When anybody could read the filing (`public_from` of the filings index), RFC 3339 UTC; null while not looked up.
   * `knownAt` then takes the end of the filing day for XBRL, and nothing at all for schedules of the 1990s.
   */
  readonly accepted_at: string | null;
  /** 1 = the first report with this line and period among the facts known when it was filed, then 2, … */
  readonly vintage: number;
  readonly revision: Revision;
  readonly flags: readonly FactFlag[];
  /** Share and per-share lines are stated on the share basis of this day (splits before it are in); else null. */
  readonly split_basis: string | null;
  readonly source: "xbrl" | "ex27";
}

/** From when to when a statement has figures. Dates are period ends. */
export interface StatementCoverage {
  readonly from: string | null;
  readonly to: string | null;
  /** Stretches of more than 400 days in between without any. */
  readonly gaps: readonly { readonly after: string; readonly before: string }[];
  readonly sources: readonly ("xbrl" | "ex27")[];
}
export type FactsCoverage = Readonly<Record<Statement, StatementCoverage>>;

export interface NormalisedFacts {
  /** Oldest filing first. */
  readonly facts: readonly FinancialFact[];
  readonly coverage: FactsCoverage;
  readonly warnings: readonly string[];
}

export interface NormaliseOptions {
  /** Ten digits; the file's own where it is left out. A file of another entity is refused. */
  readonly cik?: string | undefined;
  /** The last day, YYYY-MM-DD, a filing can be dated; those of later days are not read. Without it all are. */
  readonly until?: string | undefined;
  /** `public_from` of a filing, by its dashed accession number; null or undefined when not known. */
  readonly acceptedAt?: ((accession_number: string) => string | null | undefined) | undefined;
}

/** Where a figure of a row stands. */
export interface FigureSource {
  readonly tag: string;
  readonly taxonomy: string;
  readonly accession_number: string;
  readonly form: string;
  readonly filed_date: string;
  readonly known_at: string | null;
  /** The row's own end but for shares by a report's cover, which are of some weeks later. */
  readonly period_end: string;
  readonly unit: string;
  readonly split_basis: string | null;
  /** Null for a reported figure; of a derived one the minuend and the subtrahend. */
  readonly operands: readonly FinancialFact[] | null;
}

/** A statement of one period, as one report has it. */
export interface Row<L extends StatementLine = StatementLine> {
  readonly statement: Statement;
  readonly fiscal_year: number | null;
  /**
   * Quarter whose end the period shares; FY for years. Cash flows of Q2 and Q3 are mostly year to date: period_months.
   * Null for the months between an old and a new fiscal year (form 10-KT).
   */
  readonly fiscal_period: "Q1" | "Q2" | "Q3" | "Q4" | "FY" | null;
  readonly period_start_date: string | null;
  readonly period_end_date: string;
  readonly period_type: "quarterly" | "annual";
  readonly period_months: 3 | 6 | 9 | 12 | null;
  readonly basis: "reported" | "derived";
  /** The report the row is taken from; a figure it lacks may come from an older one that agrees with it, see sources. */
  readonly form: string;
  readonly filed_date: string;
  readonly accession_number: string;
  /** The latest of its figures; null when not known (see FinancialFact.accepted_at). */
  readonly known_at: string | null;
  readonly currency: string;
  readonly source: "xbrl" | "ex27";
  /** Every line of the statement; null = not reported, or withheld (see warnings). */
  readonly items: Readonly<Record<L, number | null>>;
  /** A source for each figure that is not null. */
  readonly sources: Readonly<Partial<Record<L, FigureSource>>>;
}

/** Two periods a year apart as ONE report has them, so that neither restatement nor split lies between the two. */
export interface Comparison {
  readonly period_end_date: string;
  readonly period_months: number;
  readonly accession_number: string;
  /** [this period, the one a year before]; null where the report lacks either. */
  readonly revenue: readonly [number, number] | null;
  readonly net_income: readonly [number, number] | null;
  readonly eps_diluted: readonly [number, number] | null;
}

/** Each list newest period first. */
export interface Statements {
  readonly income_statement: readonly Row<IncomeLine>[];
  readonly balance_sheet: readonly Row<BalanceLine>[];
  readonly cash_flow: readonly Row<CashFlowLine>[];
  readonly comparisons: readonly Comparison[];
  /** What was withheld and why. */
  readonly warnings: readonly string[];
}

export interface SelectOptions {
  /** Only what was known then; everything when left out. Facts whose moment is unknown are left out under it. */
  readonly as_of?: Temporal.Instant | undefined;
  /** latest: the newest periodic report that states the period. first: the oldest. Default latest. */
  readonly vintage?: "latest" | "first" | undefined;
  /** Default all. */
  readonly period_type?: "quarterly" | "annual" | "all" | undefined;
  /** Adds the quarters that follow by exact subtraction. Default false. */
  readonly include_derived?: boolean | undefined;
}

/** Fractions; null where an operand is missing or the divisor is zero. Of the row's own period, nothing annualised. */
export interface Metrics {
  readonly fiscal_year: number | null;
  readonly fiscal_period: Row["fiscal_period"];
  readonly period_end_date: string;
  readonly period_months: Row["period_months"];
  readonly basis: Row["basis"];
  readonly gross_margin: number | null;
  readonly operating_margin: number | null;
  readonly net_margin: number | null;
  readonly roe: number | null;
  readonly roa: number | null;
  readonly roic: number | null;
  readonly current_ratio: number | null;
  readonly quick_ratio: number | null;
  readonly debt_to_equity: number | null;
  readonly interest_coverage: number | null;
  readonly asset_turnover: number | null;
  readonly free_cash_flow: number | null;
  readonly fcf_margin: number | null;
  readonly revenue_growth_yoy: number | null;
  readonly net_income_growth_yoy: number | null;
  readonly eps_growth_yoy: number | null;
  readonly revenue_growth_qoq: number | null;
  readonly pe_ratio: number | null;
  readonly pb_ratio: number | null;
  readonly ps_ratio: number | null;
  readonly ev_to_ebitda: number | null;
}

/**
 * The close of the last session on or before `date`, adjusted for the splits up to and including `splitBasis` (and for
 * nothing else), in `currency`; null when there is none.
 */
export type CloseOn = (date: string, splitBasis: string, currency: string) => number | null;

/** An EX-27 as it came: the exhibit's text with the filing it belongs to. */
export interface Ex27Document {
  readonly text: string;
  /** Ten digits. */
  readonly cik: string;
  readonly accession_number: string;
  readonly form: string;
  readonly filed_date: string;
  readonly accepted_at?: string | null | undefined;
}

// Signatures:
//   facts.ts              normaliseFacts(companyFacts: unknown, options?: NormaliseOptions): NormalisedFacts
//   facts-statements.ts   selectStatements(facts: readonly FinancialFact[], options?: SelectOptions): Statements
//   facts-metrics.ts      metricsOf(statements: Statements, options?: { closeOn?: CloseOn }): Metrics[]
//   facts-coverage.ts     coverageOf(facts: readonly FinancialFact[]): Coverage
//   facts-vintage.ts      knownAt(fact: Pick<FinancialFact, "accepted_at" | "filed_date" | "source">): string | null
//   ex27.ts               normaliseEx27(documents: readonly Ex27Document[]): NormalisedFacts
// Facts of both sources of one company may be joined in one list for selectStatements and coverageOf.
