// `bun test/engines/publishing-lake.ts DATA_DIR ADDRESS [STEPS]`: writes to a lake and publishes after each
// step; prints what each version of `prices` has.
import { openBucket } from "../../src/platform/bucket/bucket.ts";
import { publishLake } from "../../src/platform/bucket/publish-lake.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { batchOf, type Lake, openLake } from "../../src/platform/lake/lake.ts";
import { DATASETS, price, prices } from "../faults/lake-support.ts";

const [dir, address] = process.argv.slice(2);
if (!dir || !address) throw new Error("Name the data folder and the address.");
const retentionMs = () => 3_600_000;
const open = () =>
  openLake({ dir, datasets: DATASETS, macros: [], clock: systemClock, deltaLogs: true, retentionMs });
const bucket = openBucket(address, process.env);
const add = (lake: Lake, from: number, count: number) =>
  lake.append([
    batchOf(
      prices,
      Array.from({ length: count }, (_, n) =>
        price(`S${from + n}`, n % 2 ? "2025-06-03" : "2026-01-05", n + 1),
      ),
    ),
  ]);
/**
 * One after the other: two checkpoints are due in between, since the log has more than a hundred entries in
 * the end.
 */
const STEPS: readonly ((lake: Lake) => Promise<unknown>)[] = [
  (lake) => add(lake, 1000, 3),
  async (lake) => {
    for (let n = 0; n < 55; n++) await add(lake, 2000 + n, 1);
    await lake.publish();
  },
  (lake) =>
    lake.append([
      batchOf(prices, [price("S1000", "2026-01-05", 1000)], { by: ["symbol"], groups: [["S1000"]] }),
    ]),
  (lake) => lake.compact({ force: true }),
  async (lake) => {
    for (let n = 0; n < 55; n++) await add(lake, 3000 + n, 1);
    await lake.publish();
  },
];

const lake = await open();
const versions: { version: number; rows: unknown[][]; sent: number; bytes: number }[] = [];
for (const step of STEPS) {
  await step(lake);
  const { sent, bytes } = await publishLake(lake, bucket, { clock: systemClock, retentionMs });
  const log = new Bun.Glob("prices/_delta_log/*.json").scanSync(`${dir}/lake`);
  const version = Math.max(...[...log].map((path) => Number(path.slice(-25, -5))));
  const { columns } = await lake.columns("SELECT symbol, close FROM prices ORDER BY symbol");
  versions.push({
    version,
    rows: (columns[0] ?? []).map((symbol, row) => [symbol, columns[1]?.[row]]),
    sent,
    bytes,
  });
}
await lake.close();
console.log(JSON.stringify(versions));
