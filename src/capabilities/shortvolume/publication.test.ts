// From when a version of a file counts as known.
import { expect, test } from "bun:test";
import { exchangeCalendar } from "../../market/calendar.ts";
import { isOverdue, knownAt, newestDue } from "./publication.ts";

const calendar = exchangeCalendar();
const at = (text: string) => Temporal.Instant.from(text);
const version = (date: string, more: object = {}) => ({
  date,
  fetched_at: "2026-11-20T15:00:00Z",
  last_modified: null,
  former: null,
  ...more,
});

test.each([
  ["a Wednesday: the Thursday, in summer time", "2026-09-09", "2026-09-10T04:00:00Z"],
  ["a Friday: the Monday", "2026-09-11", "2026-09-14T04:00:00Z"],
  ["before Labor Day: the Tuesday", "2026-09-04", "2026-09-08T04:00:00Z"],
  ["the Friday before the clocks go back: the Monday, in winter time", "2026-10-30", "2026-11-02T05:00:00Z"],
  ["the half day after Thanksgiving: the Monday", "2026-11-27", "2026-11-30T05:00:00Z"],
  ["the last session of a year", "2026-12-31", "2027-01-04T05:00:00Z"],
  ["a leap day", "2024-02-29", "2024-03-01T05:00:00Z"],
])("%s", (_, date, known) => {
  expect(knownAt(calendar, version(date))).toBe(known);
  // Regardless of when it was fetched.
  expect(knownAt(calendar, version(date, { fetched_at: `${date}T22:05:00Z` }))).toBe(known);
});

test("a first version that was modified within a month of its date is known from that modification", () => {
  expect(knownAt(calendar, version("2026-09-09", { last_modified: "2026-09-09T22:00:00Z" }))).toBe(
    "2026-09-10T04:00:00Z",
  );
  expect(knownAt(calendar, version("2026-09-09", { last_modified: "2026-09-14T16:00:00Z" }))).toBe(
    "2026-09-14T16:00:00Z",
  );
  // Moved to another server years later: its content has not changed.
  expect(knownAt(calendar, version("2019-09-09", { last_modified: "2022-01-14T16:00:00Z" }))).toBe(
    "2019-09-10T04:00:00Z",
  );
});

test("a later version is known from its fetch, and never before the version it follows", () => {
  const former = "2026-09-10T04:00:00Z";
  expect(knownAt(calendar, version("2026-09-09", { former, fetched_at: "2026-09-11T22:15:00Z" }))).toBe(
    "2026-09-11T22:15:00Z",
  );
  // Corrected on the same evening: both are known in the morning, and the correction counts.
  expect(knownAt(calendar, version("2026-09-09", { former, fetched_at: "2026-09-10T00:15:00Z" }))).toBe(
    "2026-09-10T04:00:00.001Z",
  );
});

test("the newest file that is due", () => {
  expect(newestDue(calendar, at("2026-09-09T21:59:59Z"))).toBe("2026-09-08");
  expect(newestDue(calendar, at("2026-09-09T22:00:00Z"))).toBe("2026-09-09");
  expect(newestDue(calendar, at("2026-09-13T15:00:00Z"))).toBe("2026-09-11");
  // The file of a half day is not published earlier.
  expect(newestDue(calendar, at("2026-11-27T20:00:00Z"))).toBe("2026-11-25");
});

test("a missing file is overdue three hours after it was due", () => {
  expect(isOverdue("2026-09-09", at("2026-09-10T01:00:00Z"))).toBe(false);
  expect(isOverdue("2026-09-09", at("2026-09-10T01:00:01Z"))).toBe(true);
});
