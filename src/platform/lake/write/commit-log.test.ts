// The commit log: a line that is not as it was written, or gone, is found, and its moment is not used.
import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { lakeYard, price, prices } from "../../../../test/faults/lake-support.ts";
import { batchOf } from "../lake.ts";
import { readManifest } from "../manifest.ts";
import { logProblems } from "./commit-log.ts";

setDefaultTimeout(1_200_000);

const yard = lakeYard({ publishes: false });
afterEach(yard.clear);

/** A lake of four commits and a fork, its log, and what is found in other lines for it. */
async function logged() {
  const dir = await yard.folder();
  const lake = await yard.open({ dir });
  for (const symbol of ["A", "B", "C", "D"])
    await lake.append([batchOf(prices, [price(symbol, "2024-03-04")])]);
  await lake.fork();
  await lake.append([batchOf(prices, [price("E", "2024-03-04")])]);
  const path = join(dir, "lake", "commits.csv");
  const lines = (await readFile(path, "utf8")).split("\n").filter(Boolean);
  const numbers = lines.map((line) => Number(line.split(",")[0]));
  const manifest = await readManifest(join(dir, "lake", "manifest.json"));
  const moments = async () =>
    (await lake.commits({ only: numbers, limit: 9 })).commits.map(({ recorded_at }) => recorded_at).reverse();
  const within = async (changed: readonly string[]) => {
    await writeFile(path, `${changed.join("\n")}\n`);
    return { problems: await logProblems(join(dir, "lake"), manifest), moments: await moments() };
  };
  return { lines, whole: await moments(), within };
}

test("a line that was cut off anywhere is found, and counts as none", async () => {
  const { lines, whole, within } = await logged();
  expect(await within(lines)).toEqual({ problems: [], moments: whole });
  for (const at of [1, 3, 5]) {
    const without = whole.map((each, place) => (place === at ? null : each));
    const line = lines[at] ?? "";
    for (let length = 0; length < line.length; length += 3) {
      const { problems, moments } = await within(lines.with(at, line.slice(0, length)));
      expect([at, length, problems.length > 0, moments]).toEqual([at, length, true, without]);
    }
  }
  // The fault that was found: a date alone is a time of midnight.
  const { problems } = await within(lines.with(5, (lines[5] ?? "").replace(/(T|Z).*/, "")));
  expect(problems).toEqual(["its line 6 is damaged", "its newest lines are missing"]);
});

test("a first line that was cut off within its time is none of an earlier release", async () => {
  const { lines, whole, within } = await logged();
  const [date = ""] = (lines[0] ?? "").split("T");
  expect(await within(lines.with(0, date))).toEqual({
    problems: ["its line 1 is damaged"],
    moments: whole.with(0, null),
  });
  // A line as an earlier release wrote it.
  const earlier = (lines[0] ?? "").split(",").slice(0, 2).join(",");
  expect(await within(lines.with(0, earlier))).toEqual({ problems: [], moments: whole });
});

test("lines that were removed are found, also before a fork", async () => {
  const { lines, within } = await logged();
  const removed = (...gone: number[]) => lines.filter((_, at) => !gone.includes(at));
  for (const gone of [[1], [2], [1, 2], [3], [2, 3]])
    expect((await within(removed(...gone))).problems).toEqual([
      `lines before its line ${(gone[0] ?? 0) + 1} are missing`,
    ]);
  expect((await within(removed(5))).problems).toEqual(["its newest lines are missing"]);
  // As a crash leaves it: the line of a fork that never was.
  const text = "7000500,2026-01-02T00:00:00Z,,";
  const left = `${text},${new Bun.CryptoHasher("md5").update(text).digest("hex").slice(0, 12)}`;
  expect((await within(lines.toSpliced(4, 0, left))).problems).toEqual([]);
});
