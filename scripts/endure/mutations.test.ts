// The table of mutations fits the code as it is: each text is there once, and its test files are there.
import { expect, test } from "bun:test";
import { join, resolve } from "node:path";
import { faultOf, readTable } from "./mutations.ts";

const root = resolve(import.meta.dir, "../..");

test("each mutation of the table can run", async () => {
  const table = readTable(await Bun.file(join(import.meta.dir, "mutations.txt")).text());
  expect(table.length).toBeGreaterThanOrEqual(40);
  expect(table.flatMap((mutation) => faultOf(mutation, root) ?? [])).toEqual([]);
  expect(table.filter(({ find, replacement }) => find === replacement)).toEqual([]);
});

test("one whose text has changed, or whose test is gone, is named with the reason", () => {
  const [mutation] = readTable(
    "# head\n\n= a: b\n@ package.json\n- no such\n- text\n+ other\n> a.test.ts b.test.ts\n",
  );
  expect(mutation).toEqual({
    mechanism: "a: b",
    file: "package.json",
    find: "no such\ntext",
    replacement: "other",
    tests: ["a.test.ts", "b.test.ts"],
  });
  if (!mutation) return;
  expect(faultOf(mutation, root)).toBe("a: b: its text is 0 times in package.json");
  expect(faultOf({ ...mutation, find: '"packageManager"' }, root)).toBe("a: b: no test a.test.ts, b.test.ts");
  expect(faultOf({ ...mutation, file: "gone.ts" }, root)).toBe("a: b: there is no gone.ts");
});
