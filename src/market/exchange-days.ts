// Holidays and half days of the New York Stock Exchange, 1990–2030: the rules and the one-off days.
// Both agree with exchange_calendars' XNYS from 1990 to 2023; later years follow the same rules.
import { nthWeekday, observedOn, plainDate } from "./date.ts";

/** First and last day the rules apply to. Earlier years had other holidays and Saturday sessions. */
export const FIRST_DATE = "1990-01-01";
export const LAST_DATE = "2030-12-31";

/**
 * Closures that no rule predicts: mourning, attacks, storms. Configuration (`EXTRA_CLOSURES`) adds future
 * ones.
 */
export const CLOSED_ONCE = [
  "1994-04-27", // Nixon
  "2001-09-11",
  "2001-09-12",
  "2001-09-13",
  "2001-09-14",
  "2004-06-11", // Reagan
  "2007-01-02", // Ford
  "2012-10-29", // Sandy
  "2012-10-30",
  "2018-12-05", // Bush
  "2025-01-09", // Carter
];
const EARLY_ONCE = ["1997-12-26", "1999-12-31", "2003-12-26"];

/** Easter Sunday (Gregorian computus, Meeus). */
function easter(year: number): Temporal.PlainDate {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7;
  const f = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114;
  return plainDate(year, Math.floor(f / 31), (f % 31) + 1);
}

function holidays(year: number): Temporal.PlainDate[] {
  const newYear = plainDate(year, 1, 1);
  return [
    // A New Year's Day on Saturday is not observed on Friday: 2021-12-31 was a session.
    newYear.dayOfWeek === 7 ? newYear.add({ days: 1 }) : newYear,
    ...(year >= 1998 ? [nthWeekday(3, 1, year, 1)] : []), // Martin Luther King
    nthWeekday(3, 1, year, 2), // Presidents
    easter(year).subtract({ days: 2 }), // Good Friday
    nthWeekday(1, 1, year, 6).subtract({ days: 7 }), // Memorial: the last Monday of May
    ...(year >= 2022 ? [observedOn(plainDate(year, 6, 19))] : []), // Juneteenth
    observedOn(plainDate(year, 7, 4)), // Independence
    nthWeekday(1, 1, year, 9), // Labor
    nthWeekday(4, 4, year, 11), // Thanksgiving
    observedOn(plainDate(year, 12, 25)), // Christmas
  ];
}

function earlyCloses(year: number): Temporal.PlainDate[] {
  const days: Temporal.PlainDate[] = [];
  if (year >= 1992) days.push(nthWeekday(4, 4, year, 11).add({ days: 1 }));
  const christmasEve = plainDate(year, 12, 24);
  if (christmasEve.dayOfWeek <= 4) days.push(christmasEve);
  const july3 = plainDate(year, 7, 3);
  if (year >= 1995 && [1, 2, 4].includes(july3.dayOfWeek)) days.push(july3);
  // July 4 on a Thursday: the Friday after it until 2012, the Wednesday before it since.
  if (july3.dayOfWeek === 3 && year >= 1995) days.push(year >= 2013 ? july3 : plainDate(year, 7, 5));
  return days;
}

/**
 * Weekdays without a session, and sessions that end early, 1990–2030. One-off closures after `knownOn` are
 * left out.
 */
// With `knownOn` 2012-10-28 the days of the storm, 29 and 30 October 2012, are sessions; without it they are
// closed.
export function exchangeDays(knownOn: string): { closed: ReadonlySet<string>; early: ReadonlySet<string> } {
  const closed = new Set(CLOSED_ONCE.filter((date) => date <= knownOn));
  const early = new Set(EARLY_ONCE);
  for (let year = Number(FIRST_DATE.slice(0, 4)); year <= Number(LAST_DATE.slice(0, 4)); year++) {
    for (const date of holidays(year)) if (date.dayOfWeek <= 5) closed.add(date.toString());
    for (const date of earlyCloses(year)) early.add(date.toString());
  }
  return { closed, early };
}

/** The hour in New York at which a half day ends. */
export function earlyCloseHour(date: string): number {
  return date < "1993" ? 14 : 13;
}
