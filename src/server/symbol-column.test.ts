import { expect, test } from "bun:test";
import { rowsOf } from "../../test/support/table-rows.ts";
import { columnsOf, tableOfRows } from "../platform/cells.ts";
import type { Table } from "../platform/table.ts";
import { withSymbol } from "./symbol-column.ts";

const table = (names: readonly string[], rows: readonly (readonly unknown[])[]): Table =>
  tableOfRows("t", columnsOf("VARCHAR", ...names), () => rows);
const shown = async (given: Table) => [given.columns.map(({ name }) => name), ...(await rowsOf(given))];

test("symbol is written canonically, in its own column or before the ticker", async () => {
  expect(await shown(withSymbol(table(["date", "symbol"], [["d", "brk-b"]]), {}))).toEqual([
    ["date", "symbol"],
    ["d", "BRK.B"],
  ]);
  const rows = [
    ["x", "brk/b"],
    ["y", "BRK-B"],
    ["z", null],
  ];
  expect(await shown(withSymbol(table(["id", "ticker"], rows), { ticker: "other" }))).toEqual([
    ["id", "symbol", "ticker"],
    ["x", "BRK.B", "brk/b"],
    ["y", "BRK.B", "BRK-B"],
    ["z", null, null],
  ]);
});

test("rows without either take the ticker of the path, and rows about none stay", async () => {
  const rows = table(["item"], [["2.02"]]);
  expect(await shown(withSymbol(rows, { ticker: " brk-b " }))).toEqual([
    ["symbol", "ticker", "item"],
    ["BRK.B", "brk-b", "2.02"],
  ]);
  expect(await shown(withSymbol(rows, { symbol: "brk-b" }))).toEqual([
    ["symbol", "item"],
    ["BRK.B", "2.02"],
  ]);
  expect(await shown(withSymbol(rows, { date: "2026-01-02" }))).toEqual([["item"], ["2.02"]]);
});
