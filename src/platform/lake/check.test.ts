// Broken files are found, excluded and moved to quarantine; the other files are served.

import { afterEach, expect, test } from "bun:test";
import { readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { events, filed, lakeYard, price, prices, threeYears } from "../../../test/faults/lake-support.ts";
import { damageWarnings, Reading } from "../reading.ts";
import { dataset } from "./dataset.ts";
import { batchOf, type Lake } from "./lake.ts";
import { readManifest } from "./manifest.ts";

const yard = lakeYard();
afterEach(yard.clear);

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
  const manifest = await readManifest(manifestPath);
  for (const file of manifest.files)
    if (path.endsWith(file.path)) {
      file.bytes = bytes.length;
      file.sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
    }
  await writeFile(manifestPath, JSON.stringify(manifest));
}

/** The warnings that a read notes. */
async function warned(lake: Lake, sql: string, params = {}, options = {}): Promise<string[]> {
  const reading = new Reading();
  await reading.run(() => lake.query(sql, params, options));
  return damageWarnings(reading.damage.values());
}

/** Changes a byte of every file of a dataset. */
async function harm(dir: string, dataset: string): Promise<void> {
  const folder = join(dir, "lake", dataset);
  for (const name of await readdir(folder)) {
    const bytes = await readFile(join(folder, name));
    bytes[40] = (bytes[40] ?? 0) ^ 1;
    await writeFile(join(folder, name), bytes);
  }
}

test("only reads of companies within the ranges of a lost file have a warning of it", async () => {
  const dir = await yard.folder();
  const datasets = [prices, events, filed];
  const event = { date: "2025-03-04", amount: 1, known_at: "2025-03-05T00:00:00Z" };
  const first = await yard.open({ dir, datasets });
  for (const n of [1, 2]) {
    await first.append([batchOf(filed, [{ cik: `000000000${n}`, number: n, known_at: null }])]);
    await first.append([batchOf(events, [{ symbol: `S${n}`, ...event }])]);
  }
  await first.compact({ force: true });
  await first.close();
  for (const { name } of [events, filed]) await harm(dir, name);
  const lake = await yard.open({ dir, datasets });
  const ofFiled = "SELECT * FROM filed WHERE cik = ANY($ciks)";
  const ofEvents = "SELECT * FROM events WHERE symbol = 'S'";
  const count = async (...read: [string, object?, object?]) => (await warned(lake, ...read)).length;
  expect(await count(ofFiled, { ciks: ["0000000002"] })).toBe(1);
  expect(await count(ofFiled, { ciks: ["0000000003"] })).toBe(0);
  expect(await count("SELECT * FROM filed")).toBe(1);
  // Symbols that are part of the text are named beside it.
  expect(await count(ofEvents)).toBe(1);
  expect(await count(ofEvents, {}, { symbols: ["S"] })).toBe(0);
  expect(await count(ofEvents, {}, { symbols: ["S", "S2"] })).toBe(1);
  const named = (symbols?: string[]) => {
    const reading = new Reading();
    return reading.run(() => lake.version([events], symbols)).then(() => reading.damage.size);
  };
  expect([await named(), await named(["S"]), await named(["S1"])]).toEqual([1, 0, 1]);
});

test("as of a moment only files are named of which a row was public, or whose rows count before", async () => {
  const dir = await yard.folder();
  const daily = { ...prices, changes: { publicFrom: "date + 1" } };
  const changes = { publicFrom: "date", countsBefore: { column: "date", upTo: "basis" } } as const;
  const scaling = { ...events, changes };
  const ahead = { ...events, name: "ahead", changes };
  const own = { ...events, name: "own" };
  const always = { ...events, name: "always", changes: { countsBefore: true } } as const;
  const based = dataset({
    name: "based",
    description: "Rows on a basis.",
    columns: { basis: { type: "DATE", description: "Basis." } },
    key: ["basis"],
    partition: { by: "none" },
    sort: ["basis"],
    fill: "first",
  });
  const datasets = [daily, scaling, ahead, own, always, filed, based];
  const known_at = "2026-08-20T12:00:00Z";
  const first = await yard.open({ dir, datasets });
  await first.append([
    batchOf(daily, [price("A", "2025-03-04", 1, { known_at })]),
    batchOf(scaling, [{ symbol: "A", date: "2025-03-04", amount: 1, known_at }]),
    batchOf(ahead, [{ symbol: "A", date: "2025-06-30", amount: 1, known_at }]),
    batchOf(own, [{ symbol: "A", date: "2025-03-04", amount: 1, known_at }]),
    batchOf(always, [{ symbol: "A", date: "2025-03-04", amount: 1, known_at }]),
    batchOf(filed, [{ cik: "0000000001", number: 1, known_at }]),
    batchOf(based, [{ basis: "2025-06-29" }]),
  ]);
  await first.compact({ force: true });
  await first.close();
  for (const name of await readdir(join(dir, "lake"), { recursive: true }))
    if (/^(?!based|.*_delta_log).*\.parquet$/.test(name)) await truncate(join(dir, "lake", name), 40);
  const lake = await yard.open({ dir, datasets });
  await lake.inspect();
  const namedAsOf = async (moment: string) => {
    const reading = new Reading(null, Temporal.Instant.from(moment));
    await reading.run(() => lake.version(datasets));
    return [...reading.damage.values()].map(({ dataset, of }) => `${dataset}${of}`).sort();
  };
  // The day of `ahead` is after every basis, so its rows count from it on. `own` has known_at alone.
  expect(await namedAsOf("2025-03-03T21:00:00Z")).toEqual(["always", "events"]);
  expect(await namedAsOf("2025-03-04T21:00:00Z")).toEqual(["always", "events", "prices"]);
  expect(await namedAsOf("2025-06-30T21:00:00Z")).toEqual(["ahead", "always", "events", "prices"]);
  expect(await namedAsOf("2026-08-20T11:59:59Z")).toEqual(["ahead", "always", "events", "prices"]);
  expect(await namedAsOf("2026-08-20T12:00:00Z")).toEqual([
    "ahead",
    "always",
    "events",
    "filed",
    "own",
    "prices",
  ]);
});

