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
import { drawnFor } from "../support/seed.ts";
import { actOf, actsOf, killScript, runScript } from "./killed-run.ts";
import { takeIn } from "./ownership-kill-writer.ts";

setDefaultTimeout(1_200_000);

const ROUNDS = Number(process.env.ROUNDS ?? 1);
const DATE = "2026-09-08";
const NOW = "2026-09-09T14:00:00Z";
/** In the full run as many as on a real day: some 1,000 filings in 2,000 lines of the index. */
const FILINGS = ROUNDS > 10 ? 1_000 : 120;
const drawn = drawnFor("kills of an ingest");

const folders: string[] = [];
const folder = async () => {
  const dir = await mkdtemp(join(tmpdir(), "asof-ownership-"));
  folders.push(dir);
  return dir;
};

let world: OwnershipWorld;

interface Stored {
  readonly trades: string[];
  readonly events: string[];
  readonly states: string[];
}

const WRITER = "ownership-kill-writer.ts";
const argsOf = (dir: string) => [dir, world.url, DATE, NOW] as const;
const run = (dir: string) => takeIn(...argsOf(dir));

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

/** An undisturbed run: its folder, the rows that it leaves, and the acts of its disk. */
let reference: { readonly dir: string; readonly rows: Stored; readonly acts: number };
beforeAll(async () => {
  world = serveOwnership(busyDay(DATE, FILINGS));
  const dir = await folder();
  const acts = await actsOf(() => run(dir));
  reference = { dir, rows: await stored(dir), acts };
});
afterAll(async () => {
  await world.stop();
  for (const dir of folders) await rm(dir, { recursive: true, force: true });
});

test("a whole day taken in gives every filing and every trade once, also the second time", async () => {
  const { dir, rows: once } = reference;
  expect(once.states).toHaveLength(FILINGS);
  const numbers = Array.from({ length: FILINGS }, (_, i) => i);
  const unread = numbers.filter((i) => i % 100 === 98);
  expect(once.states.filter((row) => row.includes('"failed"'))).toHaveLength(unread.length);
  // Of a filing one to three trades; every fortieth is of a large holder.
  const forms = numbers.filter((i) => i % 40 !== 39 && i % 100 !== 98);
  expect(once.trades).toHaveLength(forms.reduce((sum, i) => sum + 1 + (i % 3), 0));
  expect(once.events).toHaveLength(FILINGS / 40);
  world.forget();
  await run(dir);
  expect(await stored(dir)).toEqual(once);
  // The index again, and no filing.
  expect(world.asked.filter((path) => path.endsWith(".txt"))).toEqual([]);
});

test(`killed at any act of the disk and resumed it gives the same rows, ${ROUNDS} times`, async () => {
  for (let n = 0; n < ROUNDS; n++) {
    const dir = await folder();
    for (let deaths = 0; deaths <= n % 3; deaths++)
      await killScript(WRITER, argsOf(dir), actOf(reference.acts, drawn));
    await run(dir);
    expect(await stored(dir)).toEqual(reference.rows);
    await rm(dir, { recursive: true, force: true });
  }
});

test("two processes at once give the same rows", async () => {
  const dir = await folder();
  expect(await Promise.all([run(dir), runScript(WRITER, argsOf(dir))])).toEqual([undefined, ""]);
  expect(await stored(dir)).toEqual(reference.rows);
});
