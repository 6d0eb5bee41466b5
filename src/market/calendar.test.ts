// The exchange calendar: sessions, half days, one-off closures, and New York time.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { endOfDay, exchangeCalendar, newYorkDate, OutsideCalendar, startOfDay } from "./calendar.ts";
import { addDays } from "./date.ts";

setDefaultTimeout(1_200_000);

const calendar = exchangeCalendar();
const at = (text: string) => Temporal.Instant.from(text);

const HOLIDAYS: Record<string, string> = {
  2026: "01-01 01-19 02-16 04-03 05-25 06-19 07-03 09-07 11-26 12-25",
  2027: "01-01 01-18 02-15 03-26 05-31 06-18 07-05 09-06 11-25 12-24",
  2028: "01-17 02-21 04-14 05-29 06-19 07-04 09-04 11-23 12-25",
};

describe("sessions", () => {
  test.each(Object.entries(HOLIDAYS))("the closed weekdays of %s", (year, days) => {
    const sessions = new Set(calendar.sessionsBetween(`${year}-01-01`, `${year}-12-31`));
    const closed: string[] = [];
    for (let date = `${year}-01-01`; date <= `${year}-12-31`; date = addDays(date, 1)) {
      if (Temporal.PlainDate.from(date).dayOfWeek <= 5 && !sessions.has(date)) closed.push(date.slice(5));
    }
    expect(closed.join(" ")).toBe(days);
  });

  test.each([
    "1994-04-27",
    "2001-09-11",
    "2001-09-14",
    "2004-06-11",
    "2007-01-02",
    "2012-10-29",
    "2012-10-30",
    "2018-12-05",
    "2025-01-09",
  ])("closed once: %s", (date) => {
    expect(calendar.isSession(date)).toBe(false);
  });

  test.each([
    "2010-12-31",
    "2021-12-31",
    "2027-12-31",
    "1997-01-20",
    "2021-06-18",
    "2001-09-17",
    "2026-10-12",
    "2026-11-11",
  ])("open: %s", (date) => {
    expect(calendar.isSession(date)).toBe(true);
  });

  test("each year has the known number of sessions", () => {
    expect(calendar.sessionsBetween("2001-01-01", "2001-12-31")).toHaveLength(248);
    expect(calendar.sessionsBetween("2024-01-01", "2024-12-31")).toHaveLength(252);
    expect(calendar.sessionsBetween("2025-01-01", "2025-12-31")).toHaveLength(250);
    expect(calendar.sessionsBetween("2026-01-01", "2026-12-31")).toHaveLength(251);
  });

  test("ranges include both ends and may be empty", () => {
    expect(calendar.sessionsBetween("2026-11-25", "2026-11-30")).toEqual([
      "2026-11-25",
      "2026-11-27",
      "2026-11-30",
    ]);
    expect(calendar.sessionsBetween("2026-11-27", "2026-11-27")).toEqual(["2026-11-27"]);
    expect(calendar.sessionsBetween("2026-11-28", "2026-11-29")).toEqual([]);
    expect(calendar.sessionsBetween("2026-11-30", "2026-11-27")).toEqual([]);
  });

  test("previous and next session skip weekends and holidays", () => {
    expect(calendar.nextSession("2026-11-25")).toBe("2026-11-27");
    expect(calendar.nextSession("2026-11-26")).toBe("2026-11-27");
    expect(calendar.previousSession("2026-11-30")).toBe("2026-11-27");
    expect(calendar.previousSession("2026-11-29")).toBe("2026-11-27");
    expect(calendar.previousSession("2001-09-17")).toBe("2001-09-10");
    expect(calendar.sessionOnOrBefore("2026-11-27")).toBe("2026-11-27");
    expect(calendar.sessionOnOrBefore("2026-11-26")).toBe("2026-11-25");
    expect(calendar.sessionOnOrAfter("2026-12-25")).toBe("2026-12-28");
    expect(calendar.sessionOnOrAfter("2026-12-24")).toBe("2026-12-24");
  });

  test("previous and next session are inverse on every session", () => {
    const sessions = calendar.sessionsBetween("1990-01-02", "2030-12-31");
    fc.assert(
      fc.property(fc.integer({ min: 1, max: sessions.length - 2 }), (i) => {
        const date = sessions[i] ?? "";
        expect(calendar.nextSession(calendar.previousSession(date))).toBe(date);
        expect(calendar.previousSession(date)).toBe(sessions[i - 1] ?? "");
        expect(calendar.sessionsBetween(date, date)).toEqual([date]);
      }),
    );
  });
});

