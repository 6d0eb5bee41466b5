// Runs as its own process: opens the published catalogue read-only again and again and reports what fails.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";

const path = join(process.argv[2] ?? "", "catalog.duckdb");
let opened = 0;
let isEnding = false;
process.on("SIGTERM", () => {
  isEnding = true;
});
let rowsBefore = 0;
while (!isEnding || opened === 0) {
  await Bun.sleep(5);
  if (!existsSync(path)) continue;
  try {
    const instance = await DuckDBInstance.create(path, { access_mode: "READ_ONLY", threads: "1" });
    const connection = await instance.connect();
    const result = await connection.runAndReadAll(
      "SELECT (SELECT count(*) FROM prices) AS prices, (SELECT count(*) FROM events) AS events",
    );
    const [row] = result.getRowObjectsJson();
    const [prices, events] = [Number(row?.prices), Number(row?.events)];
    if (prices !== 2 * events) process.stdout.write(`half an append: ${prices} prices, ${events} events\n`);
    if (prices < rowsBefore) process.stdout.write(`rows went away: ${rowsBefore} to ${prices}\n`);
    rowsBefore = prices;
    connection.disconnectSync();
    instance.closeSync();
    opened++;
  } catch (error) {
    process.stdout.write(`${error}\n`);
  }
}
process.stdout.write(`opened ${opened}\n`);
