import { expect, test } from "bun:test";
import { asFiled, number, percent, whole } from "./cells.tsx";
import type { DataCell } from "./data-table.tsx";

const texts = (cells: readonly DataCell[]) =>
  cells.map((cell) => (cell !== null && typeof cell === "object" ? cell.text : cell));

test("a number that is not zero is never shown as zero, and an unknown one has no text", () => {
  expect(texts([number(0), whole(0), percent(0), asFiled(0)])).toEqual(["0", "0", "0.00 %", "0"]);
  expect(texts([number(0.00003), whole(0.4), whole(-0.5), percent(-0.0012)])).toEqual([
    "0.00003",
    "0.4",
    "-0.5",
    "-0.001 %",
  ]);
  expect(texts([number(1_234.56789), whole(1_234.5), percent(12.345, 4), asFiled(0.083333333)])).toEqual([
    "1,234.5679",
    "1,235",
    "12.3450 %",
    "0.083333333",
  ]);
  expect([number(null), whole(undefined), percent(null), asFiled(null)]).toEqual([null, null, null, null]);
});
