// Run as a process of its own, to be killed: appends, reads again, merges and publishes without end, telling
// each append it was promised.

import { systemClock } from "../../src/platform/clock.ts";
import { batchOf, openLake } from "../../src/platform/lake/lake.ts";
import { DATASETS, events, price, prices } from "./lake-support.ts";

const [dir = "", first = "0"] = process.argv.slice(2);
const lake = await openLake({
  dir,
  datasets: DATASETS,
  macros: [],
  clock: systemClock,
  threads: 1,
  deltaLogs: true,
  publishDelayMs: 10,
  retentionMs: 5_000,
  compactAtDeltas: 6,
});
process.stdout.write("open\n");
for (let n = Number(first); ; n++) {
  const symbol = `N${n}`;
  await lake.append([
    batchOf(prices, [price(symbol, "2025-12-31", n + 1), price(symbol, "2026-01-02", n + 1)]),
    batchOf(events, [{ symbol, date: "2026-01-02", amount: n, known_at: "2026-01-02T12:00:00Z" }]),
  ]);
  process.stdout.write(`${n}\n`);
  if (n % 5 === 4) {
    const before = `N${n - 1}`;
    const again = [price(before, "2025-12-31", n + 0.5), price(before, "2026-01-02", n + 0.5)];
    await lake.append([batchOf(prices, again, { by: ["symbol"], groups: [[before]] })]);
  }
  if (n % 7 === 6) await lake.compact({ force: n % 2 === 0 });
}
