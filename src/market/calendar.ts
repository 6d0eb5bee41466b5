// The exchange calendar (XNYS): sessions, their hours, and the session a moment lies in.
import { addDays, isDate } from "./date.ts";
import { CLOSED_ONCE, earlyCloseHour, exchangeDays, FIRST_DATE, LAST_DATE } from "./exchange-days.ts";

const ZONE = "America/New_York";

/** The part of the New York day a moment lies in; "closed" is outside all three. */
export type Phase = "pre" | "regular" | "post" | "closed";

/**
 * Thrown for a date the calendar does not cover. Check `covers` first: outside it only the provider knows the
 * sessions.
 */
export class OutsideCalendar extends RangeError {
  constructor(date: string) {
    super(`${date} lies outside the exchange calendar, which covers ${FIRST_DATE} to ${LAST_DATE}`);
    this.name = "OutsideCalendar";
  }
}

/**
 * Sessions of the New York exchanges. Dates are `YYYY-MM-DD` in New York, moments are instants. Each function
 * throws `OutsideCalendar` for a date that is invalid or outside `firstDate`–`lastDate`. The functions that
 * give hours throw a RangeError for a day without a session.
 */
export interface Calendar {
  readonly firstDate: string;
  readonly lastDate: string;
  /** True when `date` is a real date within the calendar. Never throws. */
  covers(date: string): boolean;
  /** The calendar as it stood on a day: later closures that no rule predicts are sessions in it. */
  knownOn(date: string): Calendar;
  isSession(date: string): boolean;
  /** True for a session that ends at 13:00 (14:00 before 1993). */
  isHalfDay(date: string): boolean;
  /** Sessions from `start` to `end`, both included, ascending; empty when `end` lies before `start`. */
  sessionsBetween(start: string, end: string): string[];
  /** The last session before `date`. */
  previousSession(date: string): string;
  /** The first session after `date`. */
  nextSession(date: string): string;
  /** `date` if it is a session, else the last one before it. */
  sessionOnOrBefore(date: string): string;
  /** `date` if it is a session, else the first one after it. */
  sessionOnOrAfter(date: string): string;
  /** The newest session that has opened (09:30) by `at`: the day "latest" means. */
  latestSession(at: Temporal.Instant): string;
  /** The newest session whose regular hours are over by `at`. */
  lastClosedSession(at: Temporal.Instant): string;
  /** 04:00. */
  preMarketOpen(date: string): Temporal.Instant;
  /** 09:30. */
  sessionOpen(date: string): Temporal.Instant;
  /** 16:00, earlier on half days. */
  sessionClose(date: string): Temporal.Instant;
  /** 20:00, 17:00 on half days. */
  postMarketClose(date: string): Temporal.Instant;
  /**
   * New York date and phase of a moment; a phase begins at its first instant and ends before the next one's.
   */
  sessionAt(at: Temporal.Instant): { date: string; phase: Phase };
}

/** Date and time of New York's clocks at a moment. */
export const newYorkDateTime = (at: Temporal.Instant): Temporal.PlainDateTime =>
  at.toZonedDateTimeISO(ZONE).toPlainDateTime();

/** The date in New York at a moment. */
export function newYorkDate(at: Temporal.Instant): string {
  return newYorkDateTime(at).toPlainDate().toString();
}

/** First instant of a day in New York. RangeError when `date` is not a date. */
export function startOfDay(date: string): Temporal.Instant {
  return Temporal.PlainDate.from(date).toZonedDateTime(ZONE).toInstant();
}

/**
 * Last instant of a day in New York: a nanosecond before the next day. RangeError when `date` is not a date.
 */
export function endOfDay(date: string): Temporal.Instant {
  return startOfDay(addDays(date, 1)).subtract({ nanoseconds: 1 });
}

function newYorkTime(date: string, hour: number, minute = 0): Temporal.Instant {
  const plainTime = Temporal.PlainTime.from({ hour, minute });
  return Temporal.PlainDate.from(date).toZonedDateTime({ timeZone: ZONE, plainTime }).toInstant();
}

interface SessionTable {
  sessions: readonly string[];
  known: ReadonlySet<string>;
  early: ReadonlySet<string>;
}

function buildTable(extraClosures: readonly string[], knownOn: string): SessionTable {
  const { closed, early } = exchangeDays(knownOn);
  const shut = new Set([...closed, ...extraClosures.filter((date) => date <= knownOn)]);
  const sessions: string[] = [];
  let day = Temporal.PlainDate.from(FIRST_DATE);
  for (let date = FIRST_DATE; date <= LAST_DATE; day = day.add({ days: 1 }), date = day.toString()) {
    if (day.dayOfWeek <= 5 && !shut.has(date)) sessions.push(date);
  }
  return { sessions, known: new Set(sessions), early };
}

