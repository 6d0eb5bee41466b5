import { expect, test } from "bun:test";
import { coveredSpan } from "./covered-span.ts";

const ms = (text: string) => Temporal.Instant.from(text).epochMilliseconds;
const NOW = ms("2026-09-09T21:00:00Z");
const days = (...dates: string[]) => new Set(dates);

test("covers nothing when nothing is indexed", () => {
  expect(coveredSpan({ list: null, days: days() }, "2026-09-01", NOW, NOW)).toEqual({
    isWhole: false,
    data_from: null,
    data_to: null,
  });
});

test("a fresh list covers its span, including today", () => {
  const list = { covered_from: "2024-01-02", listedMs: NOW - 60_000 };
  expect(coveredSpan({ list, days: days() }, "2026-09-01", NOW, NOW)).toEqual({
    isWhole: true,
    data_from: "2024-01-02",
    data_to: "2026-09-09",
  });
  expect(coveredSpan({ list, days: days() }, "2023-12-01", NOW, NOW)).toEqual({
    isWhole: false,
    data_from: "2024-01-02",
    data_to: "2026-09-09",
  });
});

test("a list of six minutes ago says nothing of the minutes since", () => {
  const list = { covered_from: "2024-01-02", listedMs: NOW - 6 * 60_000 };
  expect(coveredSpan({ list, days: days() }, "2026-09-01", NOW, NOW)).toMatchObject({
    isWhole: false,
    data_to: "2026-09-08",
  });
});

test("an old list covers the days before it was read, and any moment before that", () => {
  const list = { covered_from: "2026-01-02", listedMs: ms("2026-09-03T15:00:00Z") };
  expect(coveredSpan({ list, days: days() }, "2026-08-03", NOW, NOW)).toMatchObject({
    isWhole: false,
    data_to: "2026-09-02",
  });
  expect(coveredSpan({ list, days: days() }, "2026-08-03", ms("2026-09-03T14:00:00Z"), NOW).isWhole).toBe(
    true,
  );
  expect(coveredSpan({ list, days: days() }, "2026-08-03", ms("2026-09-03T16:00:00Z"), NOW).isWhole).toBe(
    false,
  );
});

test("indexed days continue a list; weekends and holidays are not gaps", () => {
  const list = { covered_from: "2026-01-02", listedMs: ms("2026-09-03T15:00:00Z") };
  // The 7th is Labor Day.
  const indexed = days("2026-09-03", "2026-09-04", "2026-09-08");
  const until = ms("2026-09-09T03:00:00Z");
  expect(coveredSpan({ list, days: indexed }, "2026-08-03", until, NOW)).toMatchObject({ isWhole: true });
  const gap = days("2026-09-03", "2026-09-08");
  expect(coveredSpan({ list, days: gap }, "2026-08-03", until, NOW)).toEqual({
    isWhole: false,
    data_from: "2026-09-08",
    data_to: "2026-09-08",
  });
});

test("a list that ends before the requested span does not extend it", () => {
  const list = { covered_from: "2013-01-02", listedMs: ms("2015-01-05T15:00:00Z") };
  const indexed = days("2026-09-08");
  expect(coveredSpan({ list, days: indexed }, "2026-09-08", ms("2026-09-09T03:00:00Z"), NOW)).toEqual({
    isWhole: true,
    data_from: "2026-09-08",
    data_to: "2026-09-08",
  });
});
