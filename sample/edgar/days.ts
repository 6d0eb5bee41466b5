// The regulator's days: when filings are taken, which date they get, when they and the day's index can be
// read.
import { keyOf, uniform } from "../randomness.ts";
import { dateOf, dayOf, secondsAt } from "../sessions.ts";

export const NEW_YORK = "America/New_York";
const HOUR_S = 3600;
/** Filings are taken from 06:00 to 22:00; what comes after 17:30 gets the next business day's date. */
export const OPENS_S = 6 * HOUR_S;
const CUTOFF_S = 17.5 * HOUR_S;
const LATE_CUTOFF_S = 22 * HOUR_S;

const weekdayOf = (day: number) => (day + 4) % 7;

/** Day number of the `n`th `weekday` (0 = Sunday) of a month. */
function nth(n: number, weekday: number, year: number, month: number): number {
  const first = dayOf(`${year}-${String(month).padStart(2, "0")}-01`);
  return first + ((weekday - weekdayOf(first) + 7) % 7) + 7 * (n - 1);
}

/** Federal holidays, not the exchange's: shut on Columbus and Veterans Day, open on Good Friday. */
function holidaysOf(year: number): Set<number> {
  const fixed = [`${year}-01-01`, `${year}-07-04`, `${year}-11-11`, `${year}-12-25`, `${year + 1}-01-01`];
  if (year >= 2021) fixed.push(`${year}-06-19`);
  const kept = fixed.map(dayOf).map((day) => {
    if (weekdayOf(day) === 6) return day - 1;
    return weekdayOf(day) === 0 ? day + 1 : day;
  });
  const memorial = nth(1, 1, year, 6) - 7;
  return new Set([
    ...kept,
    nth(3, 1, year, 1),
    nth(3, 1, year, 2),
    memorial,
    nth(1, 1, year, 9),
    nth(2, 1, year, 10),
    nth(4, 4, year, 11),
  ]);
}

const holidays = new Map<number, Set<number>>();

/** True for days on which the regulator works. */
export function isBusinessDay(day: number): boolean {
  if (weekdayOf(day) === 0 || weekdayOf(day) === 6) return false;
  const year = Number(dateOf(day).slice(0, 4));
  const known = holidays.get(year) ?? holidaysOf(year);
  holidays.set(year, known);
  return !known.has(day);
}

/** The first business day that is not before `day`. */
export function businessDayFrom(day: number): number {
  let found = day;
  while (!isBusinessDay(found)) found++;
  return found;
}

const openings = new Map<number, number>();

/** Epoch seconds of 06:00 in New York. */
export function openingOf(day: number): number {
  const known = openings.get(day) ?? secondsAt(dateOf(day), "06:00", NEW_YORK);
  openings.set(day, known);
  return known;
}

/** From this day on schedules 13D and 13G, too, are dated as of the day until 22:00. */
const SCHEDULES_LATE_FROM = dayOf("2024-02-05");

/** Until when what comes in on `day` is dated that day: forms of insiders have until 22:00. */
function cutoffOf(form: string, day: number): number {
  const isLate = /^[345](\/A)?$/.test(form) || (/13[DG]/.test(form) && day >= SCHEDULES_LATE_FROM);
  return isLate ? LATE_CUTOFF_S : CUTOFF_S;
}

/** The day a filing is dated that is accepted on `day`, so many seconds after New York's midnight. */
export function filingDay(day: number, secondsOfDay: number, form: string): number {
  return isBusinessDay(day) && secondsOfDay <= cutoffOf(form, day) ? day : businessDayFrom(day + 1);
}

/** Epoch second from which the index of a day can be read: between 22:01 and 22:18 of that day. */
export function indexPublishedAt(day: number): number {
  return openingOf(day) + 16 * HOUR_S + 60 + Math.floor(uniform(keyOf(0, "edgar index"), day) * 17 * 60);
}

/** New York's clock at an epoch second: `2026-03-06T16:46:18` and `-05:00`. */
export function newYorkClock(at: number): { local: string; offset: string } {
  const zoned = Temporal.Instant.fromEpochMilliseconds(at * 1000).toZonedDateTimeISO(NEW_YORK);
  return { local: zoned.toPlainDateTime().toString({ smallestUnit: "second" }), offset: zoned.offset };
}
