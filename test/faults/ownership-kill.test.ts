// Taking in a day of ownership filings gives the same rows once, twice, killed at any moment and resumed, and from two
// processes at once.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStores } from "../../src/composition/context.ts";
import { readConfig } from "../../src/config.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { captureLog } from "../../src/platform/log.ts";
import { busyDay, type OwnershipWorld, serveOwnership } from "../support/ownership-world.ts";

const ROUNDS = Number(process.env.ROUNDS ?? 3);
const DATE = "2026-09-08";
const NOW = "2026-09-09T14:00:00Z";
/** A real day has some 1,000 filings in 2,000 lines of the index. */
const FILINGS = 1_000;
const LIFE_MS_MAX = 3_000;

const folders: string[] = [];
const folder = async () => {
  const dir = await mkdtemp(join(tmpdir(), "asof-ownership-"));
  folders.push(dir);
  return dir;
};

let world: OwnershipWorld;
let reference: Stored;

interface Stored {
  readonly trades: string[];
  readonly events: string[];
  readonly states: string[];
}

const start = (dir: string) =>
  Bun.spawn(
    [process.execPath, join(import.meta.dir, "ownership-kill-writer.ts"), dir, world.url, DATE, NOW],
    {
      stdout: "pipe",
      stderr: "inherit",
    },
  );

/** Runs to the end; gives what it said. */
async function finish(child: ReturnType<typeof start>): Promise<string> {
  const said = await new Response(child.stdout).text();
  await child.exited;
  return said;
}

async function kill(dir: string, afterMs: number): Promise<void> {
  const child = start(dir);
  const timer = setTimeout(() => child.kill("SIGKILL"), afterMs);
  await child.exited;
  clearTimeout(timer);
}

/** Every row that is kept, as text. */
async function stored(dir: string): Promise<Stored> {
  const config = readConfig({ DATA_DIR: dir });
  const { sqlite, lake } = await openStores({ config, clock: systemClock, log: captureLog() });
  const texts = async (sql: string) => (await lake.query(sql)).map((row) => JSON.stringify(row)).sort();
  const result = {
    trades: await texts("SELECT * FROM insider_transactions"),
    events: await texts("SELECT * FROM ownership_events"),
    states: sqlite
      .use((db) =>
        db.all<Record<string, unknown>>(
          "SELECT accession_number, kind, status, attempts, reading, rows, accepted_at, known_at, error FROM ownership_filings",
        ),
      )
      .map((row) => JSON.stringify(row))
      .sort(),
  };
  // Replaced files that wait for their readers are warnings.
  const { findings } = await lake.check();
  expect(findings.filter(({ severity }) => severity !== "warning")).toEqual([]);
  await lake.close();
  sqlite.close();
  return result;
}

beforeAll(async () => {
  world = serveOwnership(busyDay(DATE, FILINGS));
  const dir = await folder();
  expect(await finish(start(dir))).toEndWith("done\n");
  reference = await stored(dir);
}, 120_000);
afterAll(async () => {
  await world.stop();
  for (const dir of folders) await rm(dir, { recursive: true, force: true });
});

test("a whole day is taken in: every filing once, every trade once", () => {
  expect(reference.states).toHaveLength(FILINGS);
  const failed = reference.states.filter((row) => row.includes('"failed"'));
  expect(failed).toHaveLength(FILINGS / 100);
  // Of a filing the so-manieth modulo three lots; every fortieth is of a large holder, every hundredth unreadable.
  const numbers = Array.from({ length: FILINGS }, (_, i) => i);
  const forms = numbers.filter((i) => i % 40 !== 39 && !(i % 100 === 98 && i % 50 !== 49));
  expect(reference.trades).toHaveLength(forms.reduce((sum, i) => sum + 1 + (i % 3), 0));
  expect(reference.events).toHaveLength(FILINGS / 40);
});

test("taken in a second time it gives the same rows", async () => {
  const dir = await folder();
  expect(await finish(start(dir))).toEndWith("done\n");
  world.forget();
  expect(await finish(start(dir))).toEndWith("done\n");
  expect(await stored(dir)).toEqual(reference);
  // The index again, and no filing.
  expect(world.asked.filter((path) => path.endsWith(".txt"))).toEqual([]);
}, 120_000);

test(
  `killed at random moments and resumed it gives the same rows, ${ROUNDS} times`,
  async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const dir = await folder();
      for (let deaths = 0; deaths <= round % 3; deaths++) await kill(dir, Math.random() * LIFE_MS_MAX);
      expect(await finish(start(dir))).toEndWith("done\n");
      expect(await stored(dir)).toEqual(reference);
    }
  },
  60_000 + ROUNDS * 60_000,
);

test("two processes at once give the same rows", async () => {
  const dir = await folder();
  const said = await Promise.all([finish(start(dir)), finish(start(dir))]);
  for (const text of said) expect(text).toEndWith("done\n");
  expect(await stored(dir)).toEqual(reference);
}, 180_000);
