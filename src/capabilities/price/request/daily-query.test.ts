import { expect, test } from "bun:test";
import { movableClock } from "../../../../test/support/clock.ts";
import { exchangeCalendar } from "../../../market/calendar.ts";
import { timeSpanOf, viewpointOf } from "./daily-query.ts";

const calendar = exchangeCalendar();
const clock = movableClock("2026-09-15T14:00:00Z");
const spanOf = (period: string, asOf: string | null) => {
  const viewpoint = viewpointOf(asOf === null ? null : Temporal.Instant.from(asOf), { calendar, clock });
  const { start, end } = timeSpanOf({ period }, viewpoint, undefined);
  return { start, end };
};

test("a period counts back from as_of, and from now without it", () => {
  expect(spanOf("1m", null)).toEqual({ start: "2026-08-15", end: "2026-09-15" });
  expect(spanOf("1m", "2020-03-31T20:00:00Z")).toEqual({ start: "2020-02-29", end: "2020-03-31" });
  expect(spanOf("1y", "2020-03-31T20:00:00Z")).toEqual({ start: "2019-03-31", end: "2020-03-31" });
  // Before the calendar only the provider knows the sessions.
  expect(spanOf("1d", "1962-06-01T12:00:00Z")).toEqual({ start: "1962-06-01", end: "1962-06-01" });
});

test("1d begins with the newest session that is served: under as_of the newest settled one", () => {
  expect(spanOf("1d", null)).toEqual({ start: "2026-09-15", end: "2026-09-15" });
  // Sunday: Friday's bar settles when Monday's session opens.
  expect(spanOf("1d", "2026-09-13T16:00:00Z")).toEqual({ start: "2026-09-10", end: "2026-09-13" });
  expect(spanOf("1d", "2026-09-14T13:30:00Z")).toEqual({ start: "2026-09-11", end: "2026-09-14" });
});
