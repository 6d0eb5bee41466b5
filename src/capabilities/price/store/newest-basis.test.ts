// Whatever days are read, the newest basis is that of all bars of the symbol, in the newest version and in
// each before it.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fakeClock } from "../../../../test/support/fake-clock.ts";
import { drawnRuns } from "../../../../test/support/seed.ts";
import { openWholeLake } from "../../../../test/support/whole-lake.ts";
import { FINAL_BASIS } from "../../../datasets/bars-daily.ts";
import { barsDaily } from "../../../datasets/index.ts";
import { batchOf, type Lake } from "../../../platform/lake/lake.ts";
import { Reading } from "../../../platform/reading.ts";
import { newestBases } from "./newest-basis.ts";

setDefaultTimeout(1_200_000);

const SYMBOLS = ["AAA", "BBB", "CCC", "DDD"];
const YEARS = [2022, 2023, 2024, 2025];
const RANGES = [
  ...YEARS.map((year) => [{ start: `${year}-01-01`, end: `${year}-12-31` }]),
  [
    { start: "2022-03-01", end: "2022-03-31" },
    { start: "2025-01-01", end: "2025-06-30" },
  ],
  [{ start: null, end: "2025-12-31" }],
  [{ start: "2019-01-01", end: "2019-12-31" }],
];

/** Numbers that are the same in each run. */
function steadyRandom(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

let dir: string;
let lake: Lake;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "bases-"));
  lake = await openWholeLake(dir, fakeClock("2026-03-11T21:00:00Z"));
  const random = steadyRandom(11);
  const two = (n: number) => String(n).padStart(2, "0");
  for (let commit = 0; commit < 12; commit++) {
    const rows = Array.from({ length: 6 }, () => {
      const symbol = SYMBOLS[random(SYMBOLS.length - 1)] ?? "";
      const date = `${YEARS[random(YEARS.length)]}-${two(1 + random(12))}-${two(1 + random(28))}`;
      const basis_date = random(7) === 0 ? FINAL_BASIS : `2026-${two(1 + random(2))}-${two(1 + random(28))}`;
      return { symbol, date, basis_date };
    });
    // A bar of one symbol is marked as that of a former company: it has no basis.
    if (commit === 5) rows.push({ symbol: "DDD", date: "2024-05-06", basis_date: FINAL_BASIS });
    const values = { open: 1, high: 1, low: 1, close: 1, volume: 1, adj_close: 1 };
    const bars = [...new Map(rows.map((row) => [`${row.symbol} ${row.date}`, row])).values()].map((row) => ({
      ...row,
      ...values,
      currency: "USD",
      known_at: "2026-03-08T21:00:00Z",
      source: "made",
    }));
    await lake.append([batchOf(barsDaily, bars)]);
    if (commit % 4 === 3) await lake.compact({ force: true });
  }
});
afterAll(async () => {
  await lake.close();
  await rm(dir, { recursive: true });
});

/** Compares the bases of all symbols together, and of those alone that `alone` names for each of RANGES. */
async function expectSame(alone: (range: number) => readonly string[]): Promise<number> {
  const rows = await lake.query<{ symbol: string; basis: string }>(
    "SELECT symbol, max(basis_date) AS basis FROM bars_daily WHERE basis_date < $final::DATE GROUP BY symbol",
    { final: FINAL_BASIS },
  );
  const all = new Map(rows.map(({ symbol, basis }) => [symbol, basis]));
  for (const [range, ranges] of RANGES.entries()) {
    expect([ranges, await newestBases(lake, SYMBOLS, { ranges })]).toEqual([ranges, all]);
    for (const symbol of alone(range)) {
      const one = async (basis: string | null) =>
        (await newestBases(lake, [symbol], { ranges, basis: () => basis })).get(symbol);
      expect([symbol, ranges, await one(null)]).toEqual([symbol, ranges, all.get(symbol)]);
      const newest = all.get(symbol);
      // The basis of bars that were read, as it is and as a moment limits it.
      if (newest === undefined) continue;
      expect([await one(newest), await one("2026-01-01")]).toEqual([newest, newest]);
    }
  }
  return all.size;
}

test("the newest basis is that of all bars, whichever days are read", async () => {
  expect(await expectSame(() => SYMBOLS)).toBe(3);
});

test("the same in every version", async () => {
  const newest = await lake.generation();
  expect(newest).toBeGreaterThan(11);
  // One symbol alone for every second pair of version and range, in turn; each for all in `bun run endure`.
  const whole = drawnRuns(0, 1) === 1;
  for (let version = 0; version <= newest; version++)
    await new Reading({ version, now: Temporal.Instant.from("2026-03-11T21:00:00Z") }).run(() =>
      expectSame((range) =>
        SYMBOLS.filter((_, n) => whole || 2 * n === (version + range) % (2 * SYMBOLS.length)),
      ),
    );
});
