// Merges calendars and surprises into a company's reports: one row per report. Pure.

import { addDays } from "../../market/date.ts";
import type { ReportRow, SurpriseRow } from "./revise.ts";
import type { Report } from "./schema.ts";
import type { ReportTime } from "./sources.ts";

export type ReportEvent = Readonly<Omit<Report, "ticker">> & { readonly symbol: string };

/** Reports of one company lie at least two months apart: dates closer than this mean the same report. */
// 29 October and 12 November are two dates of one report; 29 October and 20 December are two reports.
const SAME_DAYS = 30;

export const timeOf = (text: string): ReportTime => (text === "bmo" || text === "amc" ? text : "unknown");

/** The later of two instants in the same text format. */
const laterOf = (a: string, b: string): string => [a, b].sort()[1] ?? a;

const daysBetween = (a: string, b: string) =>
  Math.abs(Temporal.PlainDate.from(a).until(Temporal.PlainDate.from(b)).total("days"));

/** No report of a quarter comes earlier than this many days after its month began. */
// Named December, a quarter of 52 weeks a year ends from 1 December on: a report of 2 December is of another,
// one of 20 December may be of it.
const REPORT_AFTER_DAYS = 7;

/** Whether the quarter of a listed report can have ended by the report's day. */
const hasEnded = ({ fiscal_quarter_end: end, report_date, report_date_end }: ReportRow) =>
  end === null || addDays(`${end.slice(0, 7)}-01`, REPORT_AFTER_DAYS) <= (report_date_end ?? report_date);

/**
 * One report of a company for each day of a source: that of the newest quarter that has ended by then. The
 * others are left out, and a warning names them.
 */
export function onePerDay(rows: readonly ReportRow[]): { rows: ReportRow[]; warnings: string[] } {
  const quarterOf = (row: ReportRow | undefined) => row?.fiscal_quarter_end ?? "";
  const keyOf = ({ symbol, source, report_date }: ReportRow) => `${symbol} ${source} ${report_date}`;
  const newest = new Map<string, ReportRow>();
  for (const row of rows.filter(hasEnded))
    if (!newest.has(keyOf(row)) || quarterOf(newest.get(keyOf(row))) < quarterOf(row))
      newest.set(keyOf(row), row);
  const left = rows.filter((row) => newest.get(keyOf(row)) !== row);
  return {
    rows: rows.filter((row) => !left.includes(row)),
    warnings: left.map(
      (row) =>
        `${row.source} lists a report of ${row.symbol} on ${row.report_date} for the quarter to ${row.fiscal_quarter_end}: ${hasEnded(row) ? "another report of that day is served" : "it cannot have ended by then, so it is left out"}.`,
    ),
  };
}

export function eventOf(row: ReportRow): ReportEvent {
  const { event: _, withdrawn: _w, as_of_date: _a, revision: _r, ...fields } = row;
  return { ...fields, report_time: timeOf(row.report_time), other_dates: [] };
}

/** A reported quarter: the report's day and figures from the surprise, the other fields from the calendar. */
function reported(row: SurpriseRow, listed: ReportEvent | undefined): ReportEvent[] {
  const report_date = row.report_date ?? listed?.report_date;
  if (report_date === undefined) return [];
  const isOther = listed !== undefined && listed.report_date !== report_date;
  return [
    {
      symbol: row.symbol,
      report_date,
      report_date_end: null,
      // The calendar's time of day holds only for the calendar's own day.
      report_time: listed && !isOther ? listed.report_time : "unknown",
      fiscal_quarter_end: row.fiscal_quarter_end,
      name: listed?.name ?? null,
      eps_estimate: row.eps_estimate ?? listed?.eps_estimate ?? null,
      eps_actual: row.eps_actual ?? listed?.eps_actual ?? null,
      eps_last_year: listed?.eps_last_year ?? null,
      revenue_estimate: null,
      estimate_count: listed?.estimate_count ?? null,
      is_confirmed: row.report_date === null ? null : true,
      other_dates: isOther ? [{ report_date: listed.report_date, source: listed.source }] : [],
      known_at: laterOf(row.known_at, listed?.known_at ?? ""),
      source: row.source,
    },
  ];
}

/** Whether the event's day or window includes `day`. */
const namesDay = ({ report_date, report_date_end }: ReportEvent, day: string) =>
  day >= report_date && day <= (report_date_end ?? report_date);

/** Merges another source's next report into the calendar's: a confirmed day wins, then the calendar's. */
// Made up: 29 October in the calendar, and a confirmed 30 October at the other source: 30 October.
function merged(listed: ReportEvent, other: ReportEvent): ReportEvent {
  // The day of a published report is certain; an earlier estimate adds nothing.
  if (listed.eps_actual !== null) return listed;
  const [first, second] = other.is_confirmed === true ? [other, listed] : [listed, other];
  const isSameDay = namesDay(first, second.report_date) || namesDay(second, first.report_date);
  return {
    ...listed,
    report_date: first.report_date,
    report_date_end: first.report_date_end,
    report_time: first.report_time !== "unknown" || !isSameDay ? first.report_time : second.report_time,
    eps_estimate: listed.eps_estimate ?? other.eps_estimate,
    revenue_estimate: listed.revenue_estimate ?? other.revenue_estimate,
    is_confirmed: isSameDay ? (listed.is_confirmed ?? other.is_confirmed) : first.is_confirmed,
    other_dates: isSameDay
      ? listed.other_dates
      : [...listed.other_dates, { report_date: second.report_date, source: second.source }],
    known_at: laterOf(listed.known_at, other.known_at),
    source: first.source,
  };
}

/**
 * The reports of one company, latest first. `mainSource` defines the reports; a report from another source
 * within a month of one of them is the same report and is merged into it.
 */
export function companyEvents(
  surprises: readonly SurpriseRow[],
  reports: readonly ReportRow[],
  mainSource: string,
): ReportEvent[] {
  const listed = reports.filter((row) => row.source === mainSource).map(eventOf);
  const byQuarter = new Map(
    listed.flatMap((event) => (event.fiscal_quarter_end ? [[event.fiscal_quarter_end, event] as const] : [])),
  );
  const known = surprises.flatMap((row) => reported(row, byQuarter.get(row.fiscal_quarter_end)));
  const reportedQuarters = new Set(known.map((event) => event.fiscal_quarter_end));
  const events = [
    ...known,
    ...listed.filter(
      (event) => event.fiscal_quarter_end === null || !reportedQuarters.has(event.fiscal_quarter_end),
    ),
  ];
  for (const row of reports.filter((report) => report.source !== mainSource)) {
    const other = eventOf(row);
    const near = (event: ReportEvent) => daysBetween(event.report_date, other.report_date);
    const closest = events.toSorted((a, b) => near(a) - near(b))[0];
    if (closest && near(closest) <= SAME_DAYS) events[events.indexOf(closest)] = merged(closest, other);
    else events.push(other);
  }
  return events.sort((a, b) => (a.report_date < b.report_date ? 1 : a.report_date > b.report_date ? -1 : 0));
}

/** The next report: the earliest from `today` on that is not published yet. `events` come latest first. */
export const nextOf = (events: readonly ReportEvent[], today: string): ReportEvent | null =>
  events.findLast(
    (event) => (event.report_date_end ?? event.report_date) >= today && event.eps_actual === null,
  ) ?? null;
