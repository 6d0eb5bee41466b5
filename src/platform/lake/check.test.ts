// Broken files are found, excluded and moved to quarantine; the other files are served.

import { afterEach, expect, test } from "bun:test";
import { readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { lakeYard, price, prices } from "../../../test/faults/lake-support.ts";
import { batchOf, type Lake } from "./lake.ts";
import type { LakeFile } from "./manifest.ts";

const yard = lakeYard();
afterEach(yard.clear);

/** A lake of three years, a file each, closed. */
async function threeYears() {
  const dir = await yard.folder();
  const lake = await yard.open({ dir });
  for (const year of [2024, 2025, 2026])
    await lake.append([
      batchOf(prices, [price("A", `${year}-03-04`, year), price("B", `${year}-03-04`, year)]),
    ]);
  await lake.close();
  const fileOf = async (year: number) => {
    const folder = join(dir, "lake", "prices", `year=${year}`);
    return join(folder, (await readdir(folder))[0] ?? "");
  };
  return { dir, fileOf };
}

const closes = async (lake: Lake) =>
  (await lake.query<{ close: number }>("SELECT close FROM prices WHERE symbol = 'A' ORDER BY date")).map(
    (r) => r.close,
  );

/** Replaces a file by the rows of a SELECT over it, and lets the manifest agree with its size and hash. */
async function rewrite(dir: string, path: string, select: (source: string) => string): Promise<void> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run(
    `CREATE TABLE stored AS SELECT * FROM read_parquet('${path}', hive_partitioning = false)`,
  );
  await connection.run(`COPY (${select("stored")}) TO '${path}' (FORMAT parquet, COMPRESSION zstd)`);
  connection.disconnectSync();
  instance.closeSync();
  const bytes = await readFile(path);
  const manifestPath = join(dir, "lake", "manifest.json");
  const manifest = JSON.parse(await readFile(manifestPath, "utf8")) as { files: LakeFile[] };
  for (const file of manifest.files)
    if (path.endsWith(file.path)) {
      file.bytes = bytes.length;
      file.sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
    }
  await writeFile(manifestPath, JSON.stringify(manifest));
}

test("an intact lake has no findings", async () => {
  const { dir } = await threeYears();
  const lake = await yard.open({ dir });
  expect(await lake.check()).toMatchObject({ ok: true, files: 3, rows: 6, findings: [] });
  expect(lake.problems()).toEqual([]);
});

test("a missing and a truncated file are excluded and reported, and the rest is served", async () => {
  const { dir, fileOf } = await threeYears();
  await rm(await fileOf(2024));
  await truncate(await fileOf(2025), 100);
  const lake = await yard.open({ dir });
  expect(await closes(lake)).toEqual([2026]);
  expect(lake.problems().map(({ description }) => description)).toEqual([
    "is missing",
    expect.stringContaining("has 100 bytes instead of"),
  ]);
  const report = await lake.check();
  expect(report.ok).toBe(false);
  expect(report.findings.map(({ severity }) => severity)).toEqual(["error", "error"]);
});

test("a file that breaks while the lake is open fails at most one read and is then excluded", async () => {
  const { dir, fileOf } = await threeYears();
  const lake = await yard.open({ dir });
  expect(await closes(lake)).toEqual([2024, 2025, 2026]);
  await rm(await fileOf(2025));
  expect(await closes(lake)).toEqual([2024, 2026]);
  expect(lake.problems()).toMatchObject([{ dataset: "prices", description: "is missing" }]);
});

test("a file whose footer is damaged keeps no lake from opening, and none that is open from reading", async () => {
  const { dir, fileOf } = await threeYears();
  const [lake, other] = [await yard.open({ dir }), await yard.open({ dir })];
  await lake.append([batchOf(prices, [price("A", "2023-03-04", 3)])]);
  const path = await fileOf(2024);
  const bytes = await readFile(path);
  bytes.fill(0xff, bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8), bytes.length - 8);
  await writeFile(path, bytes);
  for (const each of [other, await yard.open({ dir })]) {
    expect(await closes(each)).toEqual([3, 2025, 2026]);
    expect(each.problems()).toMatchObject([{ description: "has other bytes than were written" }]);
  }
});

