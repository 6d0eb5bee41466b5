// Formats stored observations like the provider's own answer: values as text, a dot for a missing value.
// Pure.
import { type Levels, OPEN_END, OPEN_START } from "./parameters.ts";
import type { StoredObservations } from "./store.ts";

/** The provider's first day for a span without a start. */
const FIRST_DAY = "1600-01-01";

/** `day` is the provider's day as of which the observations are. */
export function storedBody(
  { observations }: StoredObservations,
  { span }: Levels,
  { descending, limit, offset }: NonNullable<Levels["page"]>,
  day: string,
): Readonly<Record<string, unknown>> {
  const ordered = descending ? observations.toReversed() : observations;
  return {
    realtime_start: day,
    realtime_end: day,
    observation_start: span.start === OPEN_START ? FIRST_DAY : span.start,
    observation_end: span.end ?? OPEN_END,
    units: "lin",
    output_type: 1,
    file_type: "json",
    order_by: "observation_date",
    sort_order: descending ? "desc" : "asc",
    count: observations.length,
    offset,
    limit,
    observations: ordered.slice(offset, offset + limit).map(({ date, value }) => ({
      realtime_start: day,
      realtime_end: day,
      date,
      value: value === null ? "." : String(value),
    })),
  };
}
