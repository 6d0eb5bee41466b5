// The settlement dates of short interest.
import { expect, test } from "bun:test";
import { exchangeCalendar } from "../../market/calendar.ts";
import { settlementDates } from "./interest-ingest.ts";

const between = (start: string, end: string) => settlementDates(exchangeCalendar(), start, end);

test("the last session by the 15th, and the last of the month", () => {
  expect(between("2021-07-01", "2021-08-31")).toEqual([
    "2021-07-15",
    "2021-07-30",
    "2021-08-13",
    "2021-08-31",
  ]);
  // Good Friday 2022 was the 15th of April.
  expect(between("2022-04-01", "2022-04-30")).toEqual(["2022-04-14", "2022-04-29"]);
  expect(between("2024-02-16", "2024-02-29")).toEqual(["2024-02-29"]);
  expect(between("2026-09-16", "2026-09-29")).toEqual([]);
});
