// Derives quarters by exact subtraction: the second from six months, the third from nine, the fourth from the
// year.
import {
  agree,
  dateOfDay,
  type FigureWarning,
  type FinancialFact,
  lineKind,
  monthsOfDays,
  readDayNumber,
  roundingOf,
  type StatementLine,
} from "../../../providers/edgar/index.ts";
import { withLines } from "./derived-lines.ts";
import type { FiscalLabels } from "./fiscal-labels.ts";
import { isSuspect, type Moments, type PeriodReports, type Report, SAME_DAYS } from "./periods.ts";
import type { FigureSource, Row } from "./records.ts";
import { filedOf, latestMoment, sourceOf, statementRow } from "./rows.ts";
import { isMoney, roundingOfReport, statingReports, type Vintage } from "./vintage.ts";

const MONTHS_BETWEEN = 3;
/** The code of a warning about lines of a quarter for which both operands are reported, but not alike. */
export const NOT_DERIVED = "quarter_not_derived";
const NAMES = { 6: "Q2", 9: "Q3", 12: "Q4" } as const;
type LongMonths = keyof typeof NAMES;

const isLong = (months: number | null): months is LongMonths => months !== null && months in NAMES;

/** A figure of a period with the report that gives it. */
interface Stated {
  readonly fact: FinancialFact;
  readonly report: Report;
  readonly value: number;
}

/** A line of a period as each periodic report gives it, oldest first, without figures in doubt. */
export const statedOf = ({ reports }: PeriodReports, line: StatementLine): readonly Stated[] =>
  reports.flatMap((report) => {
    const fact = report.facts.get(line);
    return fact && report.isPeriodic && !isSuspect(fact) ? [{ fact, report, value: fact.value }] : [];
  });

/** Whether two reports state a figure alike: amounts up to their rounding, figures per share exactly. */
export const isSameFigure = (a: Stated, b: Stated): boolean =>
  isMoney(a.fact.line)
    ? agree(a.value, b.value, Math.max(roundingOfReport(a.report), roundingOfReport(b.report)))
    : a.value === b.value;

/**
 * The figure as each report states it, oldest first; empty when reports disagree. Subtracting a restated from
 * an unrestated number would give neither.
 */
function agreedFigures(
  group: PeriodReports,
  line: StatementLine,
  vintage: Vintage,
): readonly FinancialFact[] {
  const stated = statedOf(group, line);
  const [first] = stated;
  if (!first) return [];
  if (vintage === "first") return [first.fact];
  return stated.every((one) => isSameFigure(one, first)) ? stated.map(({ fact }) => fact) : [];
}

const isUnproven = ({ flags }: FinancialFact): boolean => flags.includes("sign_unproven");

/**
 * Whether two figures may be subtracted: another tag may mean something else, another currency does, and of
 * two signs only one may be the true one.
 */
const isAlike = (a: FinancialFact, b: FinancialFact): boolean =>
  a.tag === b.tag && a.taxonomy === b.taxonomy && a.unit === b.unit && isUnproven(a) === isUnproven(b);

/**
 * The difference of the pair of comparable figures that was known first. A tag changed in mid-year has no
 * such pair until the figures are stated again a year later.
 */
function difference(
  longs: readonly FinancialFact[],
  shorts: readonly FinancialFact[],
  moments: Moments,
): { value: number; source: FigureSource } | null {
  const ms = (fact: FinancialFact) => moments.of(fact).ms ?? Infinity;
  const pairs = longs.flatMap((a) => shorts.filter((b) => isAlike(a, b)).map((b) => [a, b] as const));
  const known = (pair: (typeof pairs)[number]) => Math.max(...pair.map(ms));
  // `|| 0`: both may be Infinity, whose difference is NaN.
  const [first] = pairs.sort((one, other) => known(one) - known(other) || 0);
  if (!first) return null;
  const [a, b] = first;
  const known_at = latestMoment(first.map((fact) => moments.of(fact).known_at));
  const { filed_value: _, ...source } = sourceOf(a, moments);
  const operands = first.map((fact) => ({ ...fact, ...filedOf(fact) }));
  return { value: a.value - b.value, source: { ...source, known_at, operation: "difference", operands } };
}

/** The period that starts with `long` and is three months shorter. */
function shorterOf(long: Report, groups: readonly PeriodReports[]): PeriodReports | undefined {
  const { startDay, endDay, months } = long.period;
  if (startDay === null || months === null) return undefined;
  return groups.find((group) => {
    const period = statingReports(group)[0]?.period;
    if (!period || period.months !== months - MONTHS_BETWEEN || period.startDay === null) return false;
    const isSameStart = Math.abs(period.startDay - startDay) <= SAME_DAYS;
    return isSameStart && monthsOfDays(endDay - period.endDay) === MONTHS_BETWEEN;
  });
}

/** How quarters are derived. */
interface Deriving {
  readonly vintage: Vintage;
  readonly labels: FiscalLabels;
  readonly moments: Moments;
}