test("a file of an earlier release, which has no range of CIKs, may have a row of any, and so may its merge", async () => {
  const dir = await yard.folder();
  const datasets = [filed];
  const row = (n: number) => ({ cik: `000000000${n}`, number: n, known_at: null });
  const first = await yard.open({ dir, datasets, deltaLogs: true });
  await first.append([batchOf(filed, [row(1)])]);
  await first.close();
  const path = join(dir, "lake", "manifest.json");
  const manifest = await readManifest(path);
  for (const file of manifest.files) file.ranges = {};
  await writeFile(path, JSON.stringify(manifest));
  const second = await yard.open({ dir, datasets, deltaLogs: true });
  await second.append([batchOf(filed, [row(2)])]);
  expect((await second.check()).findings).toEqual([]);
  await second.compact({ force: true });
  expect((await readManifest(path)).files).toMatchObject([{ rows: 2, ranges: {} }]);
  expect((await second.check()).findings).toEqual([]);
  await second.close();
  const [base = ""] = (await readManifest(path)).files.map(({ path }) => path);
  await truncate(join(dir, "lake", base), 20);
  const lake = await yard.open({ dir, datasets });
  expect(await warned(lake, "SELECT * FROM filed WHERE cik = $cik", { cik: "0000000001" })).toHaveLength(1);
});

test("an intact lake has no findings", async () => {
  const { dir } = await threeYears(yard);
  const lake = await yard.open({ dir });
  expect(await lake.check()).toMatchObject({ ok: true, files: 3, rows: 6, findings: [] });
  expect(lake.problems()).toEqual([]);
});

test("a missing and a truncated file are excluded and reported, and the rest is served", async () => {
  const { dir, fileOf } = await threeYears(yard);
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
  const { dir, fileOf } = await threeYears(yard);
  const lake = await yard.open({ dir });
  expect(await closes(lake)).toEqual([2024, 2025, 2026]);
  await rm(await fileOf(2025));
  expect(await closes(lake)).toEqual([2024, 2026]);
  expect(lake.problems()).toMatchObject([{ dataset: "prices", description: "is missing" }]);
});

test("a file whose footer is damaged keeps no lake from opening, and none that is open from reading", async () => {
  const { dir, fileOf } = await threeYears(yard);
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
  const { dir, fileOf } = await threeYears(yard);
  const path = await fileOf(2025);
  const bytes = await readFile(path);
  bytes[40] = (bytes[40] ?? 0) ^ 0xff;
  await writeFile(path, bytes);
  const verified = await yard.open({ dir, verify: true, publishes: false });
  while (verified.problems().length === 0) await Bun.sleep(5);
  expect(verified.problems()).toMatchObject([{ description: "has other bytes than were written" }]);
  expect(await closes(verified)).toEqual([2024, 2026]);
  // Publishing notes that lost rows are there again, and would do so before the check.
  const lake = await yard.open({ dir, publishes: false });
  const unrepaired = await lake.check();
  expect(unrepaired.findings).toMatchObject([
    { severity: "error", description: "has other bytes than were written" },
  ]);
  const repaired = await lake.check({ repair: true });
  expect(repaired.ok).toBe(false);
  const [moved = ""] = await readdir(join(dir, "lake", "_quarantine"));
  expect(repaired.findings).toMatchObject([
    { repaired: `set aside in _quarantine/${moved}` },
    { description: "has other bytes than were written; its 2 rows are not served" },
  ]);
  expect(repaired.findings[1]?.repaired).toBeUndefined();
  expect(await closes(lake)).toEqual([2024, 2026]);
  expect(await lake.check()).toMatchObject({ ok: false, files: 2 });
  await lake.append([batchOf(prices, [price("A", "2025-03-04", 7)])]);
  expect(await closes(lake)).toEqual([2024, 7, 2026]);
  expect((await lake.check()).ok).toBe(false);
  await lake.append([batchOf(prices, [price("B", "2025-03-04", 7)])]);
  expect(await lake.check()).toMatchObject({
    ok: true,
    findings: [{ repaired: "the rows are stored again" }],
  });
  expect(await lake.check()).toMatchObject({ ok: true, findings: [] });
  expect(lake.problems()).toEqual([]);
});