describe("limits", () => {
  test("covers 1990-01-02 to 2030-12-31", () => {
    const sessions = calendar.sessionsBetween(calendar.firstDate, calendar.lastDate);
    expect([sessions[0], sessions.at(-1)]).toEqual(["1990-01-02", "2030-12-31"]);
    expect(calendar.lastDate).toBe("2030-12-31");
  });
  test.each(["1989-12-31", "2031-01-01", "2026-02-30", "soon", ""])("%j is outside", (date) => {
    expect(calendar.covers(date)).toBe(false);
    expect(() => calendar.isSession(date)).toThrow(OutsideCalendar);
    expect(() => calendar.sessionsBetween(date, "2026-01-02")).toThrow(RangeError);
    expect(() => calendar.sessionsBetween("2026-01-02", date)).toThrow(RangeError);
    expect(() => calendar.sessionClose(date)).toThrow(RangeError);
  });
  test("the error message names the covered dates", () => {
    expect(() => calendar.isSession("1989-06-01")).toThrow(
      "1989-06-01 lies outside the exchange calendar, which covers 1990-01-01 to 2030-12-31",
    );
  });
  test("there is no session beyond the limits", () => {
    expect(() => calendar.previousSession("1990-01-02")).toThrow(OutsideCalendar);
    expect(() => calendar.nextSession("2030-12-31")).toThrow(OutsideCalendar);
    expect(() => calendar.sessionAt(at("2031-06-02T15:00:00Z"))).toThrow(OutsideCalendar);
  });
});

describe("hours", () => {
  test("a full day in winter and in summer", () => {
    expect(String(calendar.preMarketOpen("2026-01-05"))).toBe("2026-01-05T09:00:00Z");
    expect(String(calendar.sessionOpen("2026-01-05"))).toBe("2026-01-05T14:30:00Z");
    expect(String(calendar.sessionClose("2026-01-05"))).toBe("2026-01-05T21:00:00Z");
    expect(String(calendar.postMarketClose("2026-01-05"))).toBe("2026-01-06T01:00:00Z");
    expect(String(calendar.sessionOpen("2026-07-06"))).toBe("2026-07-06T13:30:00Z");
    expect(String(calendar.sessionClose("2026-07-06"))).toBe("2026-07-06T20:00:00Z");
  });
  test("the weeks in which the clocks change", () => {
    expect(String(calendar.sessionOpen("2026-03-06"))).toBe("2026-03-06T14:30:00Z");
    expect(String(calendar.sessionOpen("2026-03-09"))).toBe("2026-03-09T13:30:00Z");
    expect(String(calendar.sessionOpen("2026-10-30"))).toBe("2026-10-30T13:30:00Z");
    expect(String(calendar.sessionOpen("2026-11-02"))).toBe("2026-11-02T14:30:00Z");
    // Until 2006 summer time began in April.
    expect(String(calendar.sessionOpen("2006-03-31"))).toBe("2006-03-31T14:30:00Z");
    expect(String(calendar.sessionOpen("2006-04-03"))).toBe("2006-04-03T13:30:00Z");
  });
  test("half days end at 13:00, before 1993 at 14:00, their post-market at 17:00", () => {
    expect(calendar.isHalfDay("2026-11-27")).toBe(true);
    expect(String(calendar.sessionClose("2026-11-27"))).toBe("2026-11-27T18:00:00Z");
    expect(String(calendar.postMarketClose("2026-11-27"))).toBe("2026-11-27T22:00:00Z");
    expect(String(calendar.sessionClose("1992-11-27"))).toBe("1992-11-27T19:00:00Z");
    expect(calendar.isHalfDay("1991-11-29")).toBe(false);
    expect(calendar.isHalfDay("2026-11-25")).toBe(false);
    expect(calendar.isHalfDay("2026-11-26")).toBe(false);
    expect(calendar.isHalfDay("2012-07-03")).toBe(true);
    expect(calendar.isHalfDay("2002-07-03")).toBe(false);
    expect(calendar.isHalfDay("2002-07-05")).toBe(true);
    expect(calendar.isHalfDay("2013-07-05")).toBe(false);
  });
  test.each(["2026-11-26", "2026-11-28"])("%s has no hours", (date) => {
    for (const hour of [
      calendar.preMarketOpen,
      calendar.sessionOpen,
      calendar.sessionClose,
      calendar.postMarketClose,
    ])
      expect(() => hour(date)).toThrow(`${date} is not a session`);
  });
});

