// A writer killed at any moment loses nothing it promised, doubles nothing, changes no version, and disturbs
// no reader.

import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Change, Lake } from "../../src/platform/lake/lake.ts";
import { drawnFor } from "../support/seed.ts";
import { entriesIn, filesInLog, filesInManifest } from "./delta-reader.ts";
import { DATASETS, lakeYard } from "./lake-support.ts";

setDefaultTimeout(1_200_000);

/** One kill among the appends, one while the lake is opened again. */
const ROUNDS = Number(process.env.ROUNDS ?? 2);
const LIFE_MS_MAX = 900;
/** A writer that is not killed early dies at one of these acts of its disk; an append has some ten. */
const [FIRST_ACT, ACTS] = [30, 120];
/** Each round numbers its appends from its own thousand. */
const ROUND_NUMBERS = 100_000;

const drawn = drawnFor("kills of a writer");
const yard = lakeYard();
const readers: { kill(signal: "SIGKILL"): void }[] = [];
afterEach(async () => {
  for (const reader of readers.splice(0)) reader.kill("SIGKILL");
  await yard.clear();
});

/** The numbers of the appends in the whole lines that a writer has written. */
const promisedIn = (said: string): number[] =>
  said
    .split("\n")
    .slice(0, -1)
    .filter((line) => line !== "open")
    .map(Number);

const script = (name: string) => join(import.meta.dir, name);

/**
 * Runs a writer, kills it, and gives the numbers it was promised. It dies a while after its start (`isEarly`,
 * so that opening and sweeping are hit too) or at an act of its disk.
 */
async function runAndKill(dir: string, first: number, isEarly: boolean): Promise<number[]> {
  const act = FIRST_ACT + Math.floor(drawn() * ACTS);
  const writer = Bun.spawn(
    [
      process.execPath,
      ...(isEarly ? [] : ["--preload", script("kill-at-act.ts")]),
      ...[script("lake-kill-writer.ts"), dir, String(first)],
    ],
    { stdout: "pipe", stderr: "inherit", env: { ...process.env, KILL_AT: String(act) } },
  );
  const timer = isEarly ? setTimeout(() => writer.kill("SIGKILL"), drawn() * LIFE_MS_MAX) : undefined;
  const reported = await new Response(writer.stdout).text();
  clearTimeout(timer);
  await writer.exited;
  expect(writer.signalCode).toBe("SIGKILL");
  return promisedIn(reported);
}

async function storedNumbers(lake: Lake): Promise<Map<number, string[]>> {
  const rows = await lake.query<{ symbol: string; place: string }>(
    `SELECT symbol, 'prices ' || date AS place FROM prices UNION ALL SELECT symbol, 'events ' || date FROM events
     ORDER BY symbol, place`,
  );
  const numbers = new Map<number, string[]>();
  for (const { symbol, place } of rows) {
    const number = Number(symbol.slice(1));
    numbers.set(number, [...(numbers.get(number) ?? []), place]);
  }
  return numbers;
}

/**
 * Brings the Delta logs to the manifest, as the next commit does, and reads them as an engine does. No entry
 * may change: readers rely on the versions they have seen. `seen` has the hash of each entry, by dataset and
 * version.
 */
async function expectLogs(lake: Lake, dir: string, seen: Map<string, number | bigint>): Promise<void> {
  const taken = await lake.publication();
  expect(taken.problems).toEqual([]);
  await taken.discard();
  for (const { name } of DATASETS) {
    expect(await filesInLog(lake, dir, name)).toEqual(await filesInManifest(dir, name));
    for (const [version, text] of await entriesIn(dir, name)) {
      const hash = Bun.hash(text);
      expect([name, version, seen.get(`${name} ${version}`) ?? hash]).toEqual([name, version, hash]);
      seen.set(`${name} ${version}`, hash);
    }
  }
}

/** All rows at a version, or now. */
async function rowsAt(lake: Lake, version?: number): Promise<unknown[]> {
  const rows = DATASETS.map(({ name }) =>
    lake.query(`SELECT * EXCLUDE (recorded) FROM ${name} ORDER BY ALL`, {}, { version }),
  );
  return await Promise.all(rows);
}

/** The rows that the ledger leaves, by dataset, as texts in no order. */
function folded(changes: readonly Change[]): unknown[] {
  const rows = new Map(DATASETS.map(({ name }) => [name, new Map<string, string>()]));
  for (const { dataset, before, after } of changes) {
    const of = rows.get(dataset);
    if (before) of?.delete(JSON.stringify(before));
    if (after) of?.set(JSON.stringify(after), JSON.stringify(after));
  }
  return DATASETS.map(({ name }) => [...(rows.get(name)?.values() ?? [])].sort());
}

const WHOLE = ["events 2026-01-02", "prices 2025-12-31", "prices 2026-01-02"];

test(`a writer killed ${ROUNDS} times loses and doubles nothing, changes no version, and no reader of the catalogue notices`, async () => {
  const dir = await yard.folder();
  const reader = Bun.spawn([process.execPath, script("lake-kill-reader.ts"), dir], {
    stdout: "pipe",
    stderr: "inherit",
  });
  readers.push(reader);
  const promised = new Set<number>();
  const versions = new Map<number, number | bigint>();
  const entries = new Map<string, number | bigint>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const number of await runAndKill(dir, round * ROUND_NUMBERS, round % 3 === 1)) promised.add(number);
    // The retention is the writer's, or what it was about to forget would count as lost.
    const lake = await yard.open({
      dir,
      deltaLogs: true,
      retentionMs: 5_000,
      publishDelayMs: 3_600_000,
    });
    const stored = await storedNumbers(lake);
    expect([...promised].filter((number) => !stored.has(number))).toEqual([]);
    for (const places of stored.values()) expect(places).toEqual(WHOLE);
    // A version gives now what it gave after an earlier kill.
    for (const [version, hash] of versions)
      expect([version, Bun.hash(JSON.stringify(await rowsAt(lake, version)))]).toEqual([version, hash]);
    const rows = await rowsAt(lake);
    const newest = await lake.generation();
    versions.set(newest, Bun.hash(JSON.stringify(rows)));
    const changes = await lake.ledger({ from: 0, to: newest, datasets: DATASETS });
    expect(folded(changes)).toEqual(
      rows.map((ofDataset) => (ofDataset as unknown[]).map((row) => JSON.stringify(row)).sort()),
    );
    await expectLogs(lake, dir, entries);
    expect((await lake.check()).findings).toEqual([]);
    expect(lake.problems()).toEqual([]);
    // The only folder left in staging is this process's own.
    expect((await readdir(join(dir, "_staging"))).length).toBe(1);
    // The reader opens one catalogue at least.
    if (round === ROUNDS - 1) await lake.publish();
    await lake.close();
    expect(await readdir(join(dir, "_staging"))).toEqual([]);
  }
  reader.kill("SIGTERM");
  const said = await new Response(reader.stdout).text();
  expect(said).toMatch(/^opened \d+\n$/);
  expect(Number(said.match(/\d+/)?.[0])).toBeGreaterThan(0);
  // Two rounds of three append, and each of them leaves an entry in the logs of prices and events.
  const appending = ROUNDS - Math.floor((ROUNDS + 1) / 3);
  expect(promised.size).toBeGreaterThanOrEqual(appending);
  expect(entries.size).toBeGreaterThanOrEqual(appending * 2);
});
