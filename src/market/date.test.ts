// Dates as text: validity and arithmetic.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { addDays, isDate, isRealDay, mondayOf, monthEnd, weekday } from "./date.ts";

setDefaultTimeout(1_200_000);

test("a real day may lie in any four-digit year", () => {
  for (const text of ["0001-01-01", "1776-07-04", "9999-12-31", "2024-02-29", "1600-02-29"])
    expect([text, isRealDay(text)]).toEqual([text, true]);
  for (const text of ["0000-01-01", "1700-02-29", "9999-12-32", "10000-01-01", "2026-02-30", "1776-7-4", ""])
    expect([text, isRealDay(text)]).toEqual([text, false]);
});

describe("isDate", () => {
  test.each(["2026-02-28", "2024-02-29", "2000-02-29", "1900-01-01", "2100-12-31"])(
    "%s is a date",
    (text) => {
      expect(isDate(text)).toBe(true);
    },
  );
  test.each([
    "2026-02-30",
    "2026-02-29",
    "1900-02-29",
    "2100-02-29",
    "2026-13-01",
    "2026-00-10",
    "2026-04-31",
    "2026-04-00",
    "0000-00-00",
    "1899-12-31",
    "2101-01-01",
    "2026-1-1",
    "20260101",
    "2026-01-01T00:00:00Z",
    " 2026-01-01",
    "2026-01-01\n",
    "+02026-01-01",
    "２０２６-01-01",
    "",
  ])("%j is not a date", (text) => {
    expect(isDate(text)).toBe(false);
  });
  test("agrees with Temporal on every day number", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1900, max: 2100 }),
        fc.integer({ min: 0, max: 13 }),
        fc.integer({ min: 0, max: 32 }),
        (y, m, d) => {
          const text = `${y}-${String(m).padStart(2, "0")}-${String(d).padStart(2, "0")}`;
          let real = true;
          try {
            Temporal.PlainDate.from({ year: y, month: m, day: d }, { overflow: "reject" });
          } catch {
            real = false;
          }
          expect(isDate(text)).toBe(real);
        },
      ),
    );
  });
});

test("adds days across months, leap days and years", () => {
  expect(addDays("2024-02-28", 1)).toBe("2024-02-29");
  expect(addDays("2023-02-28", 1)).toBe("2023-03-01");
  expect(addDays("2026-01-01", -1)).toBe("2025-12-31");
  expect(() => addDays("2026-02-30", 1)).toThrow(RangeError);
});

test("weeks begin on Monday and months end on their last day", () => {
  expect(weekday("2026-11-23")).toBe(1);
  expect(mondayOf("2026-11-29")).toBe("2026-11-23");
  expect(mondayOf("2026-11-23")).toBe("2026-11-23");
  expect(mondayOf("2026-01-01")).toBe("2025-12-29");
  expect(monthEnd("2024-02-10")).toBe("2024-02-29");
  expect(monthEnd("2026-12-31")).toBe("2026-12-31");
});