test("changed bytes of the right length are found by the check and by the verification at start, and repair moves the file", async () => {
  const { dir, fileOf } = await threeYears();
  const path = await fileOf(2025);
  const bytes = await readFile(path);
  bytes[40] = (bytes[40] ?? 0) ^ 0xff;
  await writeFile(path, bytes);
  const verified = await yard.open({ dir, verify: true });
  while (verified.problems().length === 0) await Bun.sleep(5);
  expect(verified.problems()).toMatchObject([{ description: "has other bytes than were written" }]);
  expect(await closes(verified)).toEqual([2024, 2026]);
  const lake = await yard.open({ dir });
  const unrepaired = await lake.check();
  expect(unrepaired.findings).toMatchObject([
    { severity: "error", description: "has other bytes than were written" },
  ]);
  const repaired = await lake.check({ repair: true });
  expect(repaired.ok).toBe(true);
  const [moved = ""] = await readdir(join(dir, "lake", "_quarantine"));
  expect(repaired.findings[0]?.repaired).toBe(`moved to _quarantine/${moved}`);
  expect(await closes(lake)).toEqual([2024, 2026]);
  expect(await lake.check()).toMatchObject({ ok: true, files: 2, findings: [] });
  await lake.append([batchOf(prices, [price("A", "2025-03-04", 7)])]);
  expect(await closes(lake)).toEqual([2024, 7, 2026]);
});

test("rows stored again for a broken file are not duplicated when the file comes back", async () => {
  const { dir, fileOf } = await threeYears();
  const path = await fileOf(2025);
  const bytes = await readFile(path);
  await rm(path);
  const lake = await yard.open({ dir });
  await lake.append([batchOf(prices, [price("A", "2025-03-04", 7)])]);
  await writeFile(path, bytes);
  await lake.close();
  const again = await yard.open({ dir });
  expect(await closes(again)).toEqual([2024, 7, 2026]);
  expect(again.problems()).toMatchObject([{ description: "is missing" }]);
  expect((await again.check()).findings).toMatchObject([
    { description: "is missing; its 2 rows are not served" },
  ]);
  expect((await again.check({ repair: true })).ok).toBe(true);
  expect(again.problems()).toEqual([]);
});

test("files that contradict the manifest or the declaration are found", async () => {
  const cases: [(source: string) => string, string][] = [
    [(source) => `SELECT * FROM ${source} ORDER BY symbol DESC`, "has 1 rows out of order"],
    [(source) => `SELECT * FROM ${source} WHERE symbol = 'A'`, "has 1 rows instead of 2"],
    [(source) => `SELECT * REPLACE (NULL::DOUBLE AS close) FROM ${source}`, "has 2 nulls in close"],
    [(source) => `SELECT * EXCLUDE (rank) FROM ${source}`, "has the columns (symbol VARCHAR"],
    [(source) => `SELECT * REPLACE (close::FLOAT AS close) FROM ${source}`, "close FLOAT"],
    [
      (source) => `SELECT * REPLACE (date + 1 AS date) FROM ${source}`,
      "date ranges from 2025-03-05 to 2025-03-05 instead of",
    ],
    [(source) => `SELECT * REPLACE ('A' AS symbol) FROM ${source}`, "has 1 keys more than once"],
  ];
  for (const [select, description] of cases) {
    const { dir, fileOf } = await threeYears();
    await rewrite(dir, await fileOf(2025), select);
    const lake = await yard.open({ dir });
    const found = (await lake.check()).findings.map((finding) => finding.description).join("; ");
    if (description.includes("more than once"))
      expect(found).toContain("symbol ranges from A to A instead of A to B");
    else expect(found).toContain(description);
    await lake.close();
  }
}, 1_200_000);

test("keys that are in two files of a partition are found", async () => {
  const { dir, fileOf } = await threeYears();
  const path = await fileOf(2025);
  const manifestPath = join(dir, "lake", "manifest.json");
  const manifest = JSON.parse(await readFile(manifestPath, "utf8")) as { files: LakeFile[] };
  const [twin] = manifest.files.filter((file) => path.endsWith(file.path));
  if (!twin) throw new Error("no file");
  const name = "prices/year=2025/base-99.parquet";
  await writeFile(join(dir, "lake", name), await readFile(path));
  manifest.files.push({ ...twin, path: name });
  await writeFile(manifestPath, JSON.stringify(manifest));
  const lake = await yard.open({ dir });
  expect((await lake.check()).findings).toEqual([
    {
      severity: "error",
      dataset: "prices",
      path: "prices/year=2025",
      description: "has 2 keys more than once",
    },
  ]);
});

test("unknown files in the lake and in staging are reported as strays and not touched", async () => {
  const { dir, fileOf } = await threeYears();
  await writeFile(join(dir, "lake", "prices", "mine.parquet"), await readFile(await fileOf(2025)));
  const lake = await yard.open({ dir });
  await writeFile(join(dir, "_staging", "left.part"), "half");
  expect((await lake.check({ repair: true })).findings).toMatchObject([
    { severity: "warning", path: "prices/mine.parquet" },
    { severity: "warning", path: "../_staging/left.part" },
  ]);
  expect(await closes(lake)).toEqual([2024, 2025, 2026]);
});
