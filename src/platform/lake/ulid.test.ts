// ULIDs are unique and sort by their time.

import { expect, test } from "bun:test";
import { ulid } from "./ulid.ts";

test("ULIDs sort by their time, are unique, and have the canonical form", () => {
  const moments = [0, 1, 1_469_918_176_385, 1_763_000_000_000, 2 ** 48 - 1];
  const names = moments.map(ulid);
  expect([...names].sort()).toEqual(names);
  for (const name of names) expect(name).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  expect(names[2]?.slice(0, 10)).toBe("01ARYZ6S41");
  expect(new Set(Array.from({ length: 1000 }, () => ulid(5))).size).toBe(1000);
});
