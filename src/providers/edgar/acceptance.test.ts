import { describe, expect, test } from "bun:test";
import {
  acceptanceOfFeed,
  acceptanceOfHeader,
  acceptanceOfIndexPage,
  acceptanceUnknown,
} from "./acceptance.ts";

const header = (stamp: string | null, filing_date: string, form_type = "8-K", document_date?: string) =>
  acceptanceOfHeader(stamp, { filing_date, form_type, ...(document_date ? { document_date } : {}) });

describe("a header's stamp is New York's clock", () => {
  test.each([
    ["in winter", "20260305164618", "2026-03-05", "2026-03-05T21:46:18Z"],
    ["in summer", "20260610164618", "2026-06-10", "2026-06-10T20:46:18Z"],
    ["on the last trading day of winter time", "20260306172959", "2026-03-06", "2026-03-06T22:29:59Z"],
    ["on the first of summer time", "20260309060000", "2026-03-09", "2026-03-09T10:00:00Z"],
    ["on a leap day", "20240229120000", "2024-02-29", "2024-02-29T17:00:00Z"],
    ["before 2007, when summer time began in April", "20060320120000", "2006-03-20", "2006-03-20T17:00:00Z"],
  ])("%s", (_when, stamp, date, at) => {
    expect(header(stamp, date)).toEqual({
      accepted_at: at,
      filing_date: date,
      precision: "second",
      source: "header",
      public_from: at,
    });
  });

  test("after 17:30 with the next business day's date it is public when EDGAR opens that day", () => {
    expect(header("20251107175000", "2025-11-10", "S-8")).toMatchObject({
      accepted_at: "2025-11-07T22:50:00Z",
      filing_date: "2025-11-10",
      public_from: "2025-11-10T11:00:00Z",
    });
    // The clocks go back between the two.
    expect(header("20251031180000", "2025-11-03").public_from).toBe("2025-11-03T11:00:00Z");
    expect(header("20260306180000", "2026-03-09").public_from).toBe("2026-03-09T10:00:00Z");
  });

  test("after 17:30 with the same day's date (3, 4, 5, 144, 13D, 13G) it is public at once, past midnight UTC", () => {
    expect(header("20221104210343", "2022-11-04", "4")).toMatchObject({
      accepted_at: "2022-11-05T01:03:43Z",
      public_from: "2022-11-05T01:03:43Z",
    });
  });

  test("a filing date set back does not make it public before it was accepted", () => {
    expect(header("20230215081538", "2023-02-14", "13F-HR").public_from).toBe("2023-02-15T13:15:38Z");
  });

  test("the hour that comes twice is not decided, and public from its second time", () => {
    expect(header("20251102013000", "2025-11-02")).toEqual({
      accepted_at: null,
      filing_date: "2025-11-02",
      precision: "ambiguous",
      source: "header",
      public_from: "2025-11-02T06:30:00Z",
    });
  });

  test.each([
    ["no stamp", null],
    ["an empty one", ""],
    ["midnight sharp, EDGAR's word for no time", "20000511000000"],
    ["a time in the hour spring leaves out", "20260308023000"],
    ["the 30th of February", "20260230120000"],
    ["an impossible hour", "20260305250000"],
    ["a leap second", "20260305235961"],
    ["fewer digits", "2026030516461"],
    ["more digits", "202603051646180"],
  ])("%s leaves the day alone, and of when it came out nothing", (_what, stamp) => {
    expect(header(stamp, "2026-03-05")).toEqual({
      accepted_at: null,
      filing_date: "2026-03-05",
      precision: "day",
      source: null,
      public_from: null,
    });
  });

  test("without a stamp the file's own day counts when it is the later one", () => {
    expect(header(null, "2000-03-14", "4", "2000-03-16").public_from).toBe("2000-03-17T04:59:59Z");
    expect(header(null, "2000-03-14", "4", "2000-03-10").public_from).toBe("2000-03-15T04:59:59Z");
  });

  test.each(["CORRESP", "UPLOAD", "DRS", "DRS/A", "DRSLTR"])(
    "of %s nothing is said of when it came out",
    (form) => {
      expect(header("20260305120000", "2026-03-05", form)).toMatchObject({
        accepted_at: "2026-03-05T17:00:00Z",
        public_from: null,
      });
    },
  );
});

test("an index page's time is New York's clock too, and midnight there means unknown", () => {
  const dated = { filing_date: "2022-11-04", form_type: "4" };
  expect(acceptanceOfIndexPage("2022-11-04 21:03:43", dated)).toMatchObject({
    accepted_at: "2022-11-05T01:03:43Z",
    source: "index_page",
  });
  for (const text of ["2022-11-04 00:00:00", "2022-11-04", "", null, "2022-11-04T21:03:43"])
    expect(acceptanceOfIndexPage(text, dated)).toMatchObject({ accepted_at: null, precision: "day" });
});

test("the feed carries its offset", () => {
  const dated = { filing_date: "2025-12-15", form_type: "8-K" };
  expect(acceptanceOfFeed(Temporal.Instant.from("2025-12-12T18:02:10-05:00"), dated)).toEqual({
    accepted_at: "2025-12-12T23:02:10Z",
    filing_date: "2025-12-15",
    precision: "second",
    source: "feed",
    public_from: "2025-12-15T11:00:00Z",
  });
});

test("a filing date alone", () => {
  expect(acceptanceUnknown({ filing_date: "1996-08-07", form_type: "10-Q" })).toMatchObject({
    precision: "day",
    accepted_at: null,
  });
});
