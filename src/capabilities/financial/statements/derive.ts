// Quarters that follow by exact subtraction: the second from six months, the third from nine, the fourth from the year.
import {
  agree,
  dateOfDay,
  type FinancialFact,
  lineKind,
  monthsOfDays,
  roundingOf,
  type StatementLine,
} from "../../../providers/edgar/index.ts";
import { isSuspect, type Moments, type PeriodReports, type Report } from "./periods.ts";
import type { FigureSource, Row } from "./records.ts";
import { latestMoment, rowOf, sourceOf, statingReports, type Vintage } from "./rows.ts";

/** Days by which the starts of two periods of one fiscal year may be written differently. */
const SAME_START_DAYS = 4;
const MONTHS_BETWEEN = 3;
const NAMES = { 6: "Q2", 9: "Q3", 12: "Q4" } as const;
type LongMonths = keyof typeof NAMES;

const isLong = (months: number | null): months is LongMonths => months !== null && months in NAMES;

/**
 * The figure as reports state it, the first one first, provided that no report known says otherwise: a difference between
 * a restated and an unrestated number would be neither.
 */
function settled(group: PeriodReports, line: StatementLine, vintage: Vintage): readonly FinancialFact[] {
  const told = group.reports.flatMap((report) => {
    const fact = report.facts.get(line);
    return fact && report.isPeriodic && !isSuspect(fact) ? [{ fact, report }] : [];
  });
  const [first] = told;
  if (!first) return [];
  if (vintage === "first") return [first.fact];
  const values = (report: Report) => [...report.facts.values()].map(({ value }) => value);
  const holds = told.every(({ fact, report }) =>
    agree(
      fact.value,
      first.fact.value,
      Math.max(roundingOf(values(report)), roundingOf(values(first.report))),
    ),
  );
  return holds ? told.map(({ fact }) => fact) : [];
}

/** Another tag may mean another thing, another currency certainly does. */
const isAlike = (a: FinancialFact, b: FinancialFact): boolean =>
  a.tag === b.tag && a.taxonomy === b.taxonomy && a.unit === b.unit;

/** The difference of the two that are alike and were known first: a tag changed in mid-year is told anew a year later. */
function difference(
  longs: readonly FinancialFact[],
  shorts: readonly FinancialFact[],
  moments: Moments,
): { value: number; source: FigureSource } | null {
  const ms = (fact: FinancialFact) => moments.of(fact).ms ?? Infinity;
  const pairs = longs.flatMap((a) => shorts.filter((b) => isAlike(a, b)).map((b) => [a, b] as const));
  const known = (pair: (typeof pairs)[number]) => Math.max(...pair.map(ms));
  // Both may never be known.
  const [first] = pairs.sort((one, other) => known(one) - known(other) || 0);
  if (!first) return null;
  const [a, b] = first;
  const known_at = latestMoment(first.map((fact) => moments.of(fact).known_at));
  return { value: a.value - b.value, source: { ...sourceOf(a, moments), known_at, operands: [a, b] } };
}

/** The period three months shorter that begins with `long`. */
function shorterOf(long: Report, groups: readonly PeriodReports[]): PeriodReports | undefined {
  const { startDay, endDay, months } = long.period;
  if (startDay === null || months === null) return undefined;
  return groups.find((group) => {
    const period = statingReports(group)[0]?.period;
    if (!period || period.months !== months - MONTHS_BETWEEN || period.startDay === null) return false;
    const isSameStart = Math.abs(period.startDay - startDay) <= SAME_START_DAYS;
    return isSameStart && monthsOfDays(endDay - period.endDay) === MONTHS_BETWEEN;
  });
}

/** The quarter a period ends with; null where an operand is missing, restated or in doubt for every line. */
function lastQuarter<L extends StatementLine>(
  long: PeriodReports,
  short: PeriodReports,
  lines: readonly L[],
  vintage: Vintage,
  moments: Moments,
): Row<L> | null {
  const figures = new Map<L, { value: number; source: FigureSource }>();
  for (const line of lines) {
    if (lineKind(line) !== "flow") continue;
    const figure = difference(settled(long, line, vintage), settled(short, line, vintage), moments);
    if (figure) figures.set(line, figure);
  }
  const [whole, part] = [statingReports(long)[0], statingReports(short)[0]];
  const [label] = whole?.facts.values() ?? [];
  if (figures.size === 0 || !whole || !part || !label || !isLong(whole.period.months)) return null;
  return rowOf(
    {
      statement: long.statement,
      fiscal_year: label.fiscal_year,
      fiscal_period: NAMES[whole.period.months],
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

/** Derived quarters of a statement, of those that no report states. `reported` are its reported rows. */
export function deriveQuarters<L extends StatementLine>(
  groups: readonly PeriodReports[],
  lines: readonly L[],
  vintage: Vintage,
  reported: readonly Row<L>[],
  moments: Moments,
): Row<L>[] {
  const stated = new Set(
    reported.filter(({ period_months }) => period_months === 3).map((row) => row.period_end_date),
  );
  return groups.flatMap((long) => {
    const whole = statingReports(long)[0];
    const [label] = whole?.facts.values() ?? [];
    // Only parts of a fiscal year: neither trailing months nor transition periods.
    if (!whole || !label?.fiscal_period || !isLong(whole.period.months)) return [];
    if (stated.has(whole.period.end)) return [];
    const short = shorterOf(whole, groups);
    const row = short ? lastQuarter(long, short, lines, vintage, moments) : null;
    return row ? [row] : [];
  });
}
