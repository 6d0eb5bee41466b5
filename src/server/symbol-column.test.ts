import { expect, test } from "bun:test";
import type { Table } from "../platform/answer.ts";
import { withSymbol } from "./symbol-column.ts";

const table = (names: readonly string[], rows: readonly (readonly unknown[])[]): Table => ({
  name: "t",
  columns: names.map((name) => ({ name, type: "VARCHAR" as const })),
  rows: () => rows,
});
const shown = ({ columns, rows }: Table) => [columns.map(({ name }) => name), ...rows()];

test("symbol is written canonically, in its own column or before the ticker", () => {
  expect(shown(withSymbol(table(["date", "symbol"], [["d", "brk-b"]]), {}))).toEqual([
    ["date", "symbol"],
    ["d", "BRK.B"],
  ]);
  const rows = [
    ["x", "brk/b"],
    ["y", "BRK-B"],
    ["z", null],
  ];
  expect(shown(withSymbol(table(["id", "ticker"], rows), { ticker: "other" }))).toEqual([
    ["id", "symbol", "ticker"],
    ["x", "BRK.B", "brk/b"],
    ["y", "BRK.B", "BRK-B"],
    ["z", null, null],
  ]);
});

test("rows without either take the ticker of the path, and rows about none stay", () => {
  const rows = table(["item"], [["2.02"]]);
  expect(shown(withSymbol(rows, { ticker: " brk-b " }))).toEqual([
    ["symbol", "ticker", "item"],
    ["BRK.B", "brk-b", "2.02"],
  ]);
  expect(shown(withSymbol(rows, { symbol: "brk-b" }))).toEqual([
    ["symbol", "item"],
    ["BRK.B", "2.02"],
  ]);
  expect(shown(withSymbol(rows, { date: "2026-01-02" }))).toEqual([["item"], ["2.02"]]);
});
