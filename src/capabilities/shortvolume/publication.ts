// When a file comes out and from when on its figures count as known. Pure but for the calendar.
import { type Calendar, startOfDay } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";

/** By then the file of a trade date is out, New York; some evenings it took until 20:00. */
const OUT_AT = { hour: 18 } as const;
/** After this many hours more a missing file is no delay any longer. */
const OVERDUE_HOURS = 3;
/** A change the server dates later than this is a move of its files, not a correction. */
const CORRECTION_DAYS_MAX = 30;

const at = (date: string) =>
  Temporal.PlainDate.from(date)
    .toZonedDateTime({ timeZone: "America/New_York", plainTime: Temporal.PlainTime.from(OUT_AT) })
    .toInstant();

const isBefore = (a: Temporal.Instant, b: Temporal.Instant) => Temporal.Instant.compare(a, b) < 0;
const latest = (moments: readonly Temporal.Instant[]) => moments.reduce((a, b) => (isBefore(a, b) ? b : a));

/** The newest session whose file is due by `now`. */
export function newestDue(calendar: Calendar, now: Temporal.Instant): string {
  const session = calendar.lastClosedSession(now);
  return isBefore(now, at(session)) ? calendar.previousSession(session) : session;
}

/** Whether a missing file of a session is a fault: it should have been out for hours. */
export const isOverdue = (date: string, now: Temporal.Instant): boolean =>
  isBefore(at(date).add({ hours: OVERDUE_HOURS }), now);

/** A version as it was fetched, and the one before it, if any. */
export interface Version {
  readonly date: string;
  readonly fetched_at: string;
  readonly last_modified: string | null;
  /** known_at of the version stored before. */
  readonly former: string | null;
}

/**
 * From when on the rows of a version count as known.
 *
 * The first one: the beginning of the next session's day in New York. It is public from the evening of its trade date,
 * at an hour that varies, and this is the first moment at which nobody can be wrong about it. Fetched years later it
 * is given the same moment, since it was public then, unless the server says that it was changed within a month of its
 * day: then that moment, for what stood there before is not known. A later version: when this service fetched it.
 */
export function knownAt(calendar: Calendar, version: Version): string {
  const rule = startOfDay(calendar.nextSession(version.date));
  if (version.former !== null) {
    const after = Temporal.Instant.from(version.former).add({ milliseconds: 1 });
    return latest([rule, Temporal.Instant.from(version.fetched_at), after]).toString();
  }
  const { last_modified } = version;
  if (last_modified === null) return rule.toString();
  const changed = Temporal.Instant.from(last_modified);
  const tooLate = startOfDay(addDays(version.date, CORRECTION_DAYS_MAX));
  return (isBefore(changed, tooLate) ? latest([rule, changed]) : rule).toString();
}
