import { describe, expect, test } from "bun:test";
import { startOfDay } from "../../../market/calendar.ts";
import { firstDayOf, requestStart } from "./lookback.ts";

const dates = (start: string | null) => ({ start, period: null });

describe("firstDayOf", () => {
  test("the limit's own day is within, the day before is not", () => {
    expect(firstDayOf(dates("2026-07-11"), "5m", "2026-09-09")).toBe("2026-07-11");
    expect(() => firstDayOf(dates("2026-07-10"), "5m", "2026-09-09")).toThrow("60 days, to 2026-07-11");
    expect(firstDayOf(dates("2026-09-02"), "1m", "2026-09-09")).toBe("2026-09-02");
    expect(() => firstDayOf(dates("2026-09-01"), "1m", "2026-09-09")).toThrow("7 days");
    expect(() => firstDayOf(dates(null), "1h", "2026-09-09")).toThrow("all history");
  });

  test("a period of two years with a leap day in it is cut, not refused; dates are not cut", () => {
    const span = { start: "2023-03-01", period: "2y" } as const;
    expect(firstDayOf(span, "1h", "2025-03-01")).toBe("2023-03-02");
    expect(() => firstDayOf(dates("2023-03-01"), "1h", "2025-03-01")).toThrow("730 days");
    expect(() => firstDayOf({ start: "2020-03-01", period: "5y" }, "1h", "2025-03-01")).toThrow("730 days");
  });
});

describe("requestStart", () => {
  const now = Temporal.Instant.from("2026-09-09T21:00:00Z");
  const tomorrow = startOfDay("2026-09-10");

  test("a day well within the limit is requested from its start", () => {
    const { at, isCut } = requestStart("2026-08-03", tomorrow, "5m", now);
    expect([at.toString(), isCut]).toEqual(["2026-08-03T04:00:00Z", false]);
  });

  test("the limit's own day is requested from a minute after the limit", () => {
    const { at, isCut } = requestStart("2026-07-11", tomorrow, "30m", now);
    expect([at.toString(), isCut]).toEqual(["2026-07-11T21:01:00Z", true]);
  });

  test("a week of minutes with the extra hour of autumn stays within 8 days, and no trading hour is lost", () => {
    const { at } = requestStart(
      "2026-10-29",
      startOfDay("2026-11-06"),
      "1m",
      Temporal.Instant.from("2026-11-05T21:00:00Z"),
    );
    expect(at.toString()).toBe("2026-10-29T05:00:00Z");
    expect(requestStart("2026-09-02", tomorrow, "1m", now)).toEqual({
      at: startOfDay("2026-09-02"),
      isCut: false,
    });
  });
});
