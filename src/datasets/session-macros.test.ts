// The session macros agree with the calendar on every day, and beyond its years count weekdays.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openWholeLake } from "../../test/support/whole-lake.ts";
import { exchangeCalendar } from "../market/calendar.ts";
import type { Lake } from "../platform/lake/lake.ts";

setDefaultTimeout(1_200_000);

let dir: string;
let lake: Lake;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "sessions-"));
  lake = await openWholeLake(dir);
});
afterAll(async () => {
  await lake.close();
  await rm(dir, { recursive: true });
});

test("the sessions of the macros are those of the calendar, and so is what has settled by a moment", async () => {
  const calendar = exchangeCalendar();
  const sessions = await lake.query<{ day: string }>(
    `SELECT d::DATE AS day FROM generate_series(DATE '1990-01-01', DATE '2030-12-31', INTERVAL 1 DAY) t(d)
     WHERE is_session(d::DATE) ORDER BY day`,
  );
  expect(sessions.map(({ day }) => day)).toEqual(
    calendar.sessionsBetween(calendar.firstDate, calendar.lastDate),
  );
  const days = ["2001-09-10", "2021-12-31", "2024-03-08", "2024-07-03", "2024-11-01", "2025-01-08"];
  for (const day of days) {
    const next = calendar.nextSession(day);
    const open = calendar.sessionOpen(next);
    const [row] = await lake.query<{ open: string; before: string; at: string }>(
      "SELECT open_after($day::DATE) AS open, settled_before($early) AS before, settled_before($late) AS at",
      { day, early: open.subtract({ milliseconds: 1 }).toString(), late: open.toString() },
    );
    expect(row).toEqual({ open: open.toString(), before: day, at: next });
  }
});

test("each day's next open and last session are found, also beside and outside the calendar's years", async () => {
  const { firstDate, lastDate, isSession } = exchangeCalendar();
  const isOpen = (day: Temporal.PlainDate) => {
    const date = day.toString();
    return date < firstDate || date > lastDate ? day.dayOfWeek < 6 : isSession(date);
  };
  const nearest = (day: Temporal.PlainDate, days: number): Temporal.PlainDate =>
    isOpen(day) ? day : nearest(day.add({ days }), days);
  const rows = await lake.query<{ day: string; open: string; at: string; is_session: boolean }>(
    `SELECT d::DATE AS day, open_after(d::DATE) AS open, is_session(d::DATE) AS is_session,
       settled_before((d::DATE::TIMESTAMP + INTERVAL '9 hours 30 minutes') AT TIME ZONE 'America/New_York') AS at
     FROM generate_series(DATE '1989-11-01', DATE '2031-02-28', INTERVAL 1 DAY) t(d) ORDER BY day`,
  );
  expect(rows.length).toBe(15_095);
  const expected = rows.map(({ day: text }) => {
    const day = Temporal.PlainDate.from(text);
    const open = nearest(day.add({ days: 1 }), 1).toZonedDateTime({
      timeZone: "America/New_York",
      plainTime: "09:30",
    });
    return {
      day: text,
      open: open.toInstant().toString(),
      is_session: isOpen(day),
      at: nearest(day, -1).toString(),
    };
  });
  expect(rows).toEqual(expected);
  const ends = await lake.query(
    `SELECT is_session(NULL::DATE) AS unknown, open_after(NULL::DATE) AS no_open, settled_before(NULL) AS always,
       is_session(DATE '1962-03-03') AS saturday, open_after(DATE '1962-03-02') AS monday`,
  );
  expect(ends).toEqual([
    { unknown: null, no_open: null, always: "infinity", saturday: false, monday: "1962-03-05T14:30:00Z" },
  ]);
});

test("by the open after a day that day has ended in every zone of the world, so no exchange's bar is known early", async () => {
  // The last zone to end a day is twelve hours behind UTC.
  const early = await lake.query(
    `SELECT d::DATE AS day, open_after(d::DATE) AS open FROM generate_series(DATE '1990-01-01', DATE '2030-12-31', INTERVAL 1 DAY) t(d)
     WHERE open_after(d::DATE) < ((d::DATE + 1)::TIMESTAMP + INTERVAL 12 HOURS) AT TIME ZONE 'UTC'`,
  );
  expect(early).toEqual([]);
});
