// Types of this folder: rows selected from a company's facts, the options of the selection, and metrics.
import type {
  BalanceLine,
  CashFlowLine,
  FigureWarning,
  FinancialFact,
  IncomeLine,
  Statement,
  StatementLine,
} from "../../../providers/edgar/index.ts";
import type { Presentations } from "../presentations.ts";
import type { MetricName } from "../schema-rows.ts";

/** The number that a report gives for a figure whose sign is reversed; absent for the others. */
interface Filed {
  readonly filed_value?: number;
}

/** A reported figure from which another is derived. */
export type Operand = Filed &
  Pick<
    FinancialFact,
    "value" | "unit" | "period_start" | "period_end" | "tag" | "taxonomy" | "accession_number" | "filed_date"
  > &
  Partial<Pick<FinancialFact, "split_basis"> & { readonly sign: 1 | -1 }>;

/** An operand of a signed sum. */
export interface SignedOperand extends Operand {
  /** -1: it is subtracted. */
  readonly sign: 1 | -1;
}

/** Where a figure of a row was reported. */
export interface FigureSource extends Filed {
  readonly tag: string;
  readonly taxonomy: string;
  readonly accession_number: string;
  readonly form: string;
  readonly filed_date: string;
  readonly known_at: string | null;
  /** End of the row's period; some weeks later for a share count from a report's cover. */
  readonly period_end: string;
  readonly unit: string;
  readonly split_basis: string | null;
  /** Negative where the line is positive by its definition, and no sum says why: no ratio is made of it. */
  readonly isSignUnproven?: true;
  /** Of a figure that was adjusted: the number of shares that one share of `split_basis` has become. */
  readonly split_factor?: number;
  /** How a derived figure follows from its operands; null for a reported one. */
  readonly operation: "difference" | "sum" | "signed_sum" | null;
  /** Null for a reported figure; minuend and subtrahend of a difference, the terms of a sum. */
  readonly operands: readonly Operand[] | null;
}

/**
 * Where the name of a fiscal year comes from. filings: every annual report's own. convention: the newest run
 * of annual reports that agree, because the reports' own names contradict each other. calendar: the year in
 * which it ends.
 */
export type LabelSource = "filings" | "convention" | "calendar";

/** A statement of one period, as one report has it. */
export interface Row<L extends StatementLine = StatementLine> {
  readonly statement: Statement;
  readonly fiscal_year: number | null;
  /** Who names the fiscal year so; null without one. */
  readonly label_source: LabelSource | null;
  /**
   * The quarter with whose end the period ends; FY for years. Cash flows of Q2 and Q3 are mostly for the year
   * to date, see period_months. FY for a first year of any length. Null for the months between an old and a
   * new fiscal year (form 10-KT).
   */
  readonly fiscal_period: "Q1" | "Q2" | "Q3" | "Q4" | "FY" | null;
  readonly period_start_date: string | null;
  readonly period_end_date: string;
  readonly period_type: "quarterly" | "annual" | "ttm";
  readonly period_months: 3 | 6 | 9 | 12 | null;
  readonly basis: "reported" | "derived";
  /**
   * Form of the report the row is taken from. A figure it lacks may come from an older report that agrees,
   * see sources.
   */
  readonly form: string;
  readonly filed_date: string;
  readonly accession_number: string;
  /**
   * Share counts and per-share figures of the row include the splits before this day and no later ones; null
   * in a row without such a figure. Of an adjusted row the day to which it is adjusted, the splits of that
   * day included.
   */
  readonly split_basis: string | null;
  /** When the last of its figures became known; null when unknown (see FinancialFact.accepted_at). */
  readonly known_at: string | null;
  readonly currency: string;
  readonly source: "xbrl" | "ex27";
  /** Every line of the statement; null: not reported, or withheld (see warnings). */
  readonly items: Readonly<Record<L, number | null>>;
  /** A source for each figure that is not null. */
  readonly sources: Readonly<Partial<Record<L, FigureSource>>>;
  /** The lines whose figure is derived: no report gives it. */
  readonly derived_lines: readonly string[];
}

/** Two periods a year apart as ONE report states them, so that no restatement or split lies between them. */
export interface Comparison {
  readonly period_end_date: string;
  readonly period_months: number;
  readonly accession_number: string;
  /** [this period, the one a year before]; null when the report lacks either. */
  readonly revenue: readonly [number, number] | null;
  readonly net_income: readonly [number, number] | null;
  readonly eps_diluted: readonly [number, number] | null;
}

/** Selected rows; each list has the newest period first. */
export interface Statements {
  readonly income_statement: readonly Row<IncomeLine>[];
  readonly balance_sheet: readonly Row<BalanceLine>[];
  readonly cash_flow: readonly Row<CashFlowLine>[];
  readonly comparisons: readonly Comparison[];
  /** Which figures were withheld, and why. */
  readonly warnings: readonly FigureWarning[];
}

export interface SelectOptions {
  /** Only what was known then. Excludes facts whose moment is unknown. Default: everything. */
  readonly as_of?: Temporal.Instant | undefined;
  /** latest: the newest periodic report that states the period. first: the oldest. Default latest. */
  readonly vintage?: "latest" | "first" | undefined;
  /** Default all. */
  readonly period_type?: "quarterly" | "annual" | "all" | "ttm" | undefined;
  /** Gives the balance sheet of a year's end as that of its fourth quarter. Default false. */
  readonly year_end_as_q4?: boolean | undefined;
  /** Adds quarters derived by exact subtraction. Default false. */
  readonly include_derived?: boolean | undefined;
  /** The presentations of reports, for the warnings about figures that are withheld because of them. */
  readonly presentations?: Presentations | undefined;
}

/**
 * Fractions; null when an operand is missing or the divisor is zero. For the row's own period, nothing is
 * annualised.
 */
export interface Metrics
  extends Pick<
      Row,
      "fiscal_year" | "label_source" | "fiscal_period" | "period_end_date" | "period_months" | "basis"
    >,
    Readonly<Record<MetricName, number | null>> {
  readonly null_reasons: NullReasons;
  /** The derived lines of its rows that change one of the metrics. */
  readonly derived_operands: string[];
}

/** The metrics that need a price. */
export type PriceRatio = "pe_ratio" | "pb_ratio" | "ps_ratio" | "ev_to_ebitda";

/** Why a ratio is null: one with a price, or one that a doubt or the sign of equity makes null. */
export type NullReasons = Readonly<Partial<Record<MetricName, string>>>;

/**
 * The close for the period with this end, in `currency`, on the share basis of a figure: adjusted for the
 * splits that the figure includes and for nothing else; or why there is none.
 */
export type CloseOn = (
  periodEnd: string,
  figure: FigureSource,
  currency: string,
) => { readonly close: number } | { readonly why: string };
