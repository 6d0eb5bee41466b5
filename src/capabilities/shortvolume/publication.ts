// When a file is due, and from when its figures count as known. Pure, given the calendar.
import { type Calendar, startOfDay } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";

/** When the file of a trade date is due, New York. On some evenings it takes until 20:00. */
const DUE_AT = { hour: 18 } as const;
/** A file that is missing this many hours after it was due is not just late. */
// A file that is missing at 20:59 is late, one that is missing at 21:01 makes the run fail.
const OVERDUE_HOURS = 3;
/**
 * A modification later than this many days after the trade date means that the server moved its files, not a
 * correction.
 */
// Modified 25 days after its date, a file is known from then on; modified two years after it, from the next
// session.
const CORRECTION_DAYS_MAX = 30;

const dueAt = (date: string) =>
  Temporal.PlainDate.from(date)
    .toZonedDateTime({ timeZone: "America/New_York", plainTime: Temporal.PlainTime.from(DUE_AT) })
    .toInstant();

const isBefore = (a: Temporal.Instant, b: Temporal.Instant) => Temporal.Instant.compare(a, b) < 0;
const latest = (moments: readonly Temporal.Instant[]) => moments.reduce((a, b) => (isBefore(a, b) ? b : a));

/** The newest session whose file is due by `now`. */
export function newestDue(calendar: Calendar, now: Temporal.Instant): string {
  const session = calendar.lastClosedSession(now);
  return isBefore(now, dueAt(session)) ? calendar.previousSession(session) : session;
}

/** Whether the file of a session should have been out for hours, so that its absence is an error. */
export const isOverdue = (date: string, now: Temporal.Instant): boolean =>
  isBefore(dueAt(date).add({ hours: OVERDUE_HOURS }), now);

/** A version of a file as it was fetched. */
export interface Version {
  readonly date: string;
  readonly fetched_at: string;
  readonly last_modified: string | null;
  /** known_at of the version before; null for the first. */
  readonly former: string | null;
}

/**
 * From when the rows of a version count as known.
 *
 * The first version: from the start of the next session's day in New York. The file is published in the
 * evening of its trade date, at an hour that varies, so this is the first moment at which it was certainly
 * public. A file fetched years later has the same moment, since it was public then. But if the server says
 * that the file was modified within a month of its date, that modification counts: what the file contained
 * before is unknown.
 *
 * A later version: from the moment this service fetched it.
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
