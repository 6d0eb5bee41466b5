// A dataset declaration gives the row type and refuses contradictions.

import { expect, test } from "bun:test";
import { dataset, identityOf, literal, quoted, type RowOf } from "./dataset.ts";

const sound = {
  name: "things",
  description: "Things.",
  columns: {
    symbol: { type: "VARCHAR", description: "Symbol." },
    date: { type: "DATE", description: "Day." },
    amount: { type: "DOUBLE", nullable: true, description: "Amount." },
    known_at: { type: "TIMESTAMPTZ", description: "When." },
  },
  key: ["symbol", "date"],
  partition: { by: "year", column: "date" },
  sort: ["symbol", "date"],
  fill: "first",
} as const;

test("a declaration gives the type of its rows", () => {
  const things = dataset(sound);
  const row: RowOf<typeof things> = {
    symbol: "A",
    date: "2026-01-05",
    amount: null,
    known_at: "2026-01-05T00:00:00Z",
  };
  // @ts-expect-error a column that is not nullable refuses null
  row.symbol = null;
  // @ts-expect-error a DOUBLE is a number
  row.amount = "1";
  expect(Object.keys(things.columns)).toEqual(Object.keys(row));
});

test("the identity of a row is its key, plus known_at for append datasets", () => {
  expect(identityOf(dataset(sound))).toEqual(["symbol", "date"]);
  expect(identityOf(dataset({ ...sound, fill: "append" }))).toEqual(["symbol", "date", "known_at"]);
  const own = dataset({ ...sound, key: ["symbol", "date", "known_at"], fill: "append" });
  expect(identityOf(own)).toEqual(["symbol", "date", "known_at"]);
});

test("a declaration that contradicts itself is refused", () => {
  const refused: [object, string][] = [
    [{ name: "Things" }, "snake_case"],
    [{ name: "../things" }, "snake_case"],
    [{ key: ["symbol", "day"] }, 'no column "day"'],
    [{ sort: ["when"] }, 'no column "when"'],
    [{ key: [] }, "needs a key"],
    [{ key: ["symbol", "amount"] }, "may be null"],
    [{ partition: { by: "year", column: "symbol" } }, "cannot be partitioned"],
    [{ partition: { by: "year", column: "known_at" } }, "no part of the key"],
    [{ partition: { by: "year", column: "date", and: "amount" } }, "no part of the key"],
    [
      { columns: { symbol: sound.columns.symbol, date: sound.columns.date }, fill: "append" },
      "needs a known_at",
    ],
  ];
  for (const [change, description] of refused)
    expect(() => dataset({ ...sound, ...change } as typeof sound)).toThrow(description);
});

test("names and texts are quoted for SQL", () => {
  expect(quoted('a"b')).toBe('"a""b"');
  expect(literal("it's")).toBe("'it''s'");
});