describe("sessionAt", () => {
  test.each([
    ["2026-09-04T07:59:59.999Z", "2026-09-04", "closed"],
    ["2026-09-04T08:00:00Z", "2026-09-04", "pre"],
    ["2026-09-04T13:29:59Z", "2026-09-04", "pre"],
    ["2026-09-04T13:30:00Z", "2026-09-04", "regular"],
    ["2026-09-04T19:59:59.999999999Z", "2026-09-04", "regular"],
    ["2026-09-04T20:00:00Z", "2026-09-04", "post"],
    ["2026-09-05T00:00:00Z", "2026-09-04", "closed"],
    ["2026-09-05T04:00:00Z", "2026-09-05", "closed"],
    ["2026-09-07T15:00:00Z", "2026-09-07", "closed"],
    ["2026-11-27T17:59:00Z", "2026-11-27", "regular"],
    ["2026-11-27T18:00:00Z", "2026-11-27", "post"],
    ["2026-11-27T22:00:00Z", "2026-11-27", "closed"],
    ["1992-11-27T18:59:00Z", "1992-11-27", "regular"],
    ["1992-11-27T19:00:00Z", "1992-11-27", "post"],
  ] as const)("%s is %s %s", (instant, date, phase) => {
    expect(calendar.sessionAt(at(instant))).toEqual({ date, phase });
  });
  test("agrees with the hours of the session at any moment", () => {
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(1990, 0, 3), max: Date.UTC(2030, 11, 30) }), (ms) => {
        const instant = Temporal.Instant.fromEpochMilliseconds(ms);
        const { date, phase } = calendar.sessionAt(instant);
        expect(date).toBe(newYorkDate(instant));
        if (!calendar.isSession(date)) return expect(phase).toBe("closed");
        const bounds = [
          calendar.preMarketOpen,
          calendar.sessionOpen,
          calendar.sessionClose,
          calendar.postMarketClose,
        ];
        const passed = bounds.filter((bound) => bound(date).epochMilliseconds <= ms).length;
        expect(phase).toBe((["closed", "pre", "regular", "post", "closed"] as const)[passed] ?? "closed");
      }),
      { numRuns: 1000 },
    );
  });
});

describe("the latest session", () => {
  test("is still Friday on Monday before the open", () => {
    expect(calendar.latestSession(at("2026-09-14T13:29:59Z"))).toBe("2026-09-11");
    expect(calendar.latestSession(at("2026-09-14T13:30:00Z"))).toBe("2026-09-14");
    expect(calendar.latestSession(at("2026-09-07T15:00:00Z"))).toBe("2026-09-04");
  });
  test("is closed at the session's own close", () => {
    expect(calendar.lastClosedSession(at("2026-09-14T19:59:59Z"))).toBe("2026-09-11");
    expect(calendar.lastClosedSession(at("2026-09-14T20:00:00Z"))).toBe("2026-09-14");
    expect(calendar.lastClosedSession(at("2026-11-27T18:00:00Z"))).toBe("2026-11-27");
    expect(calendar.lastClosedSession(at("2026-11-27T17:59:59Z"))).toBe("2026-11-25");
  });
});

describe("extra closures", () => {
  test("close a day in one calendar only", () => {
    const shut = exchangeCalendar({ extraClosures: ["2027-03-02", "2027-03-06"] });
    expect(shut.isSession("2027-03-02")).toBe(false);
    expect(shut.nextSession("2027-03-01")).toBe("2027-03-03");
    expect(shut.sessionAt(at("2027-03-02T15:00:00Z"))).toEqual({ date: "2027-03-02", phase: "closed" });
    expect(calendar.isSession("2027-03-02")).toBe(true);
  });
  test.each(["2027-02-30", "2031-01-02", "tomorrow"])("%s is refused", (date) => {
    expect(() => exchangeCalendar({ extraClosures: [date] })).toThrow(date);
  });
});

describe("days in New York", () => {
  test("begin at midnight in New York: in winter, in summer and when the clocks change", () => {
    expect(String(startOfDay("2026-01-05"))).toBe("2026-01-05T05:00:00Z");
    expect(String(startOfDay("2026-07-06"))).toBe("2026-07-06T04:00:00Z");
    expect(String(endOfDay("2026-03-08"))).toBe("2026-03-09T03:59:59.999999999Z");
    expect(String(endOfDay("2026-11-01"))).toBe("2026-11-02T04:59:59.999999999Z");
    expect(String(endOfDay("2024-02-29"))).toBe("2024-03-01T04:59:59.999999999Z");
    expect(() => endOfDay("2026-02-30")).toThrow(RangeError);
  });
  test("differ from the UTC date in the evening", () => {
    expect(newYorkDate(at("2026-09-05T03:59:59Z"))).toBe("2026-09-04");
    expect(newYorkDate(at("2026-01-01T04:59:59Z"))).toBe("2025-12-31");
    expect(newYorkDate(at("2026-01-01T05:00:00Z"))).toBe("2026-01-01");
  });
});
