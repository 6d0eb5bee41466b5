// A backfill killed at any moment and asked for again ends in the lake of one that was never broken off.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SampleServer, serveSample } from "../../sample/serve.ts";
import { DATASETS, MACROS } from "../../src/datasets/index.ts";
import { openLake } from "../../src/platform/lake/lake.ts";
import { movableClock } from "../support/clock.ts";
import { type Listed, storeFiles } from "../support/panel-files.ts";
import { drawnFor } from "../support/seed.ts";
import { backfill } from "./backfill-kill-runner.ts";
import { actOf, actsOf, killScript } from "./killed-run.ts";

setDefaultTimeout(1_200_000);

const ROUNDS = Number(process.env.ROUNDS ?? 1);
/** Symbols of the panel; in the full run so many that several batches are fetched. */
const LISTED = ROUNDS > 10 ? 250 : 60;
const drawn = drawnFor("kills of a backfill");
const [FIRST, LAST] = ["2026-07-20", "2026-09-08"];
const START = Temporal.Instant.from("2026-09-09T21:00:00Z");

const clock = movableClock(START.toString());
let sample: SampleServer;
const folders: string[] = [];
beforeAll(async () => {
  sample = await serveSample({ clock, symbols: LISTED + 70 });
});
afterAll(async () => {
  await sample.stop();
  for (const dir of folders) await rm(dir, { recursive: true, force: true });
});

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const listed: readonly Listed[] = [
  ...Array.from(
    { length: LISTED },
    (_, i): Listed => [`ZQA${LETTERS[Math.floor(i / 26)]}${LETTERS[i % 26]}`, FIRST, LAST],
  ),
  ["ZORP", "2026-05-18", LAST],
  ["GLUMP", "2026-02-02", "2026-02-27"],
  ["OLDZQ", "2025-04-01", "2025-05-02"],
  ["ZZZZ", FIRST, LAST],
];

/** A data folder with the files of the panel. */
async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "asof-pit-"));
  folders.push(dir);
  const lake = await openLake({ dir, datasets: DATASETS, macros: MACROS, clock });
  for (const [from, to] of [
    ["2025-04-01", "2025-05-02"],
    ["2026-02-02", "2026-02-27"],
    ["2026-05-18", LAST],
  ] as const)
    await storeFiles(lake, listed, from, to);
  await lake.close();
  return dir;
}

/** A backfill at once, whatever became of the one before; killed at an act of its disk, where given. */
async function run(dir: string, killAt: number | null = null): Promise<void> {
  const args = [dir, sample.url, START.toString()] as const;
  clock.set(START.toString());
  await (killAt === null ? backfill(...args) : killScript("backfill-kill-runner.ts", args, killAt));
}

async function stored(dir: string) {
  const lake = await openLake({ dir, datasets: DATASETS, macros: MACROS, clock });
  try {
    expect((await lake.check()).findings.filter(({ severity }) => severity === "error")).toEqual([]);
    const bars = await lake.query(
      "SELECT symbol, date, open, high, low, close, volume, adj_close, basis_date, source FROM bars_daily ORDER BY symbol, date",
    );
    const twice = await lake.query(
      "SELECT symbol, date FROM bars_daily GROUP BY symbol, date HAVING count(*) > 1",
    );
    const actions = await lake.query(
      "SELECT symbol, ex_date, kind, price_factor FROM actions(NULL) ORDER BY ALL",
    );
    return { bars, twice, actions };
  } finally {
    await lake.close();
  }
}

test(`killed ${ROUNDS} times`, async () => {
  const dir = await folder();
  const acts = await actsOf(() => run(dir));
  const wanted = await stored(dir);
  expect(wanted.bars.length).toBeGreaterThan(LISTED * 35);
  for (let n = 0; n < ROUNDS; n++) {
    const broken = await folder();
    for (let deaths = 0; deaths <= n % 3; deaths++) await run(broken, actOf(acts, drawn));
    await run(broken);
    const found = await stored(broken);
    expect(found.twice).toEqual([]);
    expect(found.actions).toEqual(wanted.actions);
    expect(found.bars).toEqual(wanted.bars);
  }
});
