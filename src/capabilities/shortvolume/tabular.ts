// Answers with their row form for ndjson, csv and parquet.
import { Answer, type Table, type TableColumnType } from "../../platform/answer.ts";

type Columns = Table["columns"];
type Row = Readonly<Record<string, unknown>>;

const of = (type: TableColumnType, ...names: string[]): Columns => names.map((name) => ({ name, type }));

export const VOLUME_COLUMNS: Columns = [
  ...of("DATE", "date"),
  ...of("VARCHAR", "symbol"),
  ...of(
    "DOUBLE",
    "short_volume",
    "short_exempt_volume",
    "total_volume",
    "short_volume_ratio",
    "short_exempt_ratio",
  ),
  ...of("VARCHAR", "market"),
];
export const TOP_COLUMNS: Columns = [...VOLUME_COLUMNS, ...of("DOUBLE", "close", "change_percent")];
export const INTEREST_COLUMNS: Columns = [
  ...of("DATE", "settlement_date"),
  ...of(
    "DOUBLE",
    "short_interest",
    "previous_short_interest",
    "change",
    "change_percent",
    "avg_daily_volume",
    "days_to_cover",
  ),
  ...of("BOOLEAN", "revised"),
  ...of("VARCHAR", "reported_symbol", "issue_name", "market_class"),
  ...of("TIMESTAMPTZ", "known_at"),
];

/** An answer whose rows are those of its body. */
export function tabular<T>(name: string, columns: Columns, body: T, rows: readonly object[]): Answer<T> {
  return new Answer(() => body, {
    table: {
      name,
      columns,
      *rows() {
        for (const row of rows) yield columns.map((column) => (row as Row)[column.name] ?? null);
      },
    },
  });
}
