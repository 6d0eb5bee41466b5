import { expect, test } from "bun:test";
import { compareValues, type SortValue, sortedTable, unsorted } from "./sorting.ts";

const ROWS: readonly (readonly SortValue[])[] = [
  [1_000, "b"],
  [undefined, "a 10"],
  [9, "a 9"],
  [-3.5, undefined],
  [9, "c"],
];

function orderOf(column: number, desc: boolean): number[] {
  const sorting = unsorted();
  const table = sortedTable(ROWS, 2, (row, at) => row[at], sorting);
  const indices = () => table.getRowModel().rows.map(({ index }) => index);
  expect(indices()).toEqual([0, 1, 2, 3, 4]);
  table.getColumn(String(column))?.toggleSorting(desc);
  return indices();
}

test("numbers stand by value and texts by the numbers in them; unknown values stand last in both directions", () => {
  expect(orderOf(0, false)).toEqual([3, 2, 4, 0, 1]);
  // Rows of one value keep the order in which they are listed.
  expect(orderOf(0, true)).toEqual([0, 2, 4, 3, 1]);
  expect(orderOf(1, false)).toEqual([2, 1, 0, 4, 3]);
  expect(orderOf(1, true)).toEqual([4, 0, 1, 2, 3]);
});

test("a heading leads to ascending, descending, and back to the order as listed", () => {
  const sorting = unsorted();
  const column = sortedTable(ROWS, 2, (row, at) => row[at], sorting).getColumn("0");
  const seen = [1, 2, 3].map(() => {
    column?.toggleSorting();
    return column?.getIsSorted();
  });
  expect(seen).toEqual(["asc", "desc", false]);
});

test("a number and a text have an order", () => {
  expect(Math.sign(compareValues(10, "9 days"))).toBe(1);
  expect(Math.sign(compareValues("2026-01-02", "2026-01-10"))).toBe(-1);
});