/** The last quarter of a period; null when for every line an operand is missing, restated or in doubt. */
function lastQuarter<L extends StatementLine>(
  long: PeriodReports,
  short: PeriodReports,
  lines: readonly L[],
  { vintage, labels, moments }: Deriving,
): Row<L> | null {
  const figures = new Map<L, { value: number; source: FigureSource }>();
  for (const line of lines) {
    if (lineKind(line) !== "flow") continue;
    const figure = difference(
      agreedFigures(long, line, vintage),
      agreedFigures(short, line, vintage),
      moments,
    );
    if (figure) figures.set(line, figure);
  }
  const [whole, part] = [statingReports(long)[0], statingReports(short)[0]];
  const [fact] = whole?.facts.values() ?? [];
  if (figures.size === 0 || !whole || !part || !fact || !isLong(whole.period.months)) return null;
  const place = labels.of(fact);
  return statementRow(
    {
      statement: long.statement,
      fiscal_year: place.fiscal_year,
      label_source: place.label_source,
      fiscal_period: place.fiscal_period === "FY" ? "Q4" : NAMES[whole.period.months],
      period_start_date: dateOfDay(part.period.endDay + 1),
      period_end_date: whole.period.end,
      period_type: "quarterly",
      period_months: MONTHS_BETWEEN,
      basis: "derived",
      form: whole.form,
      filed_date: whole.filed_date,
      accession_number: whole.accession_number,
      currency: whole.currency,
      source: whole.source,
    },
    lines,
    (line) => figures.get(line),
  );
}

/**
 * Lines that both periods have and that the quarter lacks: a later report states one of them differently, or
 * under another tag.
 */
function notDerived<L extends StatementLine>(
  [long, short]: readonly [PeriodReports, PeriodReports],
  lines: readonly L[],
  row: Row<L> | null,
): readonly L[] {
  const has = ({ reports }: PeriodReports, line: L) =>
    reports.some(({ facts, isPeriodic }) => {
      const fact = isPeriodic ? facts.get(line) : undefined;
      return fact !== undefined && !isSuspect(fact);
    });
  return lines.filter(
    (line) =>
      lineKind(line) === "flow" && (row?.items[line] ?? null) === null && has(long, line) && has(short, line),
  );
}

/**
 * A warning about the lines, with the newest report of either period: without it they may have been derived.
 */
function notDerivedWarnings(
  { period }: Report,
  reports: readonly Report[],
  lines: readonly StatementLine[],
): FigureWarning[] {
  const periodic = reports.filter(({ isPeriodic }) => isPeriodic);
  const [newest] = periodic.sort((a, b) => (a.filed_date < b.filed_date ? 1 : -1));
  if (lines.length === 0 || !newest) return [];
  const names = lines.map((line) => line.replaceAll("_", " ")).join(", ");
  return [
    {
      code: NOT_DERIVED,
      line: null,
      period_end: period.end,
      accession_number: newest.accession_number,
      detail: `Of the quarter to ${period.end} these lines are not derived, because reports state the ${period.months} or the first ${(period.months ?? 0) - MONTHS_BETWEEN} months differently, or under different tags: ${names}.`,
    },
  ];
}

/** True when two rows of a period have a figure in common, and none that differs beyond its rounding. */
function areAlike<L extends StatementLine>(a: Row<L>, b: Row<L>): boolean {
  const numbers = [a, b].flatMap(({ items }) =>
    Object.values<number | null>(items).filter((n) => n !== null),
  );
  const shared = Object.entries<number | null>(a.items).flatMap(([line, value]) => {
    const other = b.items[line as L] ?? null;
    return value === null || other === null ? [] : [agree(value, other, 2 * roundingOf(numbers))];
  });
  return shared.length > 0 && !shared.includes(false);
}

/** The reported quarter with the lines that it lacks and the difference has, where the two are alike. */
function completed<L extends StatementLine>(quarter: Row<L>, difference: Row<L> | null): Row<L> {
  if (!difference || quarter.currency !== difference.currency || !areAlike(quarter, difference))
    return quarter;
  const missing = Object.entries<FigureSource | undefined>(difference.sources).flatMap(([line, source]) => {
    const value = difference.items[line as L];
    return source && quarter.items[line as L] === null && value !== null
      ? [[line, { value, source }] as const]
      : [];
  });
  return withLines(quarter, new Map(missing));
}

/**
 * Derives the quarters of a statement that no report states, and the lines that a reported quarter lacks;
 * `warnings` names the lines of the former for which both operands are reported but not alike. The reported
 * rows are given back with what was added to them.
 */
export function deriveQuarters<L extends StatementLine>(
  groups: readonly PeriodReports[],
  lines: readonly L[],
  reported: readonly Row<L>[],
  deriving: Deriving,
): {
  readonly reported: readonly Row<L>[];
  readonly rows: readonly Row<L>[];
  readonly warnings: readonly FigureWarning[];
} {
  const quarters = new Map(reported.map((row) => [row, row]));
  const statedTo = (endDay: number) =>
    reported.find(
      ({ period_months, period_end_date }) =>
        period_months === MONTHS_BETWEEN &&
        Math.abs((readDayNumber(period_end_date) ?? 0) - endDay) <= SAME_DAYS,
    );
  const rows: Row<L>[] = [];
  const warnings: FigureWarning[] = [];
  for (const long of groups) {
    const whole = statingReports(long)[0];
    const [fact] = whole?.facts.values() ?? [];
    // Only parts of a fiscal year: no trailing months, no transition periods.
    if (!whole || !fact || !deriving.labels.of(fact).fiscal_period || !isLong(whole.period.months)) continue;
    const short = shorterOf(whole, groups);
    if (!short) continue;
    const row = lastQuarter(long, short, lines, deriving);
    const quarter = statedTo(whole.period.endDay);
    if (quarter) {
      quarters.set(quarter, completed(quarter, row));
      continue;
    }
    if (row) rows.push(row);
    warnings.push(
      ...notDerivedWarnings(
        whole,
        [...long.reports, ...short.reports],
        notDerived([long, short], lines, row),
      ),
    );
  }
  return { reported: [...quarters.values()], rows, warnings };
}
