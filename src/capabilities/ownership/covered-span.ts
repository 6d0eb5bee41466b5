// From when to when all filings about a company are in the index: by its own list, by days of everybody's, or both. Pure.
import { endOfDay, newYorkDate } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import { isFederalBusinessDay } from "../../market/federal-days.ts";

/** What is known to be in the index. */
export interface Known {
  /** All filings dated from `covered_from`, as far as filed by `listedMs`. */
  readonly list: { readonly covered_from: string; readonly listedMs: number } | null;
  readonly days: ReadonlySet<string>;
}

export interface Covered {
  /** Whether nothing is missing of what was filed from the wanted day to the wanted moment. */
  readonly isWhole: boolean;
  /** The first and last filing date of what is whole, at the end of the wanted span; null when nothing is. */
  readonly data_from: string | null;
  readonly data_to: string | null;
}

/** A list is as good as new for so long. */
export const LIST_FRESH_MS = 5 * 60_000;

const dateOf = (ms: number): string => newYorkDate(Temporal.Instant.fromEpochMilliseconds(ms));

/** Whether a list has everything that was filed by a moment. */
const hasAll = ({ listedMs }: { listedMs: number }, untilMs: number, nowMs: number): boolean =>
  nowMs - listedMs < LIST_FRESH_MS || listedMs >= untilMs;

function lastBusinessDay(date: string): string {
  let day = date;
  while (!isFederalBusinessDay(day)) day = addDays(day, -1);
  return day;
}

/** Whether all that was filed on `date` up to `untilMs` is there. */
function hasDay({ list, days }: Known, date: string, untilMs: number, nowMs: number): boolean {
  if (days.has(date)) return true;
  if (list === null || date < list.covered_from) return false;
  return hasAll(list, Math.min(untilMs, endOfDay(date).epochMilliseconds), nowMs);
}

/** How much of the span from `from` to `untilMs` is covered. Days on which nothing is filed do not count. */
export function coverageOf(known: Known, from: string, untilMs: number, nowMs: number): Covered {
  const last = dateOf(untilMs);
  // Most questions are answered by the list alone, without a look at each day.
  if (known.list !== null && known.list.covered_from <= from && hasAll(known.list, untilMs, nowMs))
    return { isWhole: true, data_from: known.list.covered_from, data_to: lastBusinessDay(last) };
  const isThere = (date: string) => !isFederalBusinessDay(date) || hasDay(known, date, untilMs, nowMs);
  let data_to: string | null = null;
  for (let date = last; date >= from && data_to === null; date = addDays(date, -1))
    if (isFederalBusinessDay(date) && isThere(date)) data_to = date;
  if (data_to === null) return { isWhole: false, data_from: null, data_to: null };
  let data_from = data_to;
  while (data_from > from && isThere(addDays(data_from, -1))) data_from = addDays(data_from, -1);
  let isWhole = data_from === from;
  while (!isWhole && !isFederalBusinessDay(data_from)) data_from = addDays(data_from, 1);
  for (let date = addDays(data_to, 1); date <= last && isWhole; date = addDays(date, 1))
    isWhole = isThere(date);
  const { list } = known;
  const reachesFurther =
    list !== null && isWhole && list.covered_from < data_from && dateOf(list.listedMs) >= data_from;
  return { isWhole, data_from: reachesFurther ? list.covered_from : data_from, data_to };
}
