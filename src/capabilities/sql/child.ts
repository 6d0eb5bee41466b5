// A process of its own for one query: reads the request from stdin, writes the answer to stdout, and ends.

import { knownRows } from "../../datasets/frozen.ts";
import { DATASETS, macrosFor } from "../../datasets/index.ts";
import { exchangeCalendar } from "../../market/calendar.ts";
import { systemTimers } from "../../platform/clock.ts";
import { openReader } from "../../platform/lake/lake.ts";
import { type ChildAnswer, type ChildRequest, MEMORY_EXIT } from "./exchange.ts";
import { refusalOf } from "./permitted.ts";

const MEMORY = "1GB";
const MEMORY_LOOK_MS = 100;
const MEGABYTE = 1024 * 1024;

async function answerTo(request: ChildRequest): Promise<ChildAnswer> {
  const macros = macrosFor(exchangeCalendar({ extraClosures: request.closures }));
  const moment = request.as_of === null ? null : Temporal.Instant.from(request.as_of);
  const reader = await openReader(request.data_dir, {
    datasets: DATASETS,
    macros,
    version: request.version ?? undefined,
    now: request.now === null ? undefined : Temporal.Instant.from(request.now),
    visible: moment === null ? undefined : (dataset) => knownRows(dataset, moment),
    memoryLimit: MEMORY,
    threads: 1,
  });
  const permitted = {
    tables: new Set(DATASETS.map(({ name }) => name)),
    tableFunctions: new Set(macros.filter(({ kind }) => kind === "table").map(({ name }) => name)),
  };
  try {
    const refusal = refusalOf(await reader.parse(request.sql), permitted);
    if (refusal !== null) return { refused: refusal };
    const { names, types, columns, rowCount, cut } = await reader.query(request.sql, {
      rowsMax: request.rows_max,
    });
    return { names, types, columns, rows: rowCount, cut, version: reader.version };
  } catch (error) {
    return { refused: error instanceof Error ? error.message.trim() : String(error) };
  } finally {
    reader.close();
  }
}

/** The engine limits its own memory; texts of a result lie outside it. */
function endAt(bytes: number): void {
  systemTimers.every(MEMORY_LOOK_MS, () => {
    if (process.memoryUsage.rss() > bytes) process.exit(MEMORY_EXIT);
  });
}

const request = (await Bun.stdin.json()) as ChildRequest;
endAt(request.memory_mb * MEGABYTE);
await Bun.write(Bun.stdout, JSON.stringify(await answerTo(request)));
process.exit(0);
