// `bun test/engines/more-bars.ts DATA_DIR YEAR SYMBOLS`: commits one file of made-up bars, of a year that the
// market does not have.
import { realpath } from "node:fs/promises";
import { barsDaily } from "../../src/datasets/index.ts";
import { exchangeCalendar } from "../../src/market/calendar.ts";
import { openParts } from "../../src/platform/lake/parts.ts";
import { barsOfYear, LAKE, store } from "../bench/stored-market.ts";

const [dir, year, symbols] = process.argv.slice(2);
if (!dir || !year || !symbols) throw new Error("Name the data folder, the year and the number of symbols.");
const sessions = exchangeCalendar().sessionsBetween(`${year}-01-01`, `${year}-12-31`);
const { parts, errors } = await openParts({ ...LAKE, dir, deltaLogs: true }, await realpath(dir));
for (const error of errors) throw error;
await store(
  parts,
  barsDaily,
  `year=${year}`,
  barsOfYear(Number(symbols), sessions, `${Number(year) + 1}-01-03`),
);
await parts.db.close();
await parts.staging.release();
parts.lock.close();
console.log(parts.snapshots.last().manifest.generation);
