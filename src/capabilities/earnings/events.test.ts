import { describe, expect, test } from "bun:test";
import { onOneBasis } from "./eps-basis.ts";
import { companyEvents, nextOf, onePerDay } from "./events.ts";
import { type ReportRow, reviseReports, reviseSurprises, type SurpriseRow } from "./revise.ts";

const stamp = { symbol: "ZORP", as_of_date: "2026-09-01", revision: 1, known_at: "2026-09-01T11:00:00Z" };
const report = (more: Partial<ReportRow> = {}): ReportRow => ({
  ...stamp,
  event: "2026-09",
  report_date: "2026-10-22",
  report_date_end: null,
  report_time: "amc",
  fiscal_quarter_end: "2026-09-30",
  name: "Zorp",
  eps_estimate: 1.5,
  estimate_count: 9,
  eps_actual: null,
  eps_last_year: 1.2,
  revenue_estimate: null,
  is_confirmed: null,
  withdrawn: false,
  source: "nasdaq",
  ...more,
});
const surprise = (more: Partial<SurpriseRow> = {}): SurpriseRow => ({
  ...stamp,
  fiscal_quarter_end: "2026-06-30",
  report_date: "2026-07-23",
  eps_actual: 1.4,
  eps_estimate: 1.3,
  source: "nasdaq",
  ...more,
});
const yahoo = (more: Partial<ReportRow> = {}) =>
  report({
    event: "next",
    source: "yahoo",
    fiscal_quarter_end: null,
    name: null,
    estimate_count: null,
    eps_last_year: null,
    report_time: "unknown",
    eps_estimate: 1.51,
    revenue_estimate: 9e9,
    is_confirmed: false,
    ...more,
  });

describe("the rows of one day", () => {
  const quarters = (...rows: readonly (readonly [string | null, string])[]) => {
    const found = onePerDay(
      rows.map(([fiscal_quarter_end, report_date]) => report({ fiscal_quarter_end, report_date })),
    );
    return [found.rows.map((row) => row.fiscal_quarter_end), found.warnings.length];
  };

  test("are one: the newest quarter that has ended by then, with a warning about the others", () => {
    const day = "2026-12-02";
    expect(quarters(["2026-10-31", day], ["2027-01-31", day])).toEqual([["2026-10-31"], 1]);
    expect(quarters(["2026-07-31", day], ["2026-10-31", day])).toEqual([["2026-10-31"], 1]);
    expect(quarters(["2026-10-31", day], ["2027-01-31", "2027-03-03"])).toEqual([
      ["2026-10-31", "2027-01-31"],
      0,
    ]);
  });

  test("a quarter that cannot have ended is left out alone, too; one of a month in its second week is not", () => {
    expect(quarters(["2027-01-31", "2026-12-02"])).toEqual([[], 1]);
    expect(quarters(["2026-12-31", "2026-12-02"])).toEqual([[], 1]);
    expect(quarters(["2026-10-31", "2026-10-29"])).toEqual([["2026-10-31"], 0]);
    expect(quarters([null, "2026-12-02"])).toEqual([[null], 0]);
  });
});

describe("the share basis of earnings per share", () => {
  const known = (over: object = {}) => ({
    splits: [{ ex_date: "2026-06-10", numerator: 4, denominator: 1 }],
    from: "1900-01-01",
    through: "2026-09-08",
    wanted: "2026-09-09",
    ...over,
  });
  const row = (as_of_date: string, eps: number) =>
    surprise({ as_of_date, eps_actual: eps, eps_estimate: eps / 2 });
  const based = (rows: readonly SurpriseRow[], over?: object) =>
    onOneBasis(rows, known(over)).map((each) => [each.eps_actual, each.eps_estimate, each.split_basis]);

  test("is one where the splits since each reading are known", () => {
    expect(based([row("2026-09-02", 0.6), row("2026-05-05", 2)], { splits: [] })).toEqual([
      [0.6, 0.3, "2026-09-08"],
      [2, 1, "2026-09-08"],
    ]);
    expect(based([row("2026-05-05", 2)])).toEqual([[0.5, 0.25, "2026-09-08"]]);
  });

  test("is that of the reading where they are not", () => {
    expect(based([row("2026-05-05", 2)], { from: "2026-06-01" })).toEqual([[2, 1, "2026-05-05"]]);
    expect(based([row("2026-05-05", 2)], { through: null })).toEqual([[2, 1, "2026-05-05"]]);
    const spinOff = { splits: [{ ex_date: "2026-06-10", numerator: 1281, denominator: 1000 }] };
    expect(based([row("2026-05-05", 2)], spinOff)).toEqual([[2, 1, "2026-05-05"]]);
    // Read after the split: the provider has followed it.
    expect(based([row("2026-06-11", 0.5)])).toEqual([[0.5, 0.25, "2026-09-08"]]);
  });
});

