// Answers one query of a client from a reader opened for it.
import { knownRows } from "../../datasets/frozen.ts";
import { DATASETS, macrosFor } from "../../datasets/index.ts";
import { exchangeCalendar } from "../../market/calendar.ts";
import { openReader } from "../../platform/lake/lake.ts";
import type { ChildAnswer, ChildRequest } from "./exchange.ts";
import { refusalOf } from "./permitted.ts";

const MEMORY = "1GB";

export async function answerTo(request: ChildRequest): Promise<ChildAnswer> {
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
    without: request.without,
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
