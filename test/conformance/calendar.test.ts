// The exchange calendar against recorded ones: a generated table of closures and an exchange's own list of
// sessions.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { exchangeCalendar } from "../../src/market/calendar.ts";
import { addDays, weekday } from "../../src/market/date.ts";

setDefaultTimeout(1_200_000);

const recordings = process.env.CONFORMANCE_DIR ?? join(import.meta.dir, "../../../shared/real");
const table = join(recordings, "calendars/nyse-1990-2030-generated.json");
const listed = join(recordings, "alpaca/rb-Alpaca_Trade_Api_Client_calendar_returns_Calendar_objects-1.json");
const calendar = exchangeCalendar();

if (!existsSync(table) || !existsSync(listed)) {
  test("skipped: no recordings", () => {
    expect(existsSync(table) && existsSync(listed)).toBe(false);
  });
} else {
  describe("1990 to 2030, day by day", () => {
    test("closed weekdays and early closes are those of the table, no more and no fewer", async () => {
      const facts: { holidays: Record<string, string>; early_close: Record<string, string> } =
        await Bun.file(table).json();
      const closed: string[] = [];
      const early: Record<string, string> = {};
      for (let date = calendar.firstDate; date <= calendar.lastDate; date = addDays(date, 1)) {
        if (weekday(date) > 5) {
          expect(calendar.isSession(date)).toBe(false);
        } else if (!calendar.isSession(date)) {
          closed.push(date);
        } else if (calendar.isHalfDay(date)) {
          const close = calendar.sessionClose(date).toZonedDateTimeISO("America/New_York").toPlainTime();
          early[date] = close.toString({ smallestUnit: "minute" });
        }
      }
      expect(closed).toEqual(Object.keys(facts.holidays).sort());
      expect(early).toEqual(facts.early_close);
      expect([closed.length, Object.keys(early).length]).toEqual([375, 88]);
    });
  });

  test("sessions and hours of 2019-06-03 to 2019-07-01 are those the broker lists", async () => {
    const days: { date: string; open: string; close: string }[] = await Bun.file(listed).json();
    expect(days).toHaveLength(21);
    expect(calendar.sessionsBetween("2019-06-01", "2019-07-01")).toEqual(days.map((day) => day.date));
    for (const day of days) {
      const clock = (at: Temporal.Instant) =>
        at.toZonedDateTimeISO("America/New_York").toPlainTime().toString({ smallestUnit: "minute" });
      expect([clock(calendar.sessionOpen(day.date)), clock(calendar.sessionClose(day.date))]).toEqual([
        day.open,
        day.close,
      ]);
    }
  });
}
