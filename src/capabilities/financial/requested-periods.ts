// Which periods a request means: days within which a period ends, or fiscal quarters by their label.
import { newYorkDate } from "../../market/calendar.ts";
import { parseAsOf } from "../../market/known-at.ts";
import {
  type DateRange,
  type Period,
  quarterRange,
  resolveTimeSpan,
  type TimeSelection,
  type TimeSpan,
} from "../../market/time-span.ts";
import { InvalidRequest } from "../../platform/errors.ts";

/** The moment `as_of` names; null without one. The schema has refused what is none. */
export function asOfInstant(text: string | undefined): Temporal.Instant | null {
  if (text === undefined) return null;
  const parsed = parseAsOf(text);
  if (parsed.ok) return parsed.at;
  throw new InvalidRequest("bad_request", parsed.detail);
}

/**
 * Settles which days are meant. A label of a fiscal quarter may name one that the calendar has not begun: the fiscal
 * year 2027 of many retailers begins in February 2026. Throws InvalidRequest as contract.md's selection of time says.
 */
export function resolveSpan(
  selection: TimeSelection,
  now: Temporal.Instant,
  fallback: Period | undefined,
): TimeSpan {
  const today = newYorkDate(now);
  const ahead = Temporal.PlainDate.from(today).add({ years: 1 }).toString();
  const result = resolveTimeSpan(selection, {
    today: selection.quarters ? ahead : today,
    ...(fallback ? { default: fallback } : {}),
  });
  if (!result.ok) throw new InvalidRequest(result.code, result.detail);
  return result.span;
}

/** What of a statement row places it in time. */
export interface DatedRow {
  readonly fiscal_year: number | null;
  readonly fiscal_period: string | null;
  readonly period_end_date: string;
}

const endsWithin = ({ period_end_date: end }: DatedRow, ranges: readonly DateRange[]) =>
  ranges.some((range) => (range.start === null || range.start <= end) && end <= range.end);

/** The label of the fiscal quarter with which a row's period ends: a year ends with its fourth quarter. */
function labelOf({ fiscal_year, fiscal_period }: DatedRow): string | null {
  if (fiscal_year === null || fiscal_period === null) return null;
  return `${fiscal_year}${fiscal_period === "FY" ? "Q4" : fiscal_period}`;
}

/**
 * A test for the rows a span means. A label that no row of the company bears stands for the calendar quarter of that
 * name, so that a company whose fiscal years are not known can still be asked.
 */
export function requestedRows(span: TimeSpan, rows: readonly DatedRow[]): (row: DatedRow) => boolean {
  if (span.quarters === null) return (row) => endsWithin(row, span.ranges);
  const held = new Set(rows.map(labelOf));
  const labels = new Set<string | null>(span.quarters.filter((label) => held.has(label)));
  const calendar = span.quarters
    .filter((label) => !held.has(label))
    .map(quarterRange)
    .filter((range) => range !== null);
  return (row) => labels.has(labelOf(row)) || endsWithin(row, calendar);
}
