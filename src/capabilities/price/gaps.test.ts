import { describe, expect, test } from "bun:test";
import { exchangeCalendar } from "../../market/calendar.ts";
import {
  expectedDays,
  isWorthAsking,
  type ListingPeriod,
  lastSettledDay,
  missingDays,
  UNKNOWN_LISTING,
} from "./gaps.ts";

const calendar = exchangeCalendar();
const at = (text: string) => Temporal.Instant.from(text);
const listing = (facts: Partial<ListingPeriod>): ListingPeriod => ({
  ...UNKNOWN_LISTING,
  timezone: "America/New_York",
  ...facts,
});

describe("lastSettledDay", () => {
  test.each([
    [
      "2026-09-09T13:29:59Z",
      "2026-09-04",
      "before the open of the Wednesday after Labor Day, Tuesday is still moving",
    ],
    ["2026-09-09T13:30:00Z", "2026-09-08", "the open settles the day before"],
    ["2026-09-12T12:00:00Z", "2026-09-10", "on Saturday, Friday is still moving"],
    ["2026-11-27T14:30:00Z", "2026-11-25", "the half day after Thanksgiving settles Wednesday"],
  ])("at %s it is %s: %s", (now, day) => {
    expect(lastSettledDay(listing({}), calendar, at(now))).toBe(day);
  });
  test("elsewhere it is the day before yesterday of that zone", () => {
    expect(
      lastSettledDay(listing({ timezone: "Australia/Sydney" }), calendar, at("2026-09-09T15:00:00Z")),
    ).toBe("2026-09-08");
  });
});

describe("expectedDays", () => {
  test("New York: sessions of the calendar, none before the first trade", () => {
    expect(expectedDays(listing({}), "2026-07-01", "2026-07-08", calendar)).toEqual([
      "2026-07-01",
      "2026-07-02",
      "2026-07-06",
      "2026-07-07",
      "2026-07-08",
    ]);
    expect(
      expectedDays(listing({ first_trade_date: "2026-07-07" }), "2026-07-01", "2026-07-08", calendar),
    ).toEqual(["2026-07-07", "2026-07-08"]);
    expect(expectedDays(listing({ first_trade_date: "2026-07-07" }), null, "2026-07-07", calendar)).toEqual([
      "2026-07-07",
    ]);
    expect(
      expectedDays(listing({ first_trade_date: "2026-08-01" }), "2026-07-01", "2026-07-08", calendar),
    ).toEqual([]);
  });
  test("before 1990 weekdays, from then on sessions", () => {
    expect(expectedDays(listing({}), "1989-12-28", "1990-01-03", calendar)).toEqual([
      "1989-12-28",
      "1989-12-29",
      "1990-01-02",
      "1990-01-03",
    ]);
  });
  test("elsewhere weekdays; cryptocurrencies every day", () => {
    expect(
      expectedDays(listing({ timezone: "Europe/London" }), "2026-07-03", "2026-07-06", calendar),
    ).toEqual(["2026-07-03", "2026-07-06"]);
    expect(
      expectedDays(
        listing({ timezone: "UTC", instrument_type: "CRYPTOCURRENCY" }),
        "2026-07-03",
        "2026-07-06",
        calendar,
      ),
    ).toEqual(["2026-07-03", "2026-07-04", "2026-07-05", "2026-07-06"]);
  });
  test("an end before the start, or after the calendar, is no error", () => {
    expect(expectedDays(listing({}), "2026-07-08", "2026-07-01", calendar)).toEqual([]);
    expect(expectedDays(listing({}), "2030-12-30", "2031-01-03", calendar)).toEqual([
      "2030-12-30",
      "2030-12-31",
    ]);
  });
});

describe("missingDays", () => {
  const now = at("2026-09-09T15:00:00Z");
  const asked = (minutesAgo: number) => now.epochMilliseconds - minutesAgo * 60_000;
  test("a row without a close is always requested again", () => {
    expect(isWorthAsking({ date: "2020-01-02", kind: "null", last_asked_at_ms: asked(0) }, now)).toBe(true);
  });
  test("no row at all counts for minutes when recent, for a week when old", () => {
    const absent = (date: string, minutesAgo: number) =>
      isWorthAsking({ date, kind: "absent", last_asked_at_ms: asked(minutesAgo) }, now);
    expect(absent("2026-09-03", 4)).toBe(false);
    expect(absent("2026-09-03", 6)).toBe(true);
    expect(absent("2026-07-01", 6)).toBe(false);
    expect(absent("2026-07-01", 8 * 24 * 60)).toBe(true);
  });
  test("what is stored or known to be empty is not missing", () => {
    expect(
      missingDays(
        ["2026-07-01", "2026-07-02", "2026-07-06", "2026-07-07"],
        new Set(["2026-07-01"]),
        [
          { date: "2026-07-02", kind: "absent", last_asked_at_ms: asked(10) },
          { date: "2026-07-06", kind: "null", last_asked_at_ms: asked(10) },
        ],
        now,
      ),
    ).toEqual(["2026-07-06", "2026-07-07"]);
  });
});
