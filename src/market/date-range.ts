// The check of a date range that a client gives as `from_date` and `to_date`.
import { InvalidRequest } from "../platform/errors.ts";

/** Throws InvalidRequest `invalid_date_range` when the range ends before it starts. */
export function checkDateRange({
  from_date,
  to_date,
}: {
  readonly from_date?: string | undefined;
  readonly to_date?: string | undefined;
}): void {
  if (from_date !== undefined && to_date !== undefined && to_date < from_date)
    throw new InvalidRequest(
      "invalid_date_range",
      `to_date ${to_date} is earlier than from_date ${from_date}.`,
    );
}
