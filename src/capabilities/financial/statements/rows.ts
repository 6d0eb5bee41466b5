// Builds the row of a period: its head from the report it is taken from, a value and a source for each line.
import {
  type FinancialFact,
  isTransitionForm,
  type Statement,
  type StatementLine,
} from "../../../providers/edgar/index.ts";
import type { FiscalLabels } from "./fiscal-labels.ts";
import type { Moments, Report } from "./periods.ts";
import type { FigureSource, Row, SignedOperand } from "./records.ts";
import type { ChosenReports } from "./vintage.ts";

/** The number as the report gives it, where its sign is reversed. */
export const filedOf = ({ value, flags }: FinancialFact) =>
  flags.includes("reversed_sign") ? { filed_value: -value } : {};

export function sourceOf(fact: FinancialFact, moments: Moments): FigureSource {
  const { tag, taxonomy, accession_number, form, filed_date, period_end, unit, split_basis, flags } = fact;
  const { known_at } = moments.of(fact);
  return {
    tag,
    taxonomy,
    accession_number,
    form,
    filed_date,
    known_at,
    period_end,
    unit,
    split_basis,
    operation: null,
    operands: null,
    ...filedOf(fact),
    ...(flags.includes("sign_unproven") ? { isSignUnproven: true as const } : {}),
  };
}

/**
 * The reported figures that a figure of the row is made of, each with the sign with which it is added:
 * itself, or the operands from which it is derived.
 */
export function signedOperands<L extends StatementLine>(row: Row<L>, line: L, sign: 1 | -1): SignedOperand[] {
  const [value, source] = [row.items[line], row.sources[line]];
  if (value === null || !source) return [];
  if (source.operands)
    return source.operands.map((operand, nth) => {
      const own = operand.sign ?? (source.operation === "difference" && nth > 0 ? -1 : 1);
      return { ...operand, sign: own === sign ? 1 : -1 };
    });
  return [{ ...source, value, period_start: row.period_start_date, sign }];
}

const isLater = (a: string, b: string): boolean =>
  Temporal.Instant.compare(Temporal.Instant.from(a), Temporal.Instant.from(b)) > 0;

/** The latest of the moments; null when any of them is unknown. */
export function latestMoment(moments: readonly (string | null)[]): string | null {
  let latest: string | null = null;
  for (const moment of new Set(moments)) {
    if (moment === null) return null;
    if (latest === null || isLater(moment, latest)) latest = moment;
  }
  return latest;
}

/** The fields of a row other than its figures. */
export type RowHead = Omit<Row, "items" | "sources" | "known_at" | "split_basis" | "derived_lines">;

/**
 * Dates, length and label of a period's row; null for a period that is not a part of a fiscal year, unless a
 * report is about it.
 *
 * @param reports all reports of the period
 */
export function headOf(
  statement: Statement,
  { base }: ChosenReports,
  labels: FiscalLabels,
  reports: readonly Report[],
): RowHead | null {
  const { period, form, facts } = base;
  const [fact] = facts.values();
  if (!fact) return null;
  const { fiscal_year, fiscal_period, label_source } = labels.of(fact);
  const isOwn = reports.some((report) => report.isOwn);
  const isTransition =
    fiscal_period === null &&
    period.months !== 12 &&
    reports.some(({ isAtEnd, form: other }) => isAtEnd && isTransitionForm(other));
  // Trailing twelve months, half years that begin in mid-year, and odd lengths that no report is about.
  const isUnlabelled = fiscal_period === null && period.months !== 3 && !isOwn;
  if (statement !== "balance_sheet" && !isTransition && isUnlabelled) return null;
  const isAnnual = fiscal_period === "FY" || isTransition;
  return {
    statement,
    fiscal_year,
    label_source,
    fiscal_period: quarterOf(fiscal_period),
    period_start_date: period.start,
    period_end_date: period.end,
    period_type: isAnnual ? "annual" : "quarterly",
    period_months: period.months,
    basis: "reported",
    form,
    filed_date: base.filed_date,
    accession_number: base.accession_number,
    currency: base.currency,
    source: base.source,
  };
}

function quarterOf(period: FinancialFact["fiscal_period"]): Row["fiscal_period"] {
  if (period === "6M") return "Q2";
  return period === "9M" ? "Q3" : period;
}

/** The latest of the bases: figures of one row are of reports with no split between them. */
const splitBasisOf = (sources: readonly FigureSource[]): string | null =>
  sources
    .flatMap(({ split_basis }) => split_basis ?? [])
    .sort()
    .at(-1) ?? null;

/** A row with every line of its statement; a line without a figure is null. */
export function statementRow<L extends StatementLine>(
  head: RowHead,
  lines: readonly L[],
  figureOf: (line: L) => { readonly value: number; readonly source: FigureSource } | undefined,
): Row<L> {
  const figures = lines.map((line) => [line, figureOf(line)] as const);
  const items = Object.fromEntries(figures.map(([line, figure]) => [line, figure?.value ?? null]));
  const sources = Object.fromEntries(
    figures.flatMap(([line, figure]) => (figure ? [[line, figure.source] as const] : [])),
  );
  return {
    ...head,
    split_basis: splitBasisOf(Object.values(sources)),
    known_at: latestMoment(Object.values(sources).map(({ known_at }) => known_at)),
    items: items as Record<L, number | null>,
    sources: sources as Partial<Record<L, FigureSource>>,
    derived_lines: head.basis === "derived" ? Object.keys(sources) : [],
  };
}
