// Run as a process of its own, as a person with a notebook: opens the published catalogue again and again and
// reads it.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";

const path = join(process.argv[2] ?? "", "catalog.duckdb");
const PAUSE_MS = 250;
let opened = 0;
let rowsBefore = 0;
let isEnding = false;
process.on("SIGTERM", () => {
  isEnding = true;
});

/**
 * One visit: the bars never become fewer, none is there twice, and each of one symbol is adjusted to a
 * number.
 */
async function visit(): Promise<void> {
  const instance = await DuckDBInstance.create(path, { access_mode: "READ_ONLY", threads: "1" });
  const connection = await instance.connect();
  try {
    const [counts] = (
      await connection.runAndReadAll(
        "SELECT count(*) AS bars, count(DISTINCT (symbol, date)) AS days, min(symbol) AS symbol FROM bars_daily",
      )
    ).getRowObjectsJson();
    const [bars, days] = [Number(counts?.bars), Number(counts?.days)];
    if (bars !== days) process.stdout.write(`${bars} bars of ${days} days\n`);
    if (bars < rowsBefore) process.stdout.write(`bars went away: ${rowsBefore} to ${bars}\n`);
    rowsBefore = bars;
    const reader = await connection.runAndReadAll(
      "SELECT count(*) FILTER (close IS NULL) AS nulls FROM bars(NULL) WHERE symbol = $1",
      [String(counts?.symbol)],
    );
    const [adjusted] = reader.getRowObjectsJson();
    if (Number(adjusted?.nulls) > 0) process.stdout.write(`${adjusted?.nulls} bars without a close\n`);
  } finally {
    connection.disconnectSync();
    instance.closeSync();
  }
}

while (!isEnding) {
  await Bun.sleep(PAUSE_MS);
  if (!existsSync(path)) continue;
  try {
    await visit();
    opened += 1;
  } catch (error) {
    process.stdout.write(`${error}\n`);
  }
}
process.stdout.write(`opened ${opened}\n`);
