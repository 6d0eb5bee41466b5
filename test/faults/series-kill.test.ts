// A process killed while it makes arrays leaves none that is not whole, and nothing else.
import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../src/platform/clock.ts";
import { batchOf, openLake } from "../../src/platform/lake/lake.ts";
import { drawnFor } from "../support/seed.ts";
import { closes, closesOf } from "./series-rows.ts";

setDefaultTimeout(1_200_000);

/** One kill at an act of the disk, one at any moment. */
const ROUNDS = Number(process.env.ROUNDS ?? 2);
/** Making and removing the arrays of three files takes six acts. */
const ACTS = 24;
const LIFE_MS_MAX = 300;
const YEARS = [2023, 2024, 2025];
const SYMBOLS = 40;

const drawn = drawnFor("kills of a maker of arrays");
let dir = "";
afterEach(() => rm(dir, { recursive: true, force: true }));

const openHere = () =>
  openLake({ dir, datasets: [closes], macros: [], clock: systemClock, publishes: false });

/** Kills a maker of arrays at an act of its disk, else some while after it has opened the lake. */
async function killMaker(atAct: boolean): Promise<void> {
  const act = String(1 + Math.floor(drawn() * ACTS));
  const preload = atAct ? ["--preload", join(import.meta.dir, "kill-at-act.ts")] : [];
  const child = Bun.spawn([process.execPath, ...preload, join(import.meta.dir, "series-killed.ts"), dir], {
    stdout: "pipe",
    stderr: "inherit",
    env: { ...process.env, KILL_AT: act },
  });
  if (!atAct) {
    await child.stdout.getReader().read();
    await Bun.sleep(drawn() * LIFE_MS_MAX);
    child.kill("SIGKILL");
  }
  await child.exited;
  expect(child.signalCode).toBe("SIGKILL");
}

test(`a maker of arrays killed ${ROUNDS} times leaves whole ones alone`, async () => {
  dir = await mkdtemp(join(tmpdir(), "series-kill-"));
  const first = await openHere();
  for (const year of YEARS) await first.append([batchOf(closes, closesOf(year, SYMBOLS))]);
  await first.close();
  const symbols = ["S0000", "S0007", "S0039"];
  const read = {
    symbols,
    ranges: [{ start: "2024-05-01", end: "2025-03-31" }],
    columns: ["symbol", "close"],
  };
  for (let round = 0; round < ROUNDS; round++) {
    await killMaker(round % 2 === 0);
    const lake = await openHere();
    expect(await lake.arrays?.check()).toBe(0);
    // The only folder left in staging is this process's own.
    expect((await readdir(join(dir, "_staging"))).length).toBe(1);
    const found: unknown[] = [];
    for await (const { rows, vectors } of (await lake.series(closes, read)) ?? [])
      found.push(rows, ...vectors.map(({ values }) => Bun.hash(values as Float64Array)));
    await lake.arrays?.fill();
    expect((await readdir(join(dir, "series"))).length).toBe(YEARS.length);
    const again: unknown[] = [];
    for await (const { rows, vectors } of (await lake.series(closes, read)) ?? [])
      again.push(rows, ...vectors.map(({ values }) => Bun.hash(values as Float64Array)));
    expect(found).toEqual(again);
    expect(found[0]).toBe(symbols.length * (8 * 21 + 3 * 21));
    await lake.close();
  }
});
