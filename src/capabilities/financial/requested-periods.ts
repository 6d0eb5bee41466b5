// Resolves which periods a request selects: by the days on which a period may end, or by fiscal quarter
// labels.
import { newYorkDate } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import { windowEnd } from "../../market/known-at.ts";
import {
  type DateRange,
  type Period,
  quarterRange,
  resolveTimeSpan,
  type TimeSelection,
  type TimeSpan,
} from "../../market/time-span.ts";
import { InvalidRequest } from "../../platform/errors.ts";

/**
 * Resolves the requested span. A fiscal quarter may lie ahead of the calendar: the fiscal year 2027 of many
 * retailers begins in February 2026. Throws InvalidRequest `conflicting_time_selection` or
 * `invalid_date_range`.
 */
export function resolveSpan(
  selection: TimeSelection,
  { asOf, now }: { readonly asOf: Temporal.Instant | null; readonly now: Temporal.Instant },
  fallback: Period | undefined,
): TimeSpan {
  const end = windowEnd(asOf, now);
  const today = newYorkDate(end);
  const ahead = Temporal.PlainDate.from(today).add({ years: 1 }).toString();
  const result = resolveTimeSpan(selection, {
    today,
    isPast: Temporal.Instant.compare(end, now) < 0,
    quartersUntil: ahead,
    ...(fallback ? { default: fallback } : {}),
  });
  if (!result.ok) throw new InvalidRequest(result.code, result.detail);
  return result.span;
}

/** The fields that place a statement row in time. */
export interface DatedRow {
  readonly fiscal_year: number | null;
  readonly fiscal_period: string | null;
  readonly period_end_date: string;
}

const endsWithin = ({ period_end_date: end }: DatedRow, ranges: readonly DateRange[]) =>
  ranges.some((range) => (range.start === null || range.start <= end) && end <= range.end);

/**
 * The label of the fiscal quarter with which a row's period ends. A fiscal year ends with its fourth quarter.
 */
function labelOf({ fiscal_year, fiscal_period }: DatedRow): string | null {
  if (fiscal_year === null || fiscal_period === null) return null;
  return `${fiscal_year}${fiscal_period === "FY" ? "Q4" : fiscal_period}`;
}

/**
 * A filter for the rows of a span. A quarter label that none of the company's rows has means the calendar
 * quarter, so that quarters also work for a company whose fiscal years are unknown.
 */
export function requestedRows(span: TimeSpan, rows: readonly DatedRow[]): (row: DatedRow) => boolean {
  if (span.quarters === null) return (row) => endsWithin(row, span.ranges);
  const existing = new Set(rows.map(labelOf));
  const labels = new Set<string | null>(span.quarters.filter((label) => existing.has(label)));
  const calendar = span.quarters
    .filter((label) => !existing.has(label))
    .map(quarterRange)
    .filter((range) => range !== null);
  return (row) => labels.has(labelOf(row)) || endsWithin(row, calendar);
}

/** A row with the days of its period. */
export interface SpannedRow extends DatedRow {
  readonly period_start_date: string | null;
  readonly period_months: number | null;
}

/**
 * The first day of the quarter that the rows belong to: of their three months, else three months before their
 * end.
 */
// Rows from 1 February to 2 May begin on 1 February; a balance sheet of 2 May alone makes it 3 February.
function quarterStart(rows: readonly SpannedRow[], end: string): string {
  const starts = rows.flatMap(({ period_months, period_start_date }) =>
    period_months === 3 && period_start_date !== null ? [period_start_date] : [],
  );
  const [first] = starts.sort();
  if (first !== undefined) return first;
  const next = Temporal.PlainDate.from(addDays(end, 1));
  return next.subtract({ months: 3 }).toString();
}

/**
 * The days of a span as an answer states them. A quarter label that the company's rows have means the days of
 * that fiscal quarter, any other the calendar quarter.
 */
export function requestedDays(
  span: TimeSpan,
  rows: readonly SpannedRow[],
): { readonly start: string | null; readonly end: string } {
  if (span.quarters === null) return { start: span.start, end: span.end };
  const byLabel = Map.groupBy(rows, labelOf);
  const days = span.quarters.flatMap((label): { start: string; end: string }[] => {
    const own = byLabel.get(label) ?? [];
    const end = own
      .map(({ period_end_date }) => period_end_date)
      .sort()
      .at(-1);
    if (end !== undefined) return [{ start: quarterStart(own, end), end }];
    const range = quarterRange(label);
    return range ? [range] : [];
  });
  const starts = days.map(({ start }) => start).sort();
  const ends = days.map(({ end }) => end).sort();
  return { start: starts[0] ?? span.start, end: ends.at(-1) ?? span.end };
}
