// One row per period: the report it is taken from, and from where a figure comes that this report lacks.
import {
  agree,
  type FinancialFact,
  isTransitionForm,
  lineKind,
  roundingOf,
  type Statement,
  type StatementLine,
} from "../../../providers/edgar/index.ts";
import { isSuspect, type Moments, type PeriodReports, type Report } from "./periods.ts";
import type { FigureSource, Row } from "./records.ts";

export type Vintage = "latest" | "first";

/** A period with the report it is shown by. */
export interface ShownPeriod {
  readonly base: Report;
  /** Reports a missing figure may come from, in this order. */
  readonly others: readonly Report[];
}

/** Periodic reports that state the period; other filings only where there is none of them. */
export function statingReports({ reports }: PeriodReports): readonly Report[] {
  const stating = reports.filter(({ states }) => states);
  const periodic = stating.filter(({ isPeriodic }) => isPeriodic);
  return periodic.length > 0 ? periodic : stating;
}

/** Null when no report states the period. The first vintage stands alone; the latest may lean on those before it. */
export function showPeriod(group: PeriodReports, vintage: Vintage): ShownPeriod | null {
  const stating = statingReports(group);
  const base = vintage === "first" ? stating[0] : stating.at(-1);
  if (!base) return null;
  if (vintage === "first") return { base, others: [] };
  const before = group.reports.slice(0, group.reports.indexOf(base));
  return { base, others: before.filter((r) => r.isPeriodic && r.currency === base.currency).reverse() };
}

const MONEY_KINDS = ["flow", "stock"];
const isMoney = (line: StatementLine) => MONEY_KINDS.includes(lineKind(line));

const roundingOfReport = ({ facts }: Report): number =>
  roundingOf([...facts.values()].filter(({ line }) => isMoney(line)).map(({ value }) => value));

/**
 * True when a report has figures of `shown` and none differs: the period was not restated between the two. Quarters
 * rounded to add up to their year may differ by a unit.
 */
function supports(
  report: Report,
  shown: ReadonlyMap<StatementLine, FinancialFact>,
  rounding: number,
): boolean {
  let shared = 0;
  for (const [line, fact] of shown) {
    const other = report.facts.get(line);
    if (!other || !isMoney(line) || isSuspect(other)) continue;
    if (!agree(fact.value, other.value, 2 * rounding)) return false;
    shared++;
  }
  return shared > 0;
}

/** Shares and per-share figures of a report, if it states none of those shown differently (a split lies between). */
function sharesAgree(report: Report, shown: ReadonlyMap<StatementLine, FinancialFact>): boolean {
  return [...shown].every(([line, fact]) => {
    const other = report.facts.get(line);
    return isMoney(line) || !other || isSuspect(other) || other.value === fact.value;
  });
}

export interface Figures {
  readonly shown: Map<StatementLine, FinancialFact>;
  /** Older reports that have more, and state the period otherwise. */
  readonly differing: readonly Report[];
}

/** The figures of a period: its report's, and what older reports add that agree with it on all they share. */
export function figuresOf({ base, others }: ShownPeriod): Figures {
  const shown = new Map([...base.facts].filter(([, fact]) => !isSuspect(fact)));
  const differing: Report[] = [];
  const baseRounding = roundingOfReport(base);
  for (const other of others) {
    const findMissing: [StatementLine, FinancialFact][] = [];
    for (const [line, fact] of other.facts)
      if (!shown.has(line) && !isSuspect(fact)) findMissing.push([line, fact]);
    if (findMissing.length === 0) continue;
    if (!supports(other, shown, Math.max(baseRounding, roundingOfReport(other)))) {
      if (other.states) differing.push(other);
      continue;
    }
    const withShares = sharesAgree(other, shown);
    for (const [line, fact] of findMissing) if (withShares || isMoney(line)) shown.set(line, fact);
  }
  return { shown, differing };
}

export function sourceOf(fact: FinancialFact, moments: Moments): FigureSource {
  const { tag, taxonomy, accession_number, form, filed_date, period_end, unit, split_basis } = fact;
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
    operands: null,
  };
}

const isLater = (a: string, b: string): boolean =>
  Temporal.Instant.compare(Temporal.Instant.from(a), Temporal.Instant.from(b)) > 0;

/** The latest of some moments; null as soon as one is unknown. */
export function latestMoment(moments: readonly (string | null)[]): string | null {
  let latest: string | null = null;
  for (const moment of new Set(moments)) {
    if (moment === null) return null;
    if (latest === null || isLater(moment, latest)) latest = moment;
  }
  return latest;
}

/** What stands in a row beside its figures. */
export type RowHead = Omit<Row, "items" | "sources" | "known_at">;

/** Length and label of a period as a row; null for lengths that are no part of a fiscal year. */
export function headOf(statement: Statement, { base }: ShownPeriod): RowHead | null {
  const { period, form, facts } = base;
  const [fact] = facts.values();
  if (!fact) return null;
  const isTransition = fact.fiscal_period === null && isTransitionForm(form);
  if (statement !== "balance_sheet" && !isTransition) {
    if (period.months === null) return null;
    // Twelve trailing months, halves that begin in mid-year.
    if (fact.fiscal_period === null && period.months !== 3) return null;
  }
  const isAnnual = fact.fiscal_period === "FY" || isTransition;
  return {
    statement,
    fiscal_year: fact.fiscal_year,
    fiscal_period: quarterOf(fact.fiscal_period),
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

/** A row of every line of its statement; lines without a figure are null. */
export function rowOf<L extends StatementLine>(
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
    known_at: latestMoment(Object.values(sources).map(({ known_at }) => known_at)),
    items: items as Record<L, number | null>,
    sources: sources as Partial<Record<L, FigureSource>>,
  };
}
