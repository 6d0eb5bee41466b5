// A build of the universe's snapshots killed at any moment and asked for again ends with the rows of one that
// was not.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SampleServer, serveSample } from "../../sample/serve.ts";
import { DATASETS, MACROS } from "../../src/datasets/index.ts";
import { openLake } from "../../src/platform/lake/lake.ts";
import { movableClock } from "../support/clock.ts";
import { drawnFor } from "../support/seed.ts";
import { actOf, actsOf, killScript } from "./killed-run.ts";
import { build } from "./universe-kill-runner.ts";

setDefaultTimeout(1_200_000);

const ROUNDS = Number(process.env.ROUNDS ?? 1);
const drawn = drawnFor("kills of a build");
const TICKERS = ["ZORP", "KRONK", "QUIB"];
const MONTHS = ROUNDS > 10 ? 8 : 4;
const REQUEST = { start_month: `2026-0${9 - MONTHS}`, end_month: "2026-08", tickers: TICKERS };
const START = Temporal.Instant.from("2026-09-10T00:30:00Z");

const clock = movableClock(START.toString());
let sample: SampleServer;
const folders: string[] = [];
beforeAll(async () => {
  sample = await serveSample({ clock });
});
afterAll(async () => {
  await sample.stop();
  for (const dir of folders) await rm(dir, { recursive: true, force: true });
});

async function folder(): Promise<string> {
  clock.set(START.toString());
  const dir = await mkdtemp(join(tmpdir(), "asof-universe-"));
  folders.push(dir);
  return dir;
}

const argsOf = (dir: string) => [dir, sample.url, clock.now().toString(), JSON.stringify(REQUEST)] as const;

/** Builds at once, whatever became of the build before. */
const whole = async (dir: string) =>
  expect(await build(...argsOf(dir))).toEqual({ status: "succeeded", phase: "done", months_done: MONTHS });

async function stored(dir: string) {
  const lake = await openLake({ dir, datasets: DATASETS, macros: MACROS, clock });
  try {
    expect((await lake.check()).findings.filter(({ severity }) => severity === "error")).toEqual([]);
    const snapshots = await lake.query(
      "SELECT * EXCLUDE (known_at, recorded) FROM universe_snapshots ORDER BY snapshot_date, listing",
    );
    const served = await lake.query(
      "SELECT symbol, market_cap, close_price FROM universe(DATE '2026-08-31') ORDER BY symbol",
    );
    const bars = await lake.query(
      "SELECT symbol, date, close, adj_close, volume, basis_date FROM bars_daily ORDER BY symbol, date",
    );
    return { snapshots, served, bars };
  } finally {
    await lake.close();
  }
}

test(`killed and built again, ${ROUNDS} times`, async () => {
  const dir = await folder();
  const acts = await actsOf(() => whole(dir));
  const wanted = await stored(dir);
  expect(wanted.snapshots.length).toBe(MONTHS * TICKERS.length);
  for (let n = 0; n < ROUNDS; n++) {
    const broken = await folder();
    for (let deaths = 0; deaths <= n % 3; deaths++)
      await killScript("universe-kill-runner.ts", argsOf(broken), actOf(acts, drawn));
    await whole(broken);
    expect(await stored(broken)).toEqual(wanted);
  }
});
