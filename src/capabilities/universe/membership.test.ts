import { describe, expect, test } from "bun:test";
import { exchangeCalendar } from "../../market/calendar.ts";
import { countingOf, earlierOf, severalClasses, supplanted, wasListed } from "./membership.ts";
import { lastSessionOf, lastSettledMonth, monthsBetween } from "./months.ts";
import type { Listing } from "./registry.ts";

const listing = (symbol: string, over: Partial<Listing> = {}): Listing => ({
  listing: symbol,
  symbol,
  name: symbol,
  cik: null,
  sector: null,
  industry: null,
  country: null,
  ipo_year: null,
  exchange: "NYSE",
  security_type: "common",
  is_etf: false,
  is_active: true,
  first_seen: "2026-09-01T10:15:00.000Z",
  last_seen: null,
  former_symbols: null,
  continued_by: null,
  source: "otherlisted",
  market_cap: null,
  market_cap_at: null,
  ...over,
});

describe("whether a listing was listed on a day", () => {
  const bounds = { first: "2024-01-02", last: "2026-09-08" };

  test("by its bars: between the first and the last", () => {
    const one = listing("ZORP");
    expect(wasListed(one, "2025-06-30", bounds)).toBe(true);
    expect(wasListed(one, "2023-12-29", bounds)).toBe(false);
    expect(wasListed(one, "2025-06-30", undefined)).toBe(false);
  });

  test("by the lists: from the day it was first seen to the last", () => {
    const gone = listing("GLUMP", { is_active: false, last_seen: "2026-11-20T11:15:00.000Z" });
    expect(wasListed(gone, "2026-10-30", undefined)).toBe(true);
    expect(wasListed(gone, "2026-11-30", undefined)).toBe(false);
    expect(wasListed(gone, "2026-08-31", undefined)).toBe(false);
    expect(wasListed(listing("NEWQ"), "2026-11-30", undefined)).toBe(true);
  });

  test("a reused symbol counts from the day it was first seen", () => {
    const second = listing("PIPZ", { listing: "PIPZ~2026-09-01" });
    expect(wasListed(second, "2025-06-30", bounds)).toBe(false);
    expect(wasListed(second, "2026-09-30", undefined)).toBe(true);
  });
});

test("a listing whose symbol belongs to another one is left out", () => {
  const first = listing("PIPZ", { is_active: false, last_seen: "2026-10-01T10:15:00.000Z" });
  const second = listing("PIPZ", { listing: "PIPZ~2026-10-02" });
  expect([...supplanted([first, second, listing("ZORP")])]).toEqual(["PIPZ"]);
  const renamed = listing("OLDZQ", { is_active: false, continued_by: "NEWZQ" });
  expect([...supplanted([renamed, listing("NEWZQ")])]).toEqual(["OLDZQ"]);
  expect([...earlierOf([renamed, listing("NEWZQ")])]).toEqual([["NEWZQ", ["OLDZQ"]]]);
});

test("how shares are counted", () => {
  const cik = "0009000001";
  const classes = [
    listing("QUIB", { cik }),
    listing("QUIB.B", { cik }),
    listing("ZORP", { cik: "0009000002" }),
  ];
  const several = severalClasses([
    ...classes,
    listing("ZORP.PRA", { cik: "0009000002", security_type: "preferred" }),
  ]);
  expect([...several]).toEqual([cik]);
  const counted = (one: Listing) => Object.values(countingOf(one, several));
  expect(classes.map(counted)).toEqual([
    ["provider", "several_classes"],
    ["provider", "several_classes"],
    ["reports", null],
  ]);
  expect(counted(listing("RUMBQ", { security_type: "adr", cik }))).toEqual(["provider", "depositary_shares"]);
  expect(counted(listing("NOCIK"))).toEqual(["provider", null]);
  expect(counted(listing("FUNDQ", { security_type: "fund" }))).toEqual(["provider", null]);
  for (const security_type of ["warrant", "unit", "right", "preferred", "note", "etf"])
    expect(counted(listing("X", { security_type, cik: "0009000002" }))).toEqual(["none", null]);
});

describe("months", () => {
  const calendar = exchangeCalendar();

  test("between two months, across the end of a year and a leap day", () => {
    expect(monthsBetween("2023-12", "2024-02")).toEqual(["2023-12", "2024-01", "2024-02"]);
    expect(monthsBetween("2026-08", "2026-08")).toEqual(["2026-08"]);
  });

  test.each([
    ["2026-08", "2026-08-31"],
    ["2026-05", "2026-05-29"],
    ["2024-02", "2024-02-29"],
    // Good Friday was the last weekday of the month.
    ["2024-03", "2024-03-28"],
    // A half day.
    ["2025-11", "2025-11-28"],
  ])("%s ends with the session of %s", (month, date) => {
    expect(lastSessionOf(month, calendar)).toBe(date);
  });

  test.each([
    ["2026-08-31T20:30:00Z", "2026-07", "after the last close, which still moves"],
    ["2026-09-01T13:29:00Z", "2026-07", "before the next session opens"],
    ["2026-09-01T13:30:00Z", "2026-08", "once it has opened"],
    ["2026-09-15T16:00:00Z", "2026-08", "within a month"],
    ["2026-01-01T16:00:00Z", "2025-11", "on a holiday at the beginning of a month"],
    ["2026-01-02T14:30:00Z", "2025-12", "at the first open of a year"],
  ])("at %s the newest settled month is %s: %s", (at, month) => {
    expect(lastSettledMonth(calendar, Temporal.Instant.from(at))).toBe(month);
  });
});
