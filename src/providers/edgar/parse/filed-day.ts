// Converts dates as filers write them to YYYY-MM-DD. Pure.
import { isDate } from "../../../market/date.ts";

/** Section 16 dates from 1934. A date outside this range is a typing error. */
const DAYS = { min: "1934-01-01", max: "2100-12-31" };
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** `2024-07-19`, with an optional time or zone after it. The zone never changes the day. */
const ISO = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]*)?(?:Z|[+-]\d{2}:?\d{2})?$/;
const SLASHED = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})$/;
/** `31-DEC-2024`, as in the data sets. */
const DASHED = /^(\d{1,2})-([A-Za-z]{3})-(\d{4})$/;
/** `December 29, 2023`, `29 December 2023`. */
const WORDED = /^([A-Za-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?\s*,?\s*(\d{4})$/;
const WORDED_DAY_FIRST = /^(\d{1,2})(?:st|nd|rd|th)?\s+([A-Za-z]{3,9})\.?,?\s*(\d{4})$/;

const inRange = (date: string): string | null =>
  isDate(date) && date >= DAYS.min && date <= DAYS.max ? date : null;

function dayOf(year: string, month: string, day: string): string | null {
  // EDGAR starts in 1993, which decides the century of two-digit years.
  const full = year.length === 2 ? `${Number(year) >= 90 ? "19" : "20"}${year}` : year;
  return inRange(`${full}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`);
}

function dayOfMonthName(year: string, name: string, day: string): string | null {
  const month = MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
  return month === 0 ? null : dayOf(year, String(month), day);
}

/** Reads a date; null when `text` is not a possible one. */
export function readFiledDay(text: string | null): string | null {
  const day = text?.trim() ?? "";
  if (day === "") return null;
  if (ISO.test(day)) return inRange(day.slice(0, 10));
  const [, usMonth, usDay, usYear] = SLASHED.exec(day) ?? [];
  if (usMonth && usDay && usYear) return dayOf(usYear, usMonth, usDay);
  const [, dashedDay, dashedMonth, dashedYear] = DASHED.exec(day) ?? [];
  if (dashedDay && dashedMonth && dashedYear) return dayOfMonthName(dashedYear, dashedMonth, dashedDay);
  const [, name, nameDay, nameYear] = WORDED.exec(day) ?? [];
  if (name && nameDay && nameYear) return dayOfMonthName(nameYear, name, nameDay);
  const [, firstDay, firstName, firstYear] = WORDED_DAY_FIRST.exec(day) ?? [];
  return firstDay && firstName && firstYear ? dayOfMonthName(firstYear, firstName, firstDay) : null;
}
