// Which sessions without a stored file are named, by the moment that is asked about.
import { expect, test } from "bun:test";
import { fakeClock } from "../../../test/support/fake-clock.ts";
import { exchangeCalendar } from "../../market/calendar.ts";
import { unreadSessions } from "./unread-sessions.ts";

const unread = unreadSessions({
  store: { files: async () => [{ date: "2021-06-03" }] } as never,
  clock: fakeClock("2026-09-12T15:00:00Z"),
  calendar: exchangeCalendar(),
});
const at = (start: string, end: string, asOf: string | null) =>
  unread({ start, end, asOf: asOf === null ? null : Temporal.Instant.from(asOf), facility: "CNMS" });

test("a file counts as missing only once it was public", async () => {
  // Friday's file is known from Monday on.
  expect(await at("2021-06-03", "2021-06-04", "2021-06-07T03:59:59Z")).toEqual([]);
  expect(await at("2021-06-03", "2021-06-04", "2021-06-08T03:59:59Z")).toEqual([
    expect.stringMatching(/^not_read: The files of 1 sessions from 2021-06-04 to 2021-06-04/),
  ]);
  // Now it is a Saturday, and Friday's file is public.
  expect(await at("2026-09-11", "2026-09-12", null)).toEqual([
    expect.stringMatching(/^not_read: .*2026-09-11/),
  ]);
});

test("moments before the first file and outside the calendar name none", async () => {
  for (const asOf of ["1900-01-01T12:00:00Z", "2018-07-31T12:00:00Z"])
    expect(await at("2026-09-09", "2026-09-09", asOf)).toEqual([]);
});
