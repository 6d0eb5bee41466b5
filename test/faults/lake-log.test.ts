// Bad weather for Delta logs: whatever happens to their files, the manifest stays the truth, and nothing
// false is followed silently.
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { cp, mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { batchOf, type Lake } from "../../src/platform/lake/lake.ts";
import { fakeClock } from "../support/fake-clock.ts";
import {
  checkpointOf,
  entriesIn,
  entryOf,
  filesInLog,
  filesInManifest,
  type LogLine,
  linesOf,
  logOf,
} from "./delta-reader.ts";
import { failingDisk, lakeYard, price, prices } from "./lake-support.ts";

setDefaultTimeout(1_200_000);

const yard = lakeYard();
afterEach(yard.clear);

/** Nothing runs beside what a test does: neither publication nor the reconciliation at start. */
const LATER = { deltaLogs: true, publishDelayMs: 3_600_000, verifyDelayMs: 3_600_000 };
const open = (dir: string, more: Parameters<typeof yard.open>[0] = {}) =>
  yard.open({ dir, ...LATER, ...more });
const add = (lake: Lake, symbol: string, close = 1) =>
  lake.append([batchOf(prices, [price(symbol, "2026-01-05", close)])]);
const findings = async (lake: Lake) =>
  (await lake.check()).findings.map(({ severity, description }) => `${severity}: ${description}`);

async function expectFollowed(lake: Lake, dir: string): Promise<void> {
  for (const dataset of ["prices", "events"])
    expect(await filesInLog(lake, dir, dataset)).toEqual(await filesInManifest(dir, dataset));
}

/** A lake with a log of three entries, and what it reported. */
async function threeEntries(more: Parameters<typeof yard.open>[0] = {}) {
  const dir = await yard.folder();
  const reported: string[] = [];
  const lake = await open(dir, {
    onError: (task, error) => reported.push(`${task}: ${error instanceof Error ? error.message : error}`),
    ...more,
  });
  for (const symbol of ["A", "B", "C"]) await add(lake, symbol);
  return { dir, lake, reported };
}

/** Writes an entry as another program does. */
const writeForeign = (dir: string, version: number, lines: readonly unknown[]) =>
  writeFile(
    join(logOf(dir, "prices"), entryOf(version)),
    [{ commitInfo: { timestamp: 1, operation: "WRITE", engineInfo: "Other/1.0" } }, ...lines]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(""),
  );

const metaDataOf = async (dir: string) =>
  linesOf((await entriesIn(dir, "prices")).get(0) ?? "").flatMap(({ metaData }) => metaData ?? [])[0];

describe("an entry of another program", () => {
  test("is taken back by the next commit, its files, statistics and settings included, and reported once", async () => {
    const { dir, lake, reported } = await threeEntries();
    const [one = "", two = ""] = await filesInManifest(dir, "prices");
    const own = await metaDataOf(dir);
    const false_ = { numRecords: 0, minValues: { symbol: "Y" }, maxValues: { symbol: "Z" } };
    const file = { partitionValues: {}, size: 7, modificationTime: 1, dataChange: true };
    await writeForeign(dir, 3, [
      { add: { path: "foreign.parquet", ...file, stats: "{}" } },
      { add: { path: one, ...file, stats: JSON.stringify(false_) } },
      { remove: { path: two, deletionTimestamp: 1, dataChange: true } },
      {
        metaData: {
          ...own,
          id: "another",
          partitionColumns: ["symbol"],
          configuration: { "delta.appendOnly": "true" },
        },
      },
    ]);
    expect(await findings(lake)).toEqual([
      "error: version 3 of its Delta log was written by another program",
      "error: its Delta log lacks 1 files of the manifest and has 1 that are not in it",
    ]);
    await add(lake, "D");
    await expectFollowed(lake, dir);
    const lines: LogLine[] = linesOf((await entriesIn(dir, "prices")).get(4) ?? "");
    expect(lines.flatMap(({ remove }) => remove?.path ?? [])).toEqual(["foreign.parquet"]);
    const again = lines.find(({ add }) => add?.path === one)?.add;
    expect(JSON.parse(again?.stats ?? "{}").numRecords).toBe(1);
    expect(again?.size).toBe((await readFile(join(dir, "lake", "prices", one))).length);
    expect(lines.flatMap(({ metaData }) => metaData ?? [])).toEqual([own as NonNullable<typeof own>]);
    expect(await findings(lake)).toEqual([
      "warning: version 3 of its Delta log was written by another program",
    ]);
    await lake.publish();
    await add(lake, "E");
    await lake.publish();
    expect(reported).toEqual([
      "the Delta log of prices: version 3 of its Delta log was written by another program",
    ]);
    expect(await lake.query("SELECT symbol FROM prices ORDER BY symbol")).toEqual(
      ["A", "B", "C", "D", "E"].map((symbol) => ({ symbol })),
    );
  });

  test("that changes the protocol cannot be taken back: the log is begun again, by name", async () => {
    const { dir, lake, reported } = await threeEntries();
    const [one = ""] = await filesInManifest(dir, "prices");
    await writeForeign(dir, 3, [
      { protocol: { minReaderVersion: 3, minWriterVersion: 7, readerFeatures: ["deletionVectors"] } },
      { add: { path: one, partitionValues: {}, size: 1, deletionVector: { cardinality: 1 } } },
    ]);
    const what = "version 3 of its Delta log has another protocol than ours";
    expect(await findings(lake)).toEqual([`error: ${what}`]);
    await add(lake, "D");
    await lake.publish();
    expect(reported).toContain(`the Delta log of prices: ${what}; it was begun again`);
    await expectFollowed(lake, dir);
    expect(linesOf((await entriesIn(dir, "prices")).get(0) ?? "")[1]?.protocol?.minReaderVersion).toBe(1);
    expect(await findings(lake)).toEqual([]);
  });

  test("that is not yet taken back is in no checkpoint", async () => {
    const { dir, lake } = await threeEntries();
    for (let n = 0; n < 47; n++) await add(lake, `N${n}`);
    await writeForeign(dir, 50, [{ add: { path: "foreign.parquet", size: 1, stats: "{}" } }]);
    await lake.publish();
    expect((await readdir(logOf(dir, "prices"))).filter((name) => name.includes("checkpoint"))).toEqual([]);
    await add(lake, "D");
    await lake.publish();
    expect(await readdir(logOf(dir, "prices"))).toContain(checkpointOf(51));
    await expectFollowed(lake, dir);
  });
});

describe("an entry that is damaged or gone", () => {
  test("cut off at the end of a line, it is lines of JSON and still named", async () => {
    const { dir, lake } = await threeEntries();
    const path = join(logOf(dir, "prices"), entryOf(2));
    const [first = ""] = (await readFile(path, "utf8")).split("\n");
    await writeFile(path, `${first}\n`);
    const what = "version 2 of its Delta log is cut off";
    expect(await findings(lake)).toEqual([`error: ${what}`]);
    await expect(lake.publication()).rejects.toThrow(what);
    expect((await lake.check({ repair: true })).ok).toBe(true);
    await expectFollowed(lake, dir);
    expect(await findings(lake)).toEqual([]);
  });

  test.each([
    ["the newest", entryOf(2), "its Delta log went back from version 2 to 1"],
    ["the whole log", "", "its Delta log went back from version 2 to -1"],
  ])(
    "%s, gone under a running process: reported, and the next commit has the manifest's files",
    async (_, name, what) => {
      const { dir, lake, reported } = await threeEntries();
      await rm(join(logOf(dir, "prices"), name), { recursive: true });
      expect(await findings(lake)).toEqual([
        expect.stringMatching(/^warning: its Delta log lacks [13] files of the manifest and has 0/),
      ]);
      await add(lake, "D");
      await expectFollowed(lake, dir);
      await lake.publish();
      expect(reported).toEqual([`the Delta log of prices: ${what}`]);
      expect(await findings(lake)).toEqual([]);
    },
  );
});

describe("a log with a checkpoint", () => {
  let made = "";
  /**
   * A lake whose log has a checkpoint at version 49 and three entries after it, in a folder of the test's
   * own.
   */
  const copy = async () => {
    const dir = await yard.folder();
    await cp(made, dir, { recursive: true });
    return dir;
  };
  beforeAll(async () => {
    made = await mkdtemp(join(tmpdir(), "lake-"));
    const lake = await open(made);
    for (let n = 0; n < 50; n++) await add(lake, `N${n}`);
    await lake.publish();
    for (const symbol of ["A", "B", "C"]) await add(lake, symbol);
    await lake.close();
  });
  afterAll(() => rm(made, { recursive: true, force: true }));

  const NO_CHECKPOINT = "its Delta log names a checkpoint that is not there";
  test.each([
    ["with its pointer left, entries behind it", false, false, NO_CHECKPOINT],
    ["with its pointer left, no entries behind it", false, true, NO_CHECKPOINT],
    ["with its pointer gone, entries behind it", true, false, null],
    ["with its pointer gone, no entries behind it", true, true, "version 0 of its Delta log is missing"],
  ])("that vanished %s", async (_, isPointerGone, areEntriesGone, what) => {
    const dir = await copy();
    const folder = logOf(dir, "prices");
    await rm(join(folder, checkpointOf(49)));
    if (isPointerGone) await rm(join(folder, "_last_checkpoint"));
    if (areEntriesGone)
      for (let version = 0; version < 49; version++) await rm(join(folder, entryOf(version)));
    const lake = await open(dir);
    expect(await findings(lake)).toEqual(what === null ? [] : [`error: ${what}`]);
    if (what !== null) await expect(lake.publication()).rejects.toThrow(what);
    await lake.close();
    const reported: string[] = [];
    const again = await open(dir, { verifyDelayMs: 0, onError: (__, error) => reported.push(String(error)) });
    await again.close();
    expect(reported).toEqual(what === null ? [] : [`Error: ${what}; it was begun again`]);
    const last = await open(dir);
    await expectFollowed(last, dir);
    expect(await findings(last)).toEqual([]);
    expect(await last.query("SELECT count(*) AS n FROM prices")).toEqual([{ n: 53 }]);
  });

  test("that is damaged is begun again", async () => {
    const dir = await copy();
    await truncate(join(logOf(dir, "prices"), checkpointOf(49)), 100);
    const lake = await open(dir);
    const what = "the checkpoint of version 49 of its Delta log cannot be read";
    expect(await findings(lake)).toEqual([`error: ${what}`]);
    expect((await lake.check({ repair: true })).ok).toBe(true);
    await expectFollowed(lake, dir);
  });

  test("names what is wrong behind it, which only readers of earlier versions meet, and leaves it", async () => {
    const dir = await copy();
    const folder = logOf(dir, "prices");
    await rm(join(folder, entryOf(10)));
    await truncate(join(folder, entryOf(20)), 30);
    await writeForeign(dir, 30, [{ add: { path: "foreign.parquet", size: 1, stats: "{}" } }]);
    const lake = await open(dir);
    const named = [
      "warning: version 10 of its Delta log is missing",
      "warning: version 20 of its Delta log cannot be read",
      "warning: version 30 of its Delta log was written by another program",
    ];
    expect(await findings(lake)).toEqual(named);
    expect((await lake.check({ repair: true })).ok).toBe(true);
    expect(await findings(lake)).toEqual(named);
    await add(lake, "D");
    await expectFollowed(lake, dir);
  });
});

describe("data files deleted by another program, as a VACUUM does", () => {
  /** A lake with a live, a replaced and a history file of prices. */
  async function replaced() {
    const { dir, lake } = await threeEntries();
    await lake.append([batchOf(prices, [price("A", "2026-01-05", 9)], { by: ["symbol"], groups: [["A"]] })]);
    const [gone] = lake.retired();
    if (!gone) throw new Error("nothing was replaced");
    return { dir, lake, gone: gone.path };
  }

  test("live: named, excluded, and after a repair the log does without it", async () => {
    const { dir, lake } = await replaced();
    const [file = ""] = await filesInManifest(dir, "prices");
    await rm(join(dir, "lake", "prices", file));
    expect(await findings(lake)).toEqual(["error: is missing"]);
    expect(await filesInLog(lake, dir, "prices")).toContain(file);
    expect((await lake.check({ repair: true })).ok).toBe(false);
    expect(await filesInLog(lake, dir, "prices")).not.toContain(file);
    await expectFollowed(lake, dir);
    expect((await lake.check({ waived: [`prices/${file}`] })).ok).toBe(true);
    expect(await findings(lake)).toEqual([]);
  });

  test("replaced: named, because earlier versions of the log need it", async () => {
    const { dir, lake, gone } = await replaced();
    await rm(join(dir, "lake", gone));
    const what =
      "1 replaced files were deleted by another program; earlier versions of its Delta log need them";
    expect(await findings(lake)).toEqual([`warning: ${what}`]);
    await lake.compact({ force: true, dataset: "prices" });
    expect(await findings(lake)).toEqual([`warning: ${what}`]);
    await expectFollowed(lake, dir);
  });

  test("history, which lies outside of the tables: named", async () => {
    const { dir, lake } = await replaced();
    const manifest = await readFile(join(dir, "lake", "manifest.json"), "utf8");
    const [, history = ""] = /"path":"([^"]*\/history-[^"]*)"/.exec(manifest) ?? [];
    await rm(join(dir, "lake", history));
    const report = await lake.check();
    expect([report.ok, report.findings.map(({ path, description }) => [path, description])]).toEqual([
      false,
      [[history, "is missing"]],
    ]);
  });
});

test("a clock set back a month deletes nothing early and leaves every log whole", async () => {
  const dir = await yard.folder();
  const clock = fakeClock("2026-06-10T12:00:00Z");
  const lake = await open(dir, { clock, retentionMs: 3_600_000 });
  for (let n = 0; n < 30; n++) await add(lake, `N${n}`);
  const before = await filesInManifest(dir, "prices");
  await lake.compact({ force: true, dataset: "prices" });
  clock.set("2026-05-10T12:00:00Z");
  for (let n = 30; n < 60; n++) await add(lake, `N${n}`);
  await lake.append([batchOf(prices, [price("N0", "2026-01-05", 9)], { by: ["symbol"], groups: [["N0"]] })]);
  await lake.compact({ force: true, dataset: "prices" });
  await lake.publish();
  clock.advance(2 * 3_600_000);
  await lake.compact({ force: true, dataset: "prices" });
  await lake.publish();
  await expectFollowed(lake, dir);
  expect(await findings(lake)).toEqual([]);
  const entries = await entriesIn(dir, "prices");
  expect([...entries.keys()]).toEqual(Array.from(entries.keys(), (_, n) => n));
  expect(entries.size).toBe(63);
  const times = [...entries.values()].flatMap((text) => linesOf(text)[0]?.commitInfo?.timestamp ?? []);
  expect(times[31]).toBeLessThan(times[30] ?? 0);
  // A file replaced before the jump is younger than the retention by this clock; one replaced after it is
  // not.
  const left = await readdir(join(dir, "lake", "prices", "year=2026"));
  expect(before.filter((path) => !left.includes(path.slice("year=2026/".length)))).toEqual([]);
  expect(lake.retired().every(({ retired_at }) => retired_at.startsWith("2026-06"))).toBe(true);
  expect(await lake.query("SELECT count(*) AS n, sum(close) AS sum FROM prices")).toEqual([
    { n: 60, sum: 68 },
  ]);
});

test("a disk that is full at any act: a commit stands or fails whole, and with room the log has the manifest's files", async () => {
  const dir = await yard.folder();
  const broken = failingDisk("ENOSPC");
  const reported: string[] = [];
  const lake = await open(dir, { disk: broken.disk, onError: (task) => reported.push(task) });
  await add(lake, "FIRST");
  const stored = ["FIRST"];
  let [refused, withoutEntry] = [0, 0];
  for (let act = 1; ; act++) {
    broken.failFrom(act, 1);
    const isStored = await add(lake, `N${act}`).then(
      () => true,
      () => false,
    );
    const isOver = broken.acts < act;
    broken.failFrom(Number.POSITIVE_INFINITY, 0);
    const isFollowed = Bun.deepEquals(
      await filesInLog(lake, dir, "prices"),
      await filesInManifest(dir, "prices"),
    );
    if (!isFollowed) {
      withoutEntry++;
      expect(await findings(lake)).toEqual([
        "warning: its Delta log lacks 1 files of the manifest and has 0 that are not in it",
      ]);
    }
    // A manifest in its place stands, although the act after it failed.
    if (isStored || !isFollowed) stored.push(`N${act}`);
    else refused++;
    await lake.publish();
    await expectFollowed(lake, dir);
    expect(await findings(lake)).toEqual([]);
    expect(
      (await readdir(join(dir, "_staging"), { recursive: true })).filter((name) => name.includes("delta-")),
    ).toEqual([]);
    if (isOver) break;
  }
  // The sync after the manifest, and folder, text and name of the entry.
  expect([refused > 3, withoutEntry]).toEqual([true, 4]);
  expect(new Set(reported)).toEqual(new Set(["the Delta log of prices"]));
  expect(
    (await lake.query<{ symbol: string }>("SELECT symbol FROM prices")).map(({ symbol }) => symbol).sort(),
  ).toEqual(stored.toSorted());
});

test("kill -9 before any act of the disk, between data file, manifest and log: nothing is lost, and the log catches up", async () => {
  let [promised, caughtUp] = [0, 0];
  for (let act = 1; ; act++) {
    const dir = await yard.folder();
    const child = Bun.spawn(
      [process.execPath, join(import.meta.dir, "lake-log-killed.ts"), dir, String(act)],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    const said = (await new Response(child.stdout).text()).trim().split("\n");
    await child.exited;
    const lake = await open(dir);
    const found = await findings(lake);
    expect(
      found.filter((text) => !/^warning: its Delta log lacks \d+ files of the manifest/.test(text)),
    ).toEqual([]);
    if (found.length > 0) caughtUp++;
    const taken = await lake.publication();
    expect(taken.problems).toEqual([]);
    await taken.discard();
    await expectFollowed(lake, dir);
    expect(await findings(lake)).toEqual([]);
    const rows = await lake.query<{ close: number; amount: number }>(
      "SELECT p.close, e.amount FROM prices p FULL JOIN events e USING (symbol)",
    );
    // A commit may stand although the process died before it said so; what it said stands.
    const states = [[], [{ close: 1, amount: 1 }], [{ close: 2, amount: 1 }]];
    const least = ["appended", "replaced"].filter((each) => said.includes(each)).length;
    expect(states.slice(least)).toContainEqual(rows);
    promised += least;
    await lake.close();
    if (child.signalCode === null) break;
    expect(child.signalCode).toBe("SIGKILL");
  }
  expect(promised).toBeGreaterThan(10);
  // Killed after the manifest and before an entry, in the append and in the replacement.
  expect(caughtUp).toBeGreaterThanOrEqual(6);
});
