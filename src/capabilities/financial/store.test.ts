import { expect, test } from "bun:test";
import type { Lake } from "../../platform/lake/lake.ts";
import { currentReading, type DamagedFile, Reading } from "../../platform/reading.ts";
import { openSqlite } from "../../platform/sqlite/sqlite.ts";
import { financialStore } from "./store.ts";

const FILE = {
  path: "financial_facts/1.parquet",
  dataset: "financial_facts",
  of: "",
  description: "is missing",
};

test("figures that were read without a damaged file are not kept: each request notes it", async () => {
  let lost: DamagedFile[] = [FILE];
  let reads = 0;
  const query = async () => {
    reads++;
    currentReading()?.noteDamage(lost);
    return [];
  };
  const sqlite = openSqlite(":memory:");
  const store = financialStore({ lake: { query } as unknown as Lake, sqlite });
  const noted = async () => {
    const reading = new Reading();
    await reading.run(() => store.facts(["0000001234"]));
    return [...reading.damage.keys()];
  };
  expect([await noted(), await noted()]).toEqual([[FILE.path], [FILE.path]]);
  lost = [];
  expect(await noted()).toEqual([]);
  const before = reads;
  expect([await noted(), reads]).toEqual([[], before]);
  sqlite.close();
});
