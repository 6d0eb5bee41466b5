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
const look = (rows: readonly Seen[], today: string, more: Partial<Observation> = {}): Observation => ({
  symbol: "ZORP",
  source: "nasdaq",
  rows,
  today,
  known_at: `${today}T12:00:00Z`,
  cancels: () => true,
  splitRatio: () => 1,
  ...more,
});
/** Each look after the other; the newest revision of each dividend is what the next one meets. */
function through(...looks: readonly Observation[]): DividendRow[] {
  const all: DividendRow[] = [];
  const key = (row: DividendRow) => `${row.ex_dividend_date} ${row.dividend_type} ${row.part}`;
  for (const one of looks) all.push(...revise([...new Map(all.map((r) => [key(r), r])).values()], one));
  return all;
}
const told = (rows: readonly DividendRow[]) =>
  rows.map((r) => [r.ex_dividend_date, r.part, r.revision, r.status, r.amount, r.as_of_date]);

describe("revisions", () => {
  test("the first word, an unchanged one, a changed amount, a changed payment date", () => {
    const rows = through(
      look([seen()], "2026-08-21"),
      look([seen()], "2026-08-24"),
      look([seen({ amount: 0.3 })], "2026-08-25"),
      look([seen({ amount: 0.3, payment_date: "2026-10-05" })], "2026-09-01"),
    );
    expect(told(rows)).toEqual([
      ["2026-09-18", 1, 1, "declared", 0.25, "2026-08-21"],
      ["2026-09-18", 1, 2, "declared", 0.3, "2026-08-25"],
      ["2026-09-18", 1, 3, "declared", 0.3, "2026-09-01"],
    ]);
    expect(rows[2]?.payment_date).toBe("2026-10-05");
  });

  test("a line that stands twice is one payment; two that differ are two", () => {
    expect(told(through(look([seen(), seen()], "2026-08-21")))).toEqual([
      ["2026-09-18", 1, 1, "declared", 0.25, "2026-08-21"],
    ]);
    expect(through(look([seen(), seen({ amount: 0.1 })], "2026-08-21")).map(({ amount }) => amount)).toEqual([
      0.25, 0.1,
    ]);
  });

  test("one that disappears before its ex date is cancelled, once, and may come back", () => {
    const other = seen({ ex_dividend_date: "2026-06-18", amount: 0.24 });
    const rows = through(
      look([seen(), other], "2026-08-21"),
      look([other], "2026-08-28"),
      look([other], "2026-08-29"),
      look([seen(), other], "2026-09-02"),
    );
    expect(told(rows).filter(([ex]) => ex === "2026-09-18")).toEqual([
      ["2026-09-18", 1, 1, "declared", 0.25, "2026-08-21"],
      ["2026-09-18", 1, 2, "cancelled", 0.25, "2026-08-28"],
      ["2026-09-18", 1, 3, "declared", 0.25, "2026-09-02"],
    ]);
  });

  test("what went ex already is not cancelled, nor where the list is not whole", () => {
    expect(through(look([seen()], "2026-08-21"), look([], "2026-09-18")).length).toBe(1);
    expect(
      through(look([seen()], "2026-08-21"), look([], "2026-08-22", { cancels: () => false })).length,
    ).toBe(1);
  });

  test("a moved ex date is one cancelled and one declared", () => {
    const rows = through(
      look([seen()], "2026-08-21"),
      look([seen({ ex_dividend_date: "2026-09-21" })], "2026-08-24"),
    );
    expect(told(rows)).toEqual([
      ["2026-09-18", 1, 1, "declared", 0.25, "2026-08-21"],
      ["2026-09-18", 1, 2, "cancelled", 0.25, "2026-08-24"],
      ["2026-09-21", 1, 1, "declared", 0.25, "2026-08-24"],
    ]);
  });

  test("two payments of one type on one day keep their numbers, whatever their order", () => {
    const [a, b] = [seen({ amount: 0.25 }), seen({ amount: 1 })];
    const rows = through(
      look([a, b], "2026-08-21"),
      look([b, a], "2026-08-24"),
      look([b, seen({ amount: 0.26 })], "2026-08-25"),
      look([seen({ amount: 0.26 })], "2026-08-26"),
    );
    expect(told(rows)).toEqual([
      ["2026-09-18", 1, 1, "declared", 0.25, "2026-08-21"],
      ["2026-09-18", 2, 1, "declared", 1, "2026-08-21"],
      ["2026-09-18", 1, 2, "declared", 0.26, "2026-08-25"],
      ["2026-09-18", 2, 2, "cancelled", 1, "2026-08-26"],
    ]);
  });
});

describe("amounts that a provider adjusts", () => {
  const adjusted = (reported_amount: number, basis_date: string, amount: number | null) =>
    seen({ ex_dividend_date: "2026-06-01", payment_date: null, reported_amount, basis_date, amount });
  const splitRatio = (after: string, through: string) =>
    after < "2026-07-01" && through >= "2026-07-01" ? 4 : 1;

  test("following a split is no change, and the amount as paid stays", () => {
    const rows = through(
      look([adjusted(0.82, "2026-06-02", 0.82)], "2026-06-02", { splitRatio }),
      look([adjusted(0.205, "2026-07-02", null)], "2026-07-02", { splitRatio }),
    );
    expect(told(rows)).toEqual([["2026-06-01", 1, 1, "declared", 0.82, "2026-06-02"]]);
  });

  test("another amount is a change, as paid no longer known", () => {
    const rows = through(
      look([adjusted(0.82, "2026-06-02", 0.82)], "2026-06-02", { splitRatio }),
      look([adjusted(0.21, "2026-07-02", null)], "2026-07-02", { splitRatio }),
    );
    expect(rows.map((r) => [r.amount, r.reported_amount, r.revision])).toEqual([
      [0.82, 0.82, 1],
      [null, 0.21, 2],
    ]);
  });
});
