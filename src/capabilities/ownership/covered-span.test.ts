import { expect, test } from "bun:test";
import { coverageOf } from "./covered-span.ts";

const ms = (text: string) => Temporal.Instant.from(text).epochMilliseconds;
const NOW = ms("2026-09-09T21:00:00Z");
const days = (...dates: string[]) => new Set(dates);

test("nothing known covers nothing", () => {
  expect(coverageOf({ list: null, days: days() }, "2026-09-01", NOW, NOW)).toEqual({
    ...{ isWhole: false, data_from: null, data_to: null },
  });
});

test("a fresh list covers what it reaches back to, today with it", () => {
  const list = { covered_from: "2024-01-02", listedMs: NOW - 60_000 };
  expect(coverageOf({ list, days: days() }, "2026-09-01", NOW, NOW)).toEqual({
    ...{ isWhole: true, data_from: "2024-01-02", data_to: "2026-09-09" },
  });
  expect(coverageOf({ list, days: days() }, "2023-12-01", NOW, NOW)).toEqual({
    ...{ isWhole: false, data_from: "2024-01-02", data_to: "2026-09-09" },
  });
});

test("an old list covers the days that were over when it was read, and the past asked", () => {
  const list = { covered_from: "2026-01-02", listedMs: ms("2026-09-03T15:00:00Z") };
  expect(coverageOf({ list, days: days() }, "2026-08-03", NOW, NOW)).toMatchObject({
    ...{ isWhole: false, data_to: "2026-09-02" },
  });
  expect(coverageOf({ list, days: days() }, "2026-08-03", ms("2026-09-03T14:00:00Z"), NOW).isWhole).toBe(
    true,
  );
  expect(coverageOf({ list, days: days() }, "2026-08-03", ms("2026-09-03T16:00:00Z"), NOW).isWhole).toBe(
    false,
  );
});

test("days taken in for everybody go on where a list ends; weekends and holidays are no gap", () => {
  const list = { covered_from: "2026-01-02", listedMs: ms("2026-09-03T15:00:00Z") };
  // The 7th is Labor Day.
  const taken = days("2026-09-03", "2026-09-04", "2026-09-08");
  const until = ms("2026-09-09T03:00:00Z");
  expect(coverageOf({ list, days: taken }, "2026-08-03", until, NOW)).toMatchObject({ isWhole: true });
  const gap = days("2026-09-03", "2026-09-08");
  expect(coverageOf({ list, days: gap }, "2026-08-03", until, NOW)).toEqual({
    ...{ isWhole: false, data_from: "2026-09-08", data_to: "2026-09-08" },
  });
});

test("a list that ends before the span does not lend it its beginning", () => {
  const list = { covered_from: "2013-01-02", listedMs: ms("2015-01-05T15:00:00Z") };
  const taken = days("2026-09-08");
  expect(coverageOf({ list, days: taken }, "2026-09-08", ms("2026-09-09T03:00:00Z"), NOW)).toEqual({
    ...{ isWhole: true, data_from: "2026-09-08", data_to: "2026-09-08" },
  });
});
