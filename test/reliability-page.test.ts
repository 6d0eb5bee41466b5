// docs/reliability.md: every line is there, and every test it names exists.
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";

setDefaultTimeout(1_200_000);

const root = join(import.meta.dir, "..");
const page = await Bun.file(join(root, "docs/reliability.md")).text();
const rows = page.split("\n").flatMap((line) => /^\| ([A-G]\d*) \| (.+) \| (.+) \|$/.exec(line) ?? []);

/** Lines of each part. */
const COUNTS: Readonly<Record<string, number>> = { A: 12, B: 10, C: 10, D: 6, E: 18 };

test("every line is there once", () => {
  const ids = [...page.matchAll(/^\| ([A-G]\d*) \|/gm)].map(([, id]) => id);
  const wanted = Object.entries(COUNTS).flatMap(([part, n]) =>
    Array.from({ length: n }, (_, i) => `${part}${i + 1}`),
  );
  expect(ids).toEqual([...wanted, "F", "G"]);
  expect(rows.length).toBe(ids.length * 4);
});

test("each says where it is held, or why not", () => {
  for (const line of page.split("\n").filter((text) => /^\| [A-G]\d* \|/.test(text))) {
    const where = line.split(" | ").at(-1) ?? "";
    expect([line.slice(0, 8), where.replace(/[|\s]/g, "").length > 12]).toEqual([line.slice(0, 8), true]);
  }
});

test("every file that is named exists", () => {
  const named = [...page.matchAll(/`((?:test|src|sample|scripts)\/[\w./-]+\.ts)`/g)].map(
    ([, path]) => path ?? "",
  );
  expect(named.length).toBeGreaterThan(60);
  expect([...new Set(named)].filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test("it names every test of faults", async () => {
  const files = [...new Bun.Glob("test/faults/*.test.ts").scanSync(root)];
  expect(files.filter((path) => !page.includes(path))).toEqual([]);
});
