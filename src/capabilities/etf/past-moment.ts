// The moment of an `as_of`, where only a moment in the past makes a difference.
import { asOfInstant } from "../../market/known-at.ts";

/** The instant of `as_of`; null without one, and for one that is not in the past. Throws InvalidRequest. */
export function pastMoment(as_of: string | undefined, now: Temporal.Instant): Temporal.Instant | null {
  const at = asOfInstant(as_of);
  return at !== null && Temporal.Instant.compare(at, now) < 0 ? at : null;
}
