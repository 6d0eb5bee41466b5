// The moment of a call: what `as_of` means, and where a frozen connection ends.
import { parseAsOf } from "../../market/known-at.ts";

export interface Moment {
  readonly at: Temporal.Instant;
  /** Whether it is the present, on a connection that is not frozen. */
  readonly isNow: boolean;
}

export type MomentResult =
  | { readonly ok: true; readonly moment: Moment }
  | { readonly ok: false; readonly detail: string };

const MISSING =
  'as_of is required: the date of the decision that you study (2020-01-02), an instant with its zone, or "now".';

/**
 * Reads `as_of` of a call. On a frozen connection nothing after its moment is reachable: "now" is that
 * moment, and a later one is refused.
 */
// Frozen at 2020-01-02: "now" is the end of that day in New York, and 2020-01-03 is refused.
export function momentOfCall(
  given: unknown,
  now: Temporal.Instant,
  frozen: Temporal.Instant | null,
): MomentResult {
  if (typeof given !== "string" || given.trim() === "") return { ok: false, detail: MISSING };
  const end = frozen !== null && Temporal.Instant.compare(frozen, now) < 0 ? frozen : now;
  if (given.trim().toLowerCase() === "now") return { ok: true, moment: { at: end, isNow: frozen === null } };
  const parsed = parseAsOf(given.trim());
  if (!parsed.ok) return { ok: false, detail: parsed.detail };
  const isLater = Temporal.Instant.compare(parsed.at, end) > 0;
  // Today's date means what is known by now.
  const isToday = isLater && Temporal.Instant.compare(parsed.at.subtract({ hours: 24 }), end) <= 0;
  if (!isLater || isToday) return { ok: true, moment: { at: isLater ? end : parsed.at, isNow: false } };
  const detail =
    frozen === null
      ? `as_of ${given} lies ahead; "now" is the latest moment there is.`
      : `This connection is frozen at ${frozen.toString()}: nothing later can be asked.`;
  return { ok: false, detail };
}