test("a damaged file is found by the first read that uses it, named in its reading, and refused in a version", async () => {
  const { dir, fileOf } = await threeYears(yard);
  const lake = await yard.open({ dir });
  const path = await fileOf(2025);
  const bytes = await readFile(path);
  bytes[40] = (bytes[40] ?? 0) ^ 1;
  await writeFile(path, bytes);
  const warningsOf = (sql: string, params = {}) => warned(lake, sql, params);
  const warning =
    "damaged: rows of prices (year=2025, symbol A to B, date 2025-03-04) may be missing, because their file has other bytes than were written.";
  expect(await warningsOf("SELECT * FROM ticks")).toEqual([]);
  expect(lake.problems()).toEqual([]);
  expect(await warningsOf("SELECT * FROM prices WHERE symbol = $symbol", { symbol: "A" })).toEqual([warning]);
  expect(await closes(lake)).toEqual([2024, 2026]);
  expect(await warningsOf("SELECT * FROM prices WHERE symbol = $symbol", { symbol: "C" })).toEqual([]);
  const range = { from: 0, to: 3, datasets: [prices] };
  await expect(lake.ledger(range)).rejects.toMatchObject({ code: "damaged" });
  expect(await lake.ledger({ ...range, symbol: "C" })).toEqual([]);
  const now = Temporal.Instant.from("2026-03-05T00:00:00Z");
  const inVersion = (version: number) =>
    new Reading({ version, now }).run(() => lake.query<{ n: number }>("SELECT count(*) AS n FROM prices"));
  await expect(inVersion(2)).rejects.toMatchObject({ code: "damaged" });
  expect(await inVersion(1)).toEqual([{ n: 2 }]);
  const [lost] = lake.problems();
  await lake.check({ repair: true });
  const waived = [lost?.path ?? "", "no/such.parquet"];
  const unknown = {
    severity: "warning",
    path: "no/such.parquet",
    description: "is none of the files that were set aside, so that nothing is waived",
  };
  expect(await lake.check({ waived })).toMatchObject({
    ok: true,
    findings: [{ repaired: "waived" }, unknown],
  });
  // A file that was waived before is none of these.
  expect((await lake.check({ waived })).findings).toMatchObject([unknown]);
  expect(await warningsOf("SELECT * FROM prices")).toEqual([]);
  await expect(inVersion(3)).rejects.toMatchObject({ code: "damaged" });
  expect(await inVersion(await lake.generation())).toEqual([{ n: 4 }]);
});

test("a merge and a write leave a damaged file out, and keep its values out of others", async () => {
  const dir = await yard.folder();
  const first = await yard.open({ dir });
  for (const [at, symbol] of ["A", "B", "C", "D"].entries())
    await first.append([batchOf(prices, [price(symbol, "2025-03-04", at + 1)])]);
  await first.close();
  const folder = join(dir, "lake", "prices", "year=2025");
  const [name = ""] = (await readdir(folder)).sort();
  const bytes = await readFile(join(folder, name));
  bytes[40] = (bytes[40] ?? 0) ^ 1;
  await writeFile(join(folder, name), bytes);
  const lake = await yard.open({ dir });
  expect(await lake.compact({ force: true })).toEqual([]);
  const [again] = await lake.append([batchOf(prices, [price("A", "2025-03-04", 1)])]);
  expect(again?.written).toBe(1);
  expect((await lake.query("SELECT symbol, close FROM prices ORDER BY symbol")).map(Object.values)).toEqual([
    ["A", 1],
    ["B", 2],
    ["C", 3],
    ["D", 4],
  ]);
  expect((await lake.check()).ok).toBe(true);
});

