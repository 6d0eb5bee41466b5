// `bun test/engines/changing-lake.ts FOLDER`: a lake that was written, replaced, merged and backed up, with
// the rows of some versions.
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../src/platform/clock.ts";
import { batchOf, openLake } from "../../src/platform/lake/lake.ts";
import { DATASETS, price, prices, ticks } from "../faults/lake-support.ts";

const [folder] = process.argv.slice(2);
if (!folder) throw new Error("Name the folder to make.");
const dir = join(folder, "data");
const lake = await openLake({
  dir,
  datasets: DATASETS,
  macros: [],
  clock: systemClock,
  deltaLogs: true,
  retentionMs: 3_600_000,
});
/** Rows of the dataset prices as [symbol, close], by version of its Delta log. */
const versions: Record<number, unknown[][]> = {};
let version = -1;
const note = async () => {
  const { columns } = await lake.columns("SELECT symbol, close FROM prices ORDER BY symbol");
  versions[++version] = (columns[0] ?? []).map((symbol, row) => [symbol, columns[1]?.[row]]);
};
for (let n = 0; n < 60; n++) {
  await lake.append([batchOf(prices, [price(`S${100 + n}`, n % 2 ? "2025-06-03" : "2026-01-05", n + 1)])]);
  await note();
  if (n === 54) await lake.publish();
}
await lake.append([
  batchOf(prices, [price("S100", "2026-01-05", 1000)], { by: ["symbol"], groups: [["S100"]] }),
  batchOf(ticks, [{ symbol: "A", interval: "5m", at: "2026-01-05T15:00:00.250Z", close: 1.5 }]),
]);
await note();
await lake.compact({ force: true, dataset: "prices", partition: "year=2025" });
await note();
await lake.publish();
await lake.close();
await cp(dir, join(folder, "elsewhere"), { recursive: true });
await Bun.write(join(folder, "versions.json"), JSON.stringify(versions));
