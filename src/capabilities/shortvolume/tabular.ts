// Answers with their rows for ndjson, csv, parquet and records.
import { Answer, type PageFacts } from "../../platform/answer.ts";
import { columnsOf, tableOfObjects } from "../../platform/cells.ts";
import type { Table } from "../../platform/table.ts";

type Columns = Table["columns"];

export const VOLUME_COLUMNS: Columns = [
  ...columnsOf("DATE", "date"),
  ...columnsOf("VARCHAR", "symbol"),
  ...columnsOf(
    "DOUBLE",
    "short_volume",
    "short_exempt_volume",
    "total_volume",
    "short_volume_ratio",
    "short_exempt_ratio",
  ),
  ...columnsOf("VARCHAR", "market"),
];
export const TOP_COLUMNS: Columns = [...VOLUME_COLUMNS, ...columnsOf("DOUBLE", "close", "change_percent")];
export const INTEREST_COLUMNS: Columns = [
  ...columnsOf("DATE", "settlement_date"),
  ...columnsOf(
    "DOUBLE",
    "short_interest",
    "previous_short_interest",
    "change",
    "change_percent",
    "avg_daily_volume",
    "days_to_cover",
  ),
  ...columnsOf("BOOLEAN", "revised"),
  ...columnsOf("VARCHAR", "reported_symbol", "issue_name", "market_class"),
  ...columnsOf("TIMESTAMPTZ", "known_at"),
];

/** An answer whose table has the given rows of its body. */
export function tabular<T>(
  name: string,
  columns: Columns,
  body: T,
  rows: readonly object[],
  page?: PageFacts,
): Answer<T> {
  return new Answer(() => body, {
    ...(page ? { page } : {}),
    table: tableOfObjects(name, columns, rows),
  });
}
