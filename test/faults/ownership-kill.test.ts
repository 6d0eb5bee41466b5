// Taking in a day of ownership filings gives the same rows once, twice, killed at any moment and resumed, and
// from two processes at once.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStores } from "../../src/composition/context.ts";
import { readConfig } from "../../src/config.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { captureLog } from "../support/capture-log.ts";
import { busyDay, type OwnershipWorld, serveOwnership } from "../support/ownership-world.ts";

setDefaultTimeout(1_200_000);

const ROUNDS = Number(process.env.ROUNDS ?? 3);
const DATE = "2026-09-08";
const NOW = "2026-09-09T14:00:00Z";
/** A real day has some 1,000 filings in 2,000 lines of the index. */
const FILINGS = 1_000;
/** The day that is taken in again and again; as many as a real one in the full run. */
const FILINGS_A_ROUND = ROUNDS > 10 ? FILINGS : 150;

const folders: string[] = [];
const folder = async () => {
  const dir = await mkdtemp(join(tmpdir(), "asof-ownership-"));
  folders.push(dir);
  return dir;
};

const worlds: OwnershipWorld[] = [];
const worldOf = (filings: number): OwnershipWorld => {
  const world = serveOwnership(busyDay(DATE, filings));
  worlds.push(world);
  return world;
};

interface Stored {
  readonly trades: string[];
  readonly events: string[];
  readonly states: string[];
}

const start = (dir: string, world: OwnershipWorld) =>
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

/** Kills a run at any moment of its life; false when it was at its end before. */
async function kill(dir: string, { world, lifeMs }: typeof round): Promise<boolean> {
  const child = start(dir, world);
  const timer = setTimeout(() => child.kill("SIGKILL"), Math.random() * lifeMs);
  await finish(child);
  clearTimeout(timer);
  return child.signalCode === "SIGKILL";
}

/** A folder in which a run was killed in its midst. */
async function broken(): Promise<string> {
  for (;;) {
    const dir = await folder();
    if (await kill(dir, round)) return dir;
  }
}

/**
 * Every row that is kept, as text, without the generation that it came with: which commit a row is in depends
 * on the moment.
 */
async function stored(dir: string): Promise<Stored> {
  const config = readConfig({ DATA_DIR: dir });
  const { sqlite, lake } = await openStores({ config, clock: systemClock, log: captureLog() });
  const texts = async (sql: string) => (await lake.query(sql)).map((row) => JSON.stringify(row)).sort();
  const result = {
    trades: await texts("SELECT * EXCLUDE (recorded) FROM insider_transactions"),
    events: await texts("SELECT * EXCLUDE (recorded) FROM ownership_events"),
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

async function takenIn(dir: string, world: OwnershipWorld): Promise<Stored> {
  expect(await finish(start(dir, world))).toEndWith("done\n");
  return stored(dir);
}

/** One day for all rounds, the rows an undisturbed run makes of it, and how long it takes. */
let round: { readonly world: OwnershipWorld; readonly reference: Stored; readonly lifeMs: number };
beforeAll(async () => {
  const world = worldOf(FILINGS_A_ROUND);
  const [dir, started] = [await folder(), performance.now()];
  expect(await finish(start(dir, world))).toEndWith("done\n");
  round = { world, lifeMs: performance.now() - started, reference: await stored(dir) };
});
afterAll(async () => {
  for (const world of worlds) await world.stop();
  for (const dir of folders) await rm(dir, { recursive: true, force: true });
});

test("a whole day taken in gives every filing and every trade once, also the second time", async () => {
  const [dir, world] = [await folder(), worldOf(FILINGS)];
  const once = await takenIn(dir, world);
  expect(once.states).toHaveLength(FILINGS);
  const numbers = Array.from({ length: FILINGS }, (_, i) => i);
  const unread = numbers.filter((i) => i % 100 === 98);
  expect(once.states.filter((row) => row.includes('"failed"'))).toHaveLength(unread.length);
  // Of a filing one to three trades; every fortieth is of a large holder.
  const forms = numbers.filter((i) => i % 40 !== 39 && i % 100 !== 98);
  expect(once.trades).toHaveLength(forms.reduce((sum, i) => sum + 1 + (i % 3), 0));
  expect(once.events).toHaveLength(FILINGS / 40);
  world.forget();
  expect(await takenIn(dir, world)).toEqual(once);
  // The index again, and no filing.
  expect(world.asked.filter((path) => path.endsWith(".txt"))).toEqual([]);
});

test(
  `killed at random moments and resumed it gives the same rows, ${ROUNDS} times`,
  async () => {
    for (let n = 0; n < ROUNDS; n++) {
      const dir = await broken();
      for (let more = 0; more < n % 3; more++) await kill(dir, round);
      expect(await takenIn(dir, round.world)).toEqual(round.reference);
      await rm(dir, { recursive: true, force: true });
    }
  },
  60_000 + ROUNDS * 90_000,
);

test("two processes at once give the same rows", async () => {
  const dir = await folder();
  const said = await Promise.all([1, 2].map(() => finish(start(dir, round.world))));
  for (const text of said) expect(text).toEndWith("done\n");
  expect(await stored(dir)).toEqual(round.reference);
});
