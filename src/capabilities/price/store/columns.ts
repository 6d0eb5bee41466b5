// Rows of bars within the columns of a read of the store: where a symbol's rows stand, and what they hold.
import type { DailyBar } from "../../../market/bar.ts";
import { cellOf } from "../../../platform/cells.ts";
import type { ColumnsResult } from "../../../platform/lake/lake.ts";
import type { Batch, TableColumn, Vector } from "../../../platform/table.ts";

/** Some columns of batches, as the engine would have given them. */
export async function plainColumns(
  batches: AsyncIterable<Batch>,
  columns: readonly TableColumn[],
  names: readonly string[],
): Promise<ColumnsResult> {
  const places = names.map((name) => columns.findIndex((column) => column.name === name));
  const found: unknown[][] = names.map(() => []);
  let rowCount = 0;
  for await (const { rows, vectors } of batches) {
    for (const [at, place] of places.entries())
      for (let row = 0; row < rows; row++) found[at]?.push(cellOf(vectors[place] as Vector, row));
    rowCount += rows;
  }
  return {
    names: [...names],
    types: places.map((place) => columns[place]?.type ?? ""),
    columns: found,
    rowCount,
  };
}

const value = (column: readonly unknown[] | undefined, row: number) =>
  (column?.[row] ?? null) as number | null;

/** The rows of a symbol within the columns of many: from `start`, up to but without `end`. */
export interface RowSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * Where the rows of each symbol, or of each place in an answer, stand in sorted columns of which it is the
 * first.
 */
export function rowsByFirst<Key extends string | number>({
  columns,
  rowCount,
}: ColumnsResult): Map<Key, RowSpan> {
  const keys = (columns[0] ?? []) as Key[];
  const spans = new Map<Key, RowSpan>();
  for (let start = 0, end = 1; end <= rowCount; end++) {
    if (end < rowCount && keys[end] === keys[start]) continue;
    spans.set(keys[start] as Key, { start, end });
    start = end;
  }
  return spans;
}

/** The days of a symbol's rows. */
export const datesOf = ({ columns }: ColumnsResult, rows: RowSpan | undefined) =>
  rows === undefined ? [] : ((columns[1]?.slice(rows.start, rows.end) ?? []) as string[]);

/** A symbol's rows as bars. Each call makes new ones. */
export function barsOf({ names, columns }: ColumnsResult, rows: RowSpan | undefined): DailyBar[] {
  const [, dates, opens, highs, lows, closes, volumes, adjusted] = columns;
  const [provisional, backfilled] = ["provisional", "backfilled"].map((name) => columns[names.indexOf(name)]);
  const bars: DailyBar[] = [];
  for (let row = rows?.start ?? 0; row < (rows?.end ?? 0); row++) {
    const bar: DailyBar = {
      date: dates?.[row] as string,
      open: value(opens, row),
      high: value(highs, row),
      low: value(lows, row),
      close: value(closes, row),
      volume: value(volumes, row),
      adjusted_close: value(adjusted, row),
    };
    if (provisional?.[row] === true) bar.provisional = true;
    if (backfilled?.[row] === true) bar.backfilled = true;
    bars.push(bar);
  }
  return bars;
}

/** The providers of a symbol's rows; of the days that `counts` names, where given. */
export function sourcesOf(
  { columns }: ColumnsResult,
  rows: RowSpan | undefined,
  counts?: (date: string) => boolean,
): string[] {
  const [dates, names] = [columns[1], columns[8]];
  const sources: string[] = [];
  for (let row = rows?.start ?? 0; row < (rows?.end ?? 0); row++) {
    const name = names?.[row] as string;
    if (name === sources.at(-1) || sources.includes(name)) continue;
    if (!counts || counts(dates?.[row] as string)) sources.push(name);
  }
  return sources;
}

/** When the newest of stored bars was fetched, and their newest basis; null when there are none. */
interface Freshness {
  readonly recorded_at: string | null;
  readonly basis_date: string | null;
}

const isLater = (a: string, b: string | null) => b === null || Date.parse(a) > Date.parse(b);

/** The freshness of the rows of the store's `bars` query of a single symbol. */
export function freshnessOf({ names, columns, rowCount }: ColumnsResult): Freshness {
  const text = (name: string, row: number) => columns[names.indexOf(name)]?.[row] as string;
  let newest: Freshness = { recorded_at: null, basis_date: null };
  for (let row = 0; row < rowCount; row++) {
    const [recorded_at, basis_date] = [text("recorded_at", row), text("basis_date", row)];
    if (recorded_at !== newest.recorded_at && isLater(recorded_at, newest.recorded_at))
      newest = { ...newest, recorded_at };
    if (newest.basis_date === null || basis_date > newest.basis_date) newest = { ...newest, basis_date };
  }
  return newest;
}
