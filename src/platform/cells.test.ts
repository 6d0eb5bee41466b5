// Cells go into batches and come out as they were, wherever batches and their bits begin.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { rowsOf } from "../../test/support/table-rows.ts";
import {
  batchesOf,
  bitsFor,
  CellRefused,
  columnsOfPairs,
  copyBits,
  daysOf,
  fits,
  joined,
  microsOf,
  regrouped,
  tableOfRows,
  textMapper,
} from "./cells.ts";
import { isValid } from "./table.ts";

const COLUMNS = columnsOfPairs([
  ["symbol", "VARCHAR"],
  ["day", "DATE"],
  ["price", "DOUBLE"],
  ["count", "BIGINT"],
  ["at", "TIMESTAMPTZ"],
  ["is_new", "BOOLEAN"],
]);
const or = <T>(given: fc.Arbitrary<T>) => fc.option(given, { freq: 3 });
const row = fc.tuple(
  or(fc.constantFrom("A", "BRK.B", "", "Zürich")),
  or(fc.constantFrom("1969-12-31", "2026-02-28", "infinity", "-infinity")),
  or(fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (n === 0 ? 0 : n))),
  or(fc.maxSafeInteger()),
  or(fc.constantFrom("2026-01-05T12:00:00Z", "1969-12-31T23:59:59.999Z")),
  or(fc.boolean()),
);

test("cells come out as they went in, in batches joined or as they are", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(row, { maxLength: 20 }), { maxLength: 5 }), async (parts) => {
      const batches = parts.flatMap((rows) => [...batchesOf(COLUMNS, rows)]);
      const cells = (own: typeof batches) => rowsOf({ batches: () => own });
      expect(await cells(batches)).toEqual(parts.flat());
      if (batches.length > 0) expect(await cells([joined(batches)])).toEqual(parts.flat());
      const groups = await Array.fromAsync(regrouped(batches, 13));
      expect(await cells(groups)).toEqual(parts.flat());
      expect(groups.slice(0, -1).every(({ rows }) => rows >= 13)).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test("bits are copied from any place to any other, all of them where there are none", () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 40 }), fc.nat(20), fc.nat(20), (given, to, skip) => {
      const from = bitsFor(given.length);
      for (const [at, is] of given.entries()) if (is) copyBits(from, at, null, 0, 1);
      const start = Math.min(skip, given.length);
      for (const source of [from, null]) {
        const bits = bitsFor(to + given.length + 9);
        copyBits(bits, to, source, start, given.length);
        const set = Array.from({ length: bits.length * 8 }, (_, at) => isValid(bits, at));
        const own = given.slice(start).map((is) => source === null || is);
        const rest = set.length - to - own.length;
        expect(set).toEqual([...Array(to).fill(false), ...own, ...Array(rest).fill(false)]);
      }
    }),
  );
});

test("a cell that does not fit its column is refused, one without bounds is null", async () => {
  const refused = (at: number, cell: unknown) => {
    const given = COLUMNS.map((_, place) => (place === at ? cell : null));
    expect(() => [...batchesOf(COLUMNS, [given])]).toThrow(CellRefused);
  };
  refused(0, 1);
  refused(1, "2026-02-30");
  refused(1, "2026-1-5");
  refused(2, "1");
  refused(3, 1.5);
  refused(4, "2026-01-05");
  refused(5, "true");
  const prices = COLUMNS.slice(2, 3);
  const unbounded = tableOfRows("n", prices, () => [[Number.NaN], [Number.POSITIVE_INFINITY], [-0]]);
  expect(await rowsOf(unbounded)).toEqual([[null], [null], [-0]]);
  expect([fits("DATE", "2026-02-29"), fits("DATE", null), fits("BIGINT", 2 ** 60)]).toEqual([
    false,
    true,
    false,
  ]);
});

test("days and instants are counted from 1970, and texts of a dictionary are mapped once", () => {
  expect([daysOf("1970-01-02"), daysOf("1969-12-31"), daysOf("x")]).toEqual([1, -1, undefined]);
  expect(microsOf("1970-01-01T00:00:00.001Z")).toBe(1_000n);
  expect(microsOf("1970-01-01T01:00:00.000001+01:00")).toBe(1n);
  expect([microsOf("1970-01-01T00:00:00"), microsOf("1970-13-01T00:00:00Z")]).toEqual([undefined, undefined]);
  const asked: string[] = [];
  const upper = textMapper((text) => {
    asked.push(text);
    return text.toUpperCase();
  });
  const texts = ["a"];
  expect(upper(texts)).toEqual(["A"]);
  texts.push("b");
  expect(upper(texts)).toEqual(["A", "B"]);
  expect(asked).toEqual(["a", "b"]);
});
