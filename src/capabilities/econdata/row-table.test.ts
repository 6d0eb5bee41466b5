import { expect, test } from "bun:test";
import { rowsOf } from "../../../test/support/table-rows.ts";
import { econPage, econTable } from "./row-table.ts";

const shown = async (body: Record<string, unknown>, series?: string) => {
  const table = econTable(body, series);
  return table && [table.columns.map(({ name, type }) => `${name} ${type}`), ...(await rowsOf(table))];
};

test("observations are numbers with their series; a dot is null, and 0 is 0", async () => {
  const day = { realtime_start: "2026-01-02", realtime_end: "9999-12-31" };
  const observations = [
    { ...day, date: "2025-01-01", value: "0" },
    { ...day, date: "2025-04-01", value: "." },
    { ...day, date: "2025-07-01", value: "-1.25" },
  ];
  expect(await shown({ observations }, "GDP")).toEqual([
    ["series_id VARCHAR", "realtime_start DATE", "realtime_end DATE", "date DATE", "value DOUBLE"],
    ["GDP", "2026-01-02", "9999-12-31", "2025-01-01", 0],
    ["GDP", "2026-01-02", "9999-12-31", "2025-04-01", null],
    ["GDP", "2026-01-02", "9999-12-31", "2025-07-01", -1.25],
  ]);
});

test("observations have their columns without a row, and without a value", async () => {
  const columns = [
    "series_id VARCHAR",
    "realtime_start DATE",
    "realtime_end DATE",
    "date DATE",
    "value DOUBLE",
  ];
  expect(await shown({ observations: [], output_type: 1 }, "GDP")).toEqual([columns]);
  const missing = {
    realtime_start: "2026-01-02",
    realtime_end: "9999-12-31",
    date: "2025-01-01",
    value: ".",
  };
  expect(await shown({ observations: [missing] }, "GDP")).toEqual([
    columns,
    ["GDP", "2026-01-02", "9999-12-31", "2025-01-01", null],
  ]);
  expect(
    (await shown({ observations: [{ date: "2025-01-01", GDP_20250101: "." }], output_type: 2 }, "GDP"))?.[0],
  ).toEqual(["series_id VARCHAR", "date DATE", "GDP_20250101 DOUBLE"]);
});

test("vintages side by side have a column each, also where the first row lacks it", async () => {
  const observations = [
    { date: "2025-01-01", GDP_20250101: "1" },
    { date: "2025-04-01", GDP_20250101: ".", GDP_20250401: "2.5" },
  ];
  expect(await shown({ observations }, "GDP")).toEqual([
    ["series_id VARCHAR", "date DATE", "GDP_20250101 DOUBLE", "GDP_20250401 DOUBLE"],
    ["GDP", "2025-01-01", 1, null],
    ["GDP", "2025-04-01", null, 2.5],
  ]);
});

test("other lists keep text as it is, such as an id of digits", async () => {
  const seriess = [{ id: "00123", popularity: 7, last_updated: "2026-01-02 07:46:02-06", notes: null }];
  expect(await shown({ seriess })).toEqual([
    ["id VARCHAR", "popularity BIGINT", "last_updated VARCHAR", "notes VARCHAR"],
    ["00123", 7, "2026-01-02 07:46:02-06", null],
  ]);
  expect(await shown({ vintage_dates: ["2026-01-02"] })).toEqual([["vintage_date DATE"], ["2026-01-02"]]);
  expect(await shown({ elements: { a: 1 } })).toBeNull();
});

test("the next page follows while rows are left out", async () => {
  expect(econPage({ count: 5, offset: 0, limit: 2 })).toEqual({ total: 5, next: { offset: 2 } });
  expect(econPage({ count: 5, offset: 4, limit: 2 })).toEqual({ total: 5, next: null });
  expect(econPage({ elements: {} })).toBeUndefined();
});