/** How many of the ascending `dates` lie before `date`. */
function countBefore(dates: readonly string[], date: string): number {
  let low = 0;
  let high = dates.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((dates[middle] ?? "") < date) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** By the closures that no rule predicts: a table of sessions takes 10 ms to build. */
const calendars = new Map<string, Calendar>();

/**
 * Returns the calendar, with closures that no rule predicts (`EXTRA_CLOSURES`, dates). Throws
 * `OutsideCalendar` for a closure it does not cover. The table of sessions is built on first use. With
 * `knownOn`, closures after that day that no rule predicts are not known yet, so their days are sessions.
 */
export function exchangeCalendar(
  options: { extraClosures?: readonly string[]; knownOn?: string } = {},
): Calendar {
  const { extraClosures = [], knownOn = LAST_DATE } = options;
  const closed = [...CLOSED_ONCE, ...extraClosures].filter((date) => date <= knownOn);
  const key = `${closed} of ${extraClosures}`;
  const known = calendars.get(key) ?? calendarOf(extraClosures, knownOn);
  calendars.set(key, known);
  return known;
}

function calendarOf(extraClosures: readonly string[], knownOn: string): Calendar {
  let built: SessionTable | undefined;
  /** Sessions are covered days, and cheaper to recognise than dates. */
  const covers = (date: string) =>
    built?.known.has(date) || (isDate(date) && date >= FIRST_DATE && date <= LAST_DATE);
  const demand = (date: string) => {
    if (!covers(date)) throw new OutsideCalendar(date);
  };
  extraClosures.forEach(demand);

  const table = () => (built ??= buildTable(extraClosures, knownOn));
  const isSession = (date: string) => {
    demand(date);
    return table().known.has(date);
  };
  const isHalfDay = (date: string) => isSession(date) && table().early.has(date);
  /** The session `offset` places from the first one that is not before `date`. */
  const near = (date: string, offset: number) => {
    demand(date);
    const found = table().sessions[countBefore(table().sessions, date) + offset];
    if (found === undefined)
      throw new OutsideCalendar(`The session ${offset < 0 ? "before" : "after"} ${date}`);
    return found;
  };
  const previousSession = (date: string) => near(date, -1);
  const demandSession = (date: string) => {
    if (!isSession(date)) throw new RangeError(`${date} is not a session of the New York exchanges`);
  };
  const hour = (date: string, full: number, half: number, minute = 0) => {
    demandSession(date);
    return newYorkTime(date, table().early.has(date) ? half : full, minute);
  };
  const sessionClose = (date: string) => hour(date, 16, earlyCloseHour(date));
  /** By session: an answer has one for each of its bars, and finding it takes microseconds. */
  const opens = new Map<string, Temporal.Instant>();
  const sessionOpen = (date: string) => {
    const open = opens.get(date) ?? hour(date, 9, 9, 30);
    opens.set(date, open);
    return open;
  };
  const newest = (at: Temporal.Instant, begins: (date: string) => Temporal.Instant) => {
    const today = newYorkDate(at);
    const reached = isSession(today) && Temporal.Instant.compare(begins(today), at) <= 0;
    return reached ? today : previousSession(today);
  };

  return {
    firstDate: FIRST_DATE,
    lastDate: LAST_DATE,
    covers,
    knownOn(date) {
      return date >= knownOn ? this : exchangeCalendar({ extraClosures, knownOn: date });
    },
    isSession,
    isHalfDay,
    sessionsBetween(start, end) {
      demand(start);
      demand(end);
      if (end < start) return [];
      const { sessions } = table();
      const from = countBefore(sessions, start);
      return sessions.slice(from, countBefore(sessions, end) + (isSession(end) ? 1 : 0));
    },
    previousSession,
    nextSession: (date) => near(date, isSession(date) ? 1 : 0),
    sessionOnOrBefore: (date) => (isSession(date) ? date : previousSession(date)),
    sessionOnOrAfter: (date) => near(date, 0),
    latestSession: (at) => newest(at, sessionOpen),
    lastClosedSession: (at) => newest(at, sessionClose),
    preMarketOpen: (date) => hour(date, 4, 4),
    sessionOpen,
    sessionClose,
    postMarketClose: (date) => hour(date, 20, 17),
    sessionAt(at) {
      const local = at.toZonedDateTimeISO(ZONE);
      const date = local.toPlainDate().toString();
      if (!isSession(date)) return { date, phase: "closed" };
      const half = table().early.has(date);
      const minutes = local.hour * 60 + local.minute;
      if (minutes < 4 * 60 || minutes >= (half ? 17 : 20) * 60) return { date, phase: "closed" };
      if (minutes < 9 * 60 + 30) return { date, phase: "pre" };
      return { date, phase: minutes < (half ? earlyCloseHour(date) : 16) * 60 ? "regular" : "post" };
    },
  };
}
