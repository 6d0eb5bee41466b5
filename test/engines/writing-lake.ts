// `bun test/engines/writing-lake.ts DATA_DIR`: writes to a lake, replaces and merges without a pause until
// its input ends; prints the rows of every version. Each line of input is answered by a line as soon as a
// round that began after it has been written, so that a reader can tell that the lake changes.
import { systemClock } from "../../src/platform/clock.ts";
import { batchOf, openLake } from "../../src/platform/lake/lake.ts";
import { DATASETS, price, prices } from "../faults/lake-support.ts";

const [dir] = process.argv.slice(2);
if (!dir) throw new Error("Name the data folder.");
const lake = await openLake({
  dir,
  datasets: DATASETS,
  macros: [],
  clock: systemClock,
  deltaLogs: true,
  retentionMs: () => 3_600_000,
});
/** Rows of the dataset prices as [symbol, close], by version of its Delta log. */
const versions: unknown[][][] = [];
const note = async () => {
  const { columns } = await lake.columns("SELECT symbol, close FROM prices ORDER BY symbol");
  versions.push((columns[0] ?? []).map((symbol, row) => [symbol, columns[1]?.[row]]));
};
let [asked, ended] = [0, false];
const input = (async () => {
  for await (const line of console) if (line !== undefined) asked += 1;
  ended = true;
})();
for (let round = 0; !ended; round++) {
  // A line that comes during a round waits for the next: the reader may have read what this one writes.
  const answers = asked;
  await lake.append([batchOf(prices, [price(`S${1000 + round}`, "2026-01-05", round + 1)])]);
  await note();
  const replaced = { by: ["symbol"], groups: [[`S${1000 + round}`]] };
  await lake.append([batchOf(prices, [price(`S${1000 + round}`, "2026-01-05", round + 5000)], replaced)]);
  await note();
  if (round % 3 === 2) {
    await lake.compact({ force: true, dataset: "prices", partition: "year=2026" });
    await note();
  }
  asked -= answers;
  for (let n = 0; n < answers; n++) console.log("written");
}
await input;
await lake.close();
console.log(JSON.stringify(versions));
