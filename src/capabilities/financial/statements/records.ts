// The records of statements: the rows chosen from a company's facts, the options of the choice, and the metrics of a row.
import type {
  BalanceLine,
  CashFlowLine,
  FinancialFact,
  IncomeLine,
  Statement,
  StatementLine,
} from "../../../providers/edgar/index.ts";

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
