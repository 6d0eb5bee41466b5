import { expect, test } from "bun:test";
import { changesOfToday, changesOfVintages, type Fetch, vintageKey } from "./vintages.ts";

const AT = Date.parse("2026-09-09T21:00:00Z");
const OPEN = { start: "0001-01-01", end: "9999-12-31" };
const today = (rows: readonly (readonly [string, number | null])[], more: Partial<Fetch> = {}): Fetch => ({
  observations: rows.map(([date, value]) => ({
    date,
    value,
    realtime_start: "2026-09-09",
    realtime_end: "2026-09-09",
  })),
  span: OPEN,
  complete: true,
  today: "2026-09-09",
  fetchedAtMs: AT,
  ...more,
});
const vintages = (rows: readonly (readonly [string, number | null, string, string])[]): Fetch => ({
  ...today([]),
  observations: rows.map(([date, value, realtime_start, realtime_end]) => ({
    date,
    value,
    realtime_start,
    realtime_end,
  })),
});
const none = new Map<string, number | null>();

test("first values are changes, known from the fetch on", () => {
  expect(
    changesOfToday(
      none,
      today([
        ["2026-01-01", 1.5],
        ["2026-04-01", null],
      ]),
    ),
  ).toEqual([
    {
      date: "2026-01-01",
      value: 1.5,
      withdrawn: false,
      realtime_start: "2026-09-09",
      realtime_end: null,
      known_at: "2026-09-09T21:00:00.000Z",
    },
    {
      date: "2026-04-01",
      value: null,
      withdrawn: false,
      realtime_start: "2026-09-09",
      realtime_end: null,
      known_at: "2026-09-09T21:00:00.000Z",
    },
  ]);
});

test("an unchanged value is no change; a revision is, also from and to missing, and 0 is not missing", () => {
  const current = new Map<string, number | null>([
    ["2026-01-01", 1.5],
    ["2026-02-01", 2],
    ["2026-03-01", null],
    ["2026-04-01", 4],
    ["2026-05-01", null],
    ["2026-06-01", 0],
  ]);
  const changes = changesOfToday(
    current,
    today([
      ["2026-01-01", 1.5],
      ["2026-02-01", 2.1],
      ["2026-03-01", 3],
      ["2026-04-01", null],
      ["2026-05-01", 0],
      ["2026-06-01", null],
    ]),
  );
  expect(changes.map(({ date, value }) => [date, value])).toEqual([
    ["2026-02-01", 2.1],
    ["2026-03-01", 3],
    ["2026-04-01", null],
    ["2026-05-01", 0],
    ["2026-06-01", null],
  ]);
});

test("a day missing from a complete answer is withdrawn; not by an incomplete answer, and not outside the span", () => {
  const current = new Map([
    ["2019-01-01", 1],
    ["2026-01-01", 2],
    ["2026-02-01", 3],
  ]);
  const span = { start: "2026-01-01", end: "2026-12-31" };
  expect(changesOfToday(current, today([["2026-02-01", 3]], { span }))).toEqual([
    {
      date: "2026-01-01",
      value: null,
      withdrawn: true,
      realtime_start: "2026-09-09",
      realtime_end: null,
      known_at: "2026-09-09T21:00:00.000Z",
    },
  ]);
  expect(changesOfToday(current, today([["2026-02-01", 3]], { span, complete: false }))).toEqual([]);
});

test("vintages are known at the end of their day in New York, today's at the fetch", () => {
  const changes = changesOfVintages(
    new Map(),
    none,
    vintages([
      ["2026-04-01", 1, "2026-07-30", "2026-08-27"],
      ["2026-04-01", 2, "2026-08-28", "2026-09-08"],
      ["2026-04-01", 3, "2026-09-09", "9999-12-31"],
    ]),
  );
  expect(changes.map((r) => [r.value, r.realtime_start, r.realtime_end, r.known_at])).toEqual([
    [1, "2026-07-30", "2026-08-27", "2026-07-31T03:59:59.999Z"],
    [2, "2026-08-28", "2026-09-08", "2026-08-29T03:59:59.999Z"],
    [3, "2026-09-09", null, "2026-09-09T21:00:00.000Z"],
  ]);
});

test("a vintage that ends without a successor withdraws the day, also between two vintages", () => {
  const changes = changesOfVintages(
    new Map(),
    none,
    vintages([
      ["2025-01-01", 1, "2025-05-01", "2025-06-30"],
      ["2025-01-01", 2, "2025-08-01", "2025-09-30"],
    ]),
  );
  expect(changes.map((r) => [r.value, r.withdrawn, r.realtime_start, r.known_at])).toEqual([
    [1, false, "2025-05-01", "2025-05-02T03:59:59.999Z"],
    [null, true, "2025-07-01", "2025-07-02T03:59:59.999Z"],
    [2, false, "2025-08-01", "2025-08-02T03:59:59.999Z"],
    [null, true, "2025-10-01", "2025-10-02T03:59:59.999Z"],
  ]);
});

test("only changed vintages are returned, in any order of the answer", () => {
  const stored = new Map<string, number | null | undefined>([
    [vintageKey("2025-01-01", "2025-05-01"), 1],
    [vintageKey("2025-01-01", "2025-07-01"), undefined],
  ]);
  const fetch = vintages([
    ["2025-01-01", 2, "2025-08-01", "9999-12-31"],
    ["2025-01-01", 1, "2025-05-01", "2025-06-30"],
  ]);
  const current = new Map([["2025-01-01", 1]]);
  expect(changesOfVintages(stored, current, fetch).map((r) => [r.value, r.realtime_start])).toEqual([
    [2, "2025-08-01"],
  ]);
});
