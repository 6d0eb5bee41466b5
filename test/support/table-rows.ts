// The rows of a table as cells, for tests.
import { cellOf } from "../../src/platform/cells.ts";
import type { Table } from "../../src/platform/table.ts";

export async function rowsOf({ batches }: Pick<Table, "batches">): Promise<unknown[][]> {
  const rows: unknown[][] = [];
  for await (const { rows: count, vectors } of batches())
    for (let row = 0; row < count; row++)
      rows.push(
        vectors.map((vector) => {
          const cell = cellOf(vector, row);
          return typeof cell === "bigint" ? Number(cell) : cell;
        }),
      );
  return rows;
}
