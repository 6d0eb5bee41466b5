// Answers one query of a client from a reader opened for it.
import { actionCoverage, completeActions } from "../../datasets/action-coverage.ts";
import { knownRows } from "../../datasets/frozen.ts";
import { DATASETS, macrosFor } from "../../datasets/index.ts";
import { exchangeCalendar } from "../../market/calendar.ts";
import { openReader } from "../../platform/lake/lake.ts";
import type { ChildAnswer, ChildRequest } from "./exchange.ts";
import { refusalOf } from "./permitted.ts";

const MEMORY = "1GB";
/**
 * The table and the macro that say how far this installation has read by now. The macros of prices need them
 * at every moment; a query as of one would see which companies were fetched later.
 */
const OF_NOW: ReadonlySet<string> = new Set([actionCoverage.name, completeActions.name]);

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
  const isReadable = ({ name }: { readonly name: string }) => moment === null || !OF_NOW.has(name);
  const permitted = {
    tables: new Set(DATASETS.filter(isReadable).map(({ name }) => name)),
    tableFunctions: new Set(
      macros.filter((macro) => macro.kind === "table" && isReadable(macro)).map(({ name }) => name),
    ),
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
