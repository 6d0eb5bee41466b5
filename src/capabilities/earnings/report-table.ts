// Reports as table rows for ndjson, csv, parquet and records.
import { columnsOfPairs, tableOfRows } from "../../platform/cells.ts";
import type { Table } from "../../platform/table.ts";
import type { Report } from "./schema.ts";

const COLUMNS = [
  ["ticker", "VARCHAR"],
  ["report_date", "DATE"],
  ["report_date_end", "DATE"],
  ["report_time", "VARCHAR"],
  ["fiscal_quarter_end", "DATE"],
  ["name", "VARCHAR"],
  ["eps_estimate", "DOUBLE"],
  ["eps_actual", "DOUBLE"],
  ["eps_last_year", "DOUBLE"],
  ["revenue_estimate", "DOUBLE"],
  ["estimate_count", "BIGINT"],
  ["is_confirmed", "BOOLEAN"],
  ["other_dates", "VARCHAR"],
  ["known_at", "TIMESTAMPTZ"],
  ["source", "VARCHAR"],
] as const;

export function reportTable(name: string, data: readonly Report[]): Table {
  return tableOfRows(name, columnsOfPairs(COLUMNS), () =>
    data.map((row) =>
      COLUMNS.map(([column]) => (column === "other_dates" ? JSON.stringify(row.other_dates) : row[column])),
    ),
  );
}
