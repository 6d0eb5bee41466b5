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

setDefaultTimeout(1_200_000);

const ROUNDS = Number(process.env.ROUNDS ?? 3);
/** How long after the step it waited for it is killed, at most: so that it dies between two steps as well. */
const AFTER_MS_MAX = 150;
const TICKERS = ["ZORP", "KRONK", "QUIB"];
const MONTHS = 8;
const REQUEST = { start_month: "2026-01", end_month: "2026-08", tickers: TICKERS };
const START = Temporal.Instant.from("2026-09-10T00:30:00Z");
const SCRIPT = join(import.meta.dir, "universe-kill-runner.ts");

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

interface Ended {
  /** Null: killed. */
  readonly code: number | null;
  /** The steps it reported. */
  readonly steps: readonly string[];
}

/**
 * Runs a build at once, whatever became of the run before; killed soon after its step number `killAt`, where
 * one is given.
 */
async function run(dir: string, killAt: number | null): Promise<Ended> {
  const at = clock.now().toString();
  const child = Bun.spawn([process.execPath, SCRIPT, dir, sample.url, at, JSON.stringify(REQUEST)], {
    stdout: "pipe",
    stderr: "inherit",
  });
  let text = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
    text += piece;
    const seen = text.split("\n").length - 1;
    if (killAt !== null && seen >= killAt)
      timer ??= setTimeout(() => child.kill("SIGKILL"), Math.random() * AFTER_MS_MAX);
  }
  await child.exited;
  clearTimeout(timer);
  const code = child.signalCode === "SIGKILL" ? null : child.exitCode;
  return { code, steps: text.split("\n").slice(0, -1) };
}

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

test(
  `killed and built again, ${ROUNDS} times`,
  async () => {
    const whole = await folder();
    const { code, steps } = await run(whole, null);
    expect([code, steps.at(-1)]).toEqual([0, `succeeded done ${MONTHS}`]);
    const wanted = await stored(whole);
    expect(wanted.snapshots.length).toBe(MONTHS * TICKERS.length);
    let killed = 0;
    for (let n = 0; n < ROUNDS; n++) {
      const dir = await folder();
      for (let deaths = 0; deaths <= n % 3; deaths++) {
        const killAt = 1 + Math.floor(Math.random() * (steps.length - 1));
        if ((await run(dir, killAt)).code === null) killed++;
      }
      const last = await run(dir, null);
      expect([last.code, last.steps.at(-1)]).toEqual([0, `succeeded done ${MONTHS}`]);
      expect(await stored(dir)).toEqual(wanted);
    }
    expect(killed).toBeGreaterThan(0);
  },
  60_000 + ROUNDS * 60_000,
);
