// The engine's results are the same as batches and as values by column.
import { afterEach, expect, test } from "bun:test";
import { lakeYard } from "../../../test/faults/lake-support.ts";
import { rowsOf } from "../../../test/support/table-rows.ts";

const yard = lakeYard();
afterEach(yard.clear);

test("each type, its nulls, and texts short and long that repeat in later chunks", async () => {
  const lake = await yard.open();
  const sql = `SELECT CASE WHEN i % 7 > 0 THEN 'S' || i % 3000 END AS short,
      CASE WHEN i % 5 > 0 THEN 'a text of more than twelve bytes, é ' || i % 50 END AS long,
      DATE '1969-12-30' + (i % 9)::INTEGER AS day, CASE WHEN i % 3 > 0 THEN i / 8 END AS price,
      i AS wide, i::INTEGER AS narrow, TIMESTAMPTZ '1969-12-31 23:59:59.5Z' + to_microseconds(i * 1000) AS at,
      CASE WHEN i % 4 > 0 THEN i % 2 = 0 END AS is_even
    FROM range(5000) rows(i) ORDER BY i`;
  const [batches, { columns, rowCount }] = await Promise.all([lake.batches(sql), lake.columns(sql)]);
  const wanted = Array.from({ length: rowCount }, (_, row) => columns.map((column) => column[row]));
  expect(batches.length).toBeGreaterThan(1);
  expect(await rowsOf({ batches: () => batches })).toEqual(wanted);
  await expect(lake.batches("SELECT [1, 2] AS list")).rejects.toThrow("LIST");
  expect(await lake.batches("SELECT 1 AS n WHERE false")).toEqual([]);
});
