import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { rowsOf } from "../../test/support/table-rows.ts";
import { booleanOrNull, integerOrNull, numberOrNull, textOrNull } from "./answer-fields.ts";
import { oneOf } from "./params.ts";
import { tableOfSchema } from "./row-table.ts";

test("a column has the type of its field, and lists and objects are JSON text", async () => {
  const row = Type.Object({
    id: Type.Integer(),
    day: Type.Union([Type.String({ format: "date" }), Type.Null()]),
    known_at: textOrNull(""),
    amount: numberOrNull(""),
    count: integerOrNull(""),
    is_new: booleanOrNull(""),
    kind: oneOf(["a", "b"], ""),
    names: Type.Array(Type.String()),
    owner: Type.Object({ name: Type.String() }),
  });
  const table = tableOfSchema("rows", row, [
    {
      id: 1,
      day: "2026-01-02",
      known_at: null,
      amount: 0,
      is_new: false,
      names: ["x"],
      owner: { name: "o" },
    },
  ]);
  expect(table.columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
    "id BIGINT",
    "day DATE",
    "known_at TIMESTAMPTZ",
    "amount DOUBLE",
    "count BIGINT",
    "is_new BOOLEAN",
    "kind VARCHAR",
    "names VARCHAR",
    "owner VARCHAR",
  ]);
  expect(await rowsOf(table)).toEqual([
    [1, "2026-01-02", null, 0, null, false, null, '["x"]', '{"name":"o"}'],
  ]);
});
