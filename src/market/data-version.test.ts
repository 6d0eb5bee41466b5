import { expect, test } from "bun:test";
import { AsofError } from "../platform/errors.ts";
import { generationOf, isDataVersion } from "./data-version.ts";

const range = {
  oldest: 3,
  newest: 2_000_009,
  generationOf: (name: string) => ({ "q3-paper": 5, first: 1, lost: 7 })[name] ?? null,
  lineOf: (generation: number) => (generation === 7 || generation > 2_000_009 ? null : "a"),
};

const codeOf = (text: string) => {
  try {
    return generationOf(text, range);
  } catch (error) {
    return error instanceof AsofError ? error.code : error;
  }
};

test("a number is a generation, a name stands for one", () => {
  expect(["3", "9", "008", "q3-paper"].map((text) => generationOf(text, range))).toEqual([3, 9, 8, 5]);
});

test("versions that are not there differ from those that cannot be read any more", () => {
  expect(
    ["2000010", "2999999", "q4-paper", "2", "0", "first", "7", "lost", "3000000", "518204003"].map(codeOf),
  ).toEqual([
    "unknown_version",
    "unknown_version",
    "unknown_version",
    "version_expired",
    "version_expired",
    "version_expired",
    "other_lineage",
    "other_lineage",
    "other_lineage",
    "other_lineage",
  ]);
});

test("the form of a data version", () => {
  expect(["0", "4127", "q3-paper", "a.b_c"].every(isDataVersion)).toBe(true);
  expect(["", "-1", "1.5", "1e3", "Q3", "_x", "1a", "9".repeat(16), " 1"].some(isDataVersion)).toBe(false);
});
