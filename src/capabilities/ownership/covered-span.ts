// From when to when all filings about a company are in the index: by its own list, by indexed days, or by
// both. Pure.
import { endOfDay, newYorkDate } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import { isFederalBusinessDay } from "../../market/federal-days.ts";

/** The filings that are in the index. */
export interface Indexed {
  /** The company's own list: all filings dated from `covered_from` that were filed by `listedMs`. */
  readonly list: { readonly covered_from: string; readonly listedMs: number } | null;
  /** Days whose filings, of all companies, are in the index. */
  readonly days: ReadonlySet<string>;
}

export interface CoveredSpan {
  /** Whether no filing of the requested span is missing. */
  readonly isWhole: boolean;
  /**
   * The first and last filing date of the complete days at the end of the requested span; null if there are
   * none.
   */
  readonly data_from: string | null;
  readonly data_to: string | null;
}

/** A list counts as up to date for this long. */
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

/** Whether everything filed on `date` up to `untilMs` is in the index. */
function hasDay({ list, days }: Indexed, date: string, untilMs: number, nowMs: number): boolean {
  if (days.has(date)) return true;
  if (list === null || date < list.covered_from) return false;
  return hasAll(list, Math.min(untilMs, endOfDay(date).epochMilliseconds), nowMs);
}

/** How much of the span from `from` to `untilMs` is covered. Days on which nothing is filed do not count. */
export function coveredSpan(indexed: Indexed, from: string, untilMs: number, nowMs: number): CoveredSpan {
  const last = dateOf(untilMs);
  const { list } = indexed;
  // The list alone answers most requests, without a check of each day.
  if (list !== null && list.covered_from <= from && hasAll(list, untilMs, nowMs))
    return { isWhole: true, data_from: list.covered_from, data_to: lastBusinessDay(last) };
  const isThere = (date: string) => !isFederalBusinessDay(date) || hasDay(indexed, date, untilMs, nowMs);
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
  const reachesFurther =
    list !== null && isWhole && list.covered_from < data_from && dateOf(list.listedMs) >= data_from;
  return { isWhole, data_from: reachesFurther ? list.covered_from : data_from, data_to };
}
