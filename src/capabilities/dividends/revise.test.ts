import { describe, expect, test } from "bun:test";
import { type DividendRow, type Observation, revise, type Seen } from "./revise.ts";

const seen = (more: Partial<Seen> = {}): Seen => ({
  ex_dividend_date: "2026-09-18",
  dividend_type: "cash",
  declaration_date: "2026-08-20",
  record_date: "2026-09-18",
  payment_date: "2026-10-02",
  amount: 0.25,
  reported_amount: null,
  basis_date: null,
  currency: "USD",
  ...more,
});
const observe = (rows: readonly Seen[], today: string, more: Partial<Observation> = {}): Observation => ({
  symbol: "ZORP",
  source: "nasdaq",
  rows,
  today,
  known_at: `${today}T12:00:00Z`,
  cancels: () => true,
  splitRatio: () => 1,
  ...more,
});
/** Applies the observations in order, each to the newest revisions stored before it. */
function applied(...observations: readonly Observation[]): DividendRow[] {
  const all: DividendRow[] = [];
  const key = (row: DividendRow) => `${row.ex_dividend_date} ${row.dividend_type} ${row.part}`;
  for (const one of observations)
    all.push(...revise([...new Map(all.map((r) => [key(r), r])).values()], one));
  return all;
}
const revisionsOf = (rows: readonly DividendRow[]) =>
  rows.map((r) => [r.ex_dividend_date, r.part, r.revision, r.status, r.amount, r.as_of_date]);

describe("revisions", () => {
  test("a new dividend, a changed amount and a changed payment date are revisions; an unchanged reading is none", () => {
    const rows = applied(
      observe([seen()], "2026-08-21"),
      observe([seen()], "2026-08-24"),
      observe([seen({ amount: 0.3 })], "2026-08-25"),
      observe([seen({ amount: 0.3, payment_date: "2026-10-05" })], "2026-09-01"),
    );
    expect(revisionsOf(rows)).toEqual([
      ["2026-09-18", 1, 1, "declared", 0.25, "2026-08-21"],
      ["2026-09-18", 1, 2, "declared", 0.3, "2026-08-25"],
      ["2026-09-18", 1, 3, "declared", 0.3, "2026-09-01"],
    ]);
    expect(rows[2]?.payment_date).toBe("2026-10-05");
  });

  test("two identical lines are one payment; two different lines are two", () => {
    expect(revisionsOf(applied(observe([seen(), seen()], "2026-08-21")))).toEqual([
      ["2026-09-18", 1, 1, "declared", 0.25, "2026-08-21"],
    ]);
    expect(
      applied(observe([seen(), seen({ amount: 0.1 })], "2026-08-21")).map(({ amount }) => amount),
    ).toEqual([0.25, 0.1]);
  });

  test("a dividend that disappears before its ex date is cancelled once, and may come back", () => {
    const other = seen({ ex_dividend_date: "2026-06-18", amount: 0.24 });
    const rows = applied(
      observe([seen(), other], "2026-08-21"),
      observe([other], "2026-08-28"),
      observe([other], "2026-08-29"),
      observe([seen(), other], "2026-09-02"),
    );
    expect(revisionsOf(rows).filter(([ex]) => ex === "2026-09-18")).toEqual([
      ["2026-09-18", 1, 1, "declared", 0.25, "2026-08-21"],
      ["2026-09-18", 1, 2, "cancelled", 0.25, "2026-08-28"],
      ["2026-09-18", 1, 3, "declared", 0.25, "2026-09-02"],
    ]);
  });

  test("a dividend is not cancelled on or after its ex date, nor by an incomplete list", () => {
    expect(applied(observe([seen()], "2026-08-21"), observe([], "2026-09-18")).length).toBe(1);
    expect(
      applied(observe([seen()], "2026-08-21"), observe([], "2026-08-22", { cancels: () => false })).length,
    ).toBe(1);
  });

  test("a moved ex date is one cancelled and one declared dividend", () => {
    const rows = applied(
      observe([seen()], "2026-08-21"),
      observe([seen({ ex_dividend_date: "2026-09-21" })], "2026-08-24"),
    );
    expect(revisionsOf(rows)).toEqual([
      ["2026-09-18", 1, 1, "declared", 0.25, "2026-08-21"],
      ["2026-09-18", 1, 2, "cancelled", 0.25, "2026-08-24"],
      ["2026-09-21", 1, 1, "declared", 0.25, "2026-08-24"],
    ]);
  });

  test("two payments of one type on one day keep their part numbers in any order", () => {
    const [a, b] = [seen({ amount: 0.25 }), seen({ amount: 1 })];
    const rows = applied(
      observe([a, b], "2026-08-21"),
      observe([b, a], "2026-08-24"),
      observe([b, seen({ amount: 0.26 })], "2026-08-25"),
      observe([seen({ amount: 0.26 })], "2026-08-26"),
    );
    expect(revisionsOf(rows)).toEqual([
      ["2026-09-18", 1, 1, "declared", 0.25, "2026-08-21"],
      ["2026-09-18", 2, 1, "declared", 1, "2026-08-21"],
      ["2026-09-18", 1, 2, "declared", 0.26, "2026-08-25"],
      ["2026-09-18", 2, 2, "cancelled", 1, "2026-08-26"],
    ]);
  });
});

describe("amounts that the provider adjusts for splits", () => {
  const adjusted = (reported_amount: number, basis_date: string, amount: number | null) =>
    seen({ ex_dividend_date: "2026-06-01", payment_date: null, reported_amount, basis_date, amount });
  const splitRatio = (after: string, through: string) =>
    after < "2026-07-01" && through >= "2026-07-01" ? 4 : 1;

  test("an adjustment for a split is no change, and the amount as paid stays", () => {
    const rows = applied(
      observe([adjusted(0.82, "2026-06-02", 0.82)], "2026-06-02", { splitRatio }),
      observe([adjusted(0.205, "2026-07-02", null)], "2026-07-02", { splitRatio }),
    );
    expect(revisionsOf(rows)).toEqual([["2026-06-01", 1, 1, "declared", 0.82, "2026-06-02"]]);
  });

  test("a different amount is a change, and the amount as paid becomes unknown", () => {
    const rows = applied(
      observe([adjusted(0.82, "2026-06-02", 0.82)], "2026-06-02", { splitRatio }),
      observe([adjusted(0.21, "2026-07-02", null)], "2026-07-02", { splitRatio }),
    );
    expect(rows.map((r) => [r.amount, r.reported_amount, r.revision])).toEqual([
      [0.82, 0.82, 1],
      [null, 0.21, 2],
    ]);
  });
});
