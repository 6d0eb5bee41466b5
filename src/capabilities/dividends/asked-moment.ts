// The moment that a request for dividends asks about: `as_of`, or a whole day as `as_of_date`.
import { newYorkDate } from "../../market/calendar.ts";
import { asOfInstant } from "../../market/known-at.ts";
import { InvalidRequest } from "../../platform/errors.ts";

export interface MomentFields {
  readonly as_of?: string;
  readonly as_of_date?: string;
}

/** Returns the moment of either field, null without both. Throws where they name different moments. */
// The day 2026-06-01 and the instant 2026-06-02T03:59:59.999999999Z are one moment: the end of that day.
export function momentOf({ as_of, as_of_date }: MomentFields): Temporal.Instant | null {
  const [moment, day] = [asOfInstant(as_of), asOfInstant(as_of_date)];
  if (moment !== null && day !== null && !moment.equals(day))
    throw new InvalidRequest(
      "conflicting_time_selection",
      "as_of and as_of_date name different moments; give one of them.",
    );
  return moment ?? day;
}

/** Returns the moment of a request, null where it is now or ahead, with its day in New York. */
export function askedMoment(fields: MomentFields, now: Temporal.Instant) {
  const moment = momentOf(fields);
  const past = moment !== null && Temporal.Instant.compare(moment, now) < 0 ? moment : null;
  return { past, as_of_date: newYorkDate(past ?? now) };
}