describe("one row per report", () => {
  test("a reported quarter has the surprise's day and figures and the calendar's other fields", () => {
    const listed = report({ event: "2026-06", fiscal_quarter_end: "2026-06-30", report_date: "2026-07-23" });
    const [row, ...rest] = companyEvents([surprise()], [listed], "nasdaq");
    expect(rest).toEqual([]);
    expect(row).toMatchObject({
      report_date: "2026-07-23",
      report_time: "amc",
      eps_actual: 1.4,
      eps_estimate: 1.3,
      eps_last_year: 1.2,
      is_confirmed: true,
      other_dates: [],
    });
  });

  test("a calendar with another day is listed in other_dates, and its time of day is not used", () => {
    const listed = report({ event: "2026-06", fiscal_quarter_end: "2026-06-30", report_date: "2026-07-27" });
    expect(companyEvents([surprise()], [listed], "nasdaq")[0]).toMatchObject({
      report_date: "2026-07-23",
      report_time: "unknown",
      other_dates: [{ report_date: "2026-07-27", source: "nasdaq" }],
    });
  });

  test("an estimated window around the calendar's day agrees with it", () => {
    const other = yahoo({ report_date: "2026-10-20", report_date_end: "2026-10-25" });
    const [row, ...rest] = companyEvents([], [report(), other], "nasdaq");
    expect(rest).toEqual([]);
    expect(row).toMatchObject({
      report_date: "2026-10-22",
      source: "nasdaq",
      is_confirmed: false,
      eps_estimate: 1.5,
      revenue_estimate: 9e9,
      other_dates: [],
    });
  });

  test("a confirmed day wins over the calendar's, which is listed in other_dates", () => {
    const other = yahoo({ report_date: "2026-10-27", report_time: "bmo", is_confirmed: true });
    expect(companyEvents([], [report(), other], "nasdaq")).toMatchObject([
      {
        report_date: "2026-10-27",
        report_time: "bmo",
        source: "yahoo",
        is_confirmed: true,
        fiscal_quarter_end: "2026-09-30",
        other_dates: [{ report_date: "2026-10-22", source: "nasdaq" }],
      },
    ]);
  });

  test("an earlier estimate of a published report adds nothing; one of the next quarter is a separate report", () => {
    const old = yahoo({ report_date: "2026-07-20", is_confirmed: true });
    expect(companyEvents([surprise()], [old], "nasdaq").map((e) => e.report_date)).toEqual(["2026-07-23"]);
    const next = yahoo({ report_date: "2026-10-27" });
    const events = companyEvents([surprise()], [next], "nasdaq");
    expect(events.map((e) => [e.report_date, e.source])).toEqual([
      ["2026-10-27", "yahoo"],
      ["2026-07-23", "nasdaq"],
    ]);
    expect(nextOf(events, "2026-09-01")?.report_date).toBe("2026-10-27");
    expect(nextOf(events, "2026-07-20")?.report_date).toBe("2026-10-27");
    expect(nextOf(events, "2026-10-28")).toBeNull();
  });
});

describe("revisions", () => {
  const observedBy = { source: "nasdaq", today: "2026-09-02", known_at: "2026-09-02T11:00:00Z" };

  test("an unchanged report adds no row, a moved or re-estimated one adds one", () => {
    const again = report();
    expect(reviseReports([report()], [again], observedBy, () => false)).toEqual([]);
    const moved = reviseReports([report()], [report({ report_date: "2026-10-29" })], observedBy, () => false);
    expect(moved.map((r) => [r.report_date, r.revision, r.as_of_date, r.withdrawn])).toEqual([
      ["2026-10-29", 2, "2026-09-02", false],
    ]);
  });

  test("a report that is no longer listed is withdrawn when the list is complete, and may come back", () => {
    expect(reviseReports([report()], [], observedBy, () => false)).toEqual([]);
    const [gone] = reviseReports([report()], [], observedBy, () => true);
    expect(gone).toMatchObject({ withdrawn: true, revision: 2, report_date: "2026-10-22" });
    if (!gone) throw new Error("not withdrawn");
    expect(reviseReports([gone], [], observedBy, () => true)).toEqual([]);
    expect(reviseReports([gone], [report()], observedBy, () => true)).toMatchObject([
      { withdrawn: false, revision: 3 },
    ]);
  });

  test("surprises: new, unchanged, restated; a quarter that drops off the list stays", () => {
    const { symbol: _, as_of_date: _a, revision: _r, known_at: _k, source: _s, ...row } = surprise();
    expect(reviseSurprises("ZORP", [], [row], observedBy)).toMatchObject([{ revision: 1, eps_actual: 1.4 }]);
    expect(reviseSurprises("ZORP", [surprise()], [row], observedBy)).toEqual([]);
    expect(reviseSurprises("ZORP", [surprise()], [], observedBy)).toEqual([]);
    expect(reviseSurprises("ZORP", [surprise()], [{ ...row, eps_actual: 0.35 }], observedBy)).toMatchObject([
      { revision: 2, eps_actual: 0.35, known_at: "2026-09-02T11:00:00Z" },
    ]);
  });
});