test("a manifest, a commit log and a Delta log with a changed byte are found", async () => {
  const { dir } = await threeYears(yard);
  const change = async (path: string, find: string) => {
    const bytes = await readFile(path);
    const at = bytes.indexOf(find);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    await writeFile(path, bytes);
  };
  const logged = await yard.open({ dir, deltaLogs: true });
  await logged.append([batchOf(prices, [price("A", "2023-03-04", 3)])]);
  await logged.close();
  const entry = join(dir, "lake", "prices", "_delta_log", "00000000000000000000.json");
  await change(entry, "2024-03-04");
  await change(join(dir, "lake", "commits.csv"), "prices=2");
  const lake = await yard.open({ dir, deltaLogs: true, verifyDelayMs: 3_600_000 });
  expect((await lake.check()).findings).toMatchObject([
    { path: "commits.csv", description: "its line 1 is damaged" },
    { path: "prices/_delta_log", description: "version 0 of its Delta log cannot be read" },
  ]);
  const { commits } = await lake.commits({ only: [1, 2], limit: 2 });
  expect(commits).toMatchObject([{ rows: { prices: 2 } }, { generation: 1, recorded_at: null, rows: null }]);
  // The log is read: what it has not noted is listed only where it is asked for.
  const listed = await lake.commits({ limit: 9 });
  expect(listed.commits.map(({ generation }) => generation)).toEqual([4, 3, 2]);
  expect(listed.total).toBe(3);
  await lake.close();
  await change(join(dir, "lake", "manifest.json"), "2025-03-04");
  await expect(yard.open({ dir })).rejects.toThrow("manifest is damaged");
});

test("a name in a footer that changes within a second of its comparison is found when reads fail", async () => {
  const dir = await yard.folder();
  const lake = await yard.open({ dir, verifyDelayMs: 3_600_000 });
  await lake.append([batchOf(prices, [price("A", "2024-03-04", 3), price("B", "2025-03-04", 4)])]);
  const version = await lake.generation();
  await lake.append([batchOf(prices, [price("C", "2026-03-04", 5)])]);
  const closes = (at?: number) =>
    lake.query("SELECT symbol, close FROM prices ORDER BY symbol", {}, { version: at });
  expect((await closes()).length).toBe(3);
  const [file = ""] = await Array.fromAsync(new Bun.Glob("lake/prices/year=2024/*.parquet").scan(dir));
  const bytes = await readFile(join(dir, file), "latin1");
  await writeFile(join(dir, file), bytes.replaceAll("close", "clore"), "latin1");
  // The views of the version open the file's end. One of the reads finds the damage, the others hear of it.
  const found = await Promise.all([closes(version), closes(version), closes(version)]);
  expect(found).toEqual([
    [{ symbol: "B", close: 4 }],
    [{ symbol: "B", close: 4 }],
    [{ symbol: "B", close: 4 }],
  ]);
  expect(lake.problems()).toMatchObject([{ description: "has other bytes than were written" }]);
  await lake.close();
});

test("rows of another symbol do not fill the place of lost ones", async () => {
  for (const isReadable of [true, false]) {
    const { dir, fileOf } = await threeYears(yard);
    const path = await fileOf(2025);
    const manifest = await readFile(join(dir, "lake", "manifest.json"));
    // A file of the same rows in other bytes can be read, and is none that was written.
    if (isReadable) await rewrite(dir, path, (source) => `FROM ${source} ORDER BY symbol DESC`);
    else await truncate(path, 40);
    await writeFile(join(dir, "lake", "manifest.json"), manifest);
    const lake = await yard.open({ dir, publishes: false });
    expect(await lake.check({ repair: true })).toMatchObject({ ok: false });
    const others = ["AA", "AB", "AC"].map((symbol) => price(symbol, "2025-03-04", 1));
    await lake.append([batchOf(prices, others)]);
    expect([isReadable, (await lake.losses()).length]).toEqual([isReadable, 1]);
    await lake.append([
      batchOf(
        prices,
        ["A", "B"].map((symbol) => price(symbol, "2025-03-04", 1)),
      ),
    ]);
    expect([isReadable, (await lake.losses()).length]).toEqual([isReadable, 0]);
  }
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
    const { dir, fileOf } = await threeYears(yard);
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
  const { dir, fileOf } = await threeYears(yard);
  const path = await fileOf(2025);
  const manifestPath = join(dir, "lake", "manifest.json");
  const manifest = await readManifest(manifestPath);
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
  const { dir, fileOf } = await threeYears(yard);
  await writeFile(join(dir, "lake", "prices", "mine.parquet"), await readFile(await fileOf(2025)));
  const lake = await yard.open({ dir });
  await writeFile(join(dir, "_staging", "left.part"), "half");
  expect((await lake.check({ repair: true })).findings).toMatchObject([
    { severity: "warning", path: "prices/mine.parquet" },
    { severity: "warning", path: "../_staging/left.part" },
  ]);
  expect(await closes(lake)).toEqual([2024, 2025, 2026]);
});
