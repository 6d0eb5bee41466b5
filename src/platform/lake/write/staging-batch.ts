// Prepares rows for a commit: checks them, assigns partitions, drops duplicate keys and computes the ranges
// of each file.

import { DuckDBDateValue, DuckDBTimestampTZValue, type DuckDBValue } from "@duckdb/node-api";
import { yieldToEventLoop } from "../../event-loop.ts";
import type { Dataset } from "../dataset.ts";
import { type LakeFile, rangedColumns, schemaOf } from "../manifest.ts";
import { checkReplacement, type Replacement } from "./replace.ts";
import { areDistinct, identities, RowRefused, type TypedRows, typedRows, YIELD_ROWS } from "./rows.ts";

export interface Batch {
  readonly dataset: Dataset;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Stored rows that these rows replace. */
  readonly replacement?: Replacement | undefined;
}

export interface Appended {
  dataset: string;
  written: number;
  /** Rows whose key is stored already or appeared earlier in the batch. */
  skipped: number;
}

/**
 * A checked slice of one batch. The slices of a batch share one answer, which counts every row as skipped at
 * first.
 */
export interface CheckedSlice {
  dataset: Dataset;
  typed: TypedRows;
  /** The partition of each row. */
  partitions: string[];
  answer: Appended;
  /** Stored rows that the commit removes; set on the first slice of a batch only. */
  replacement?: Replacement | undefined;
}

/** The rows of one dataset in one commit. */
export interface StagingBatch {
  dataset: Dataset;
  table: string;
  rows: TypedRows;
  /** For each row, the answer that counts it. */
  answers: Appended[];
  /** Partitions by their number in the table's column PARTITION_NUMBER. */
  partitions: string[];
  /** Stored rows that the commit removes. */
  replacement?: Replacement | undefined;
}

export type Ranges = LakeFile["ranges"];

/**
 * Columns of the staging table beside those of the dataset: the number of the row and that of its partition.
 */
export const ROW_NUMBER = "_seq";
export const PARTITION_NUMBER = "_part";

const DAY_MS = 86_400_000;
const FOLDER_VALUE = /^[A-Za-z0-9._-]+$/;

function monthOf(value: DuckDBValue | undefined): string {
  if (value instanceof DuckDBDateValue) return new Date(value.days * DAY_MS).toISOString().slice(0, 7);
  if (value instanceof DuckDBTimestampTZValue)
    return new Date(Number(value.micros / 1000n)).toISOString().slice(0, 7);
  throw new Error("a partition column is neither DATE nor TIMESTAMPTZ");
}

/** Returns the partition of each row: "year=2026", "interval=5m/month=2026-11" or "". */
function partitionsOf({ name, partition }: Dataset, { names, values, rowCount }: TypedRows): string[] {
  if (partition.by === "none") return Array<string>(rowCount).fill("");
  const { by, column, and } = partition;
  const dates = values[names.indexOf(column)] ?? [];
  const above = and === undefined ? undefined : values[names.indexOf(and)];
  const folderOf = (row: number) => {
    const month = monthOf(dates[row]);
    const folder = by === "year" ? `year=${month.slice(0, 4)}` : `month=${month}`;
    const value = above && String(above[row]);
    if (value !== undefined && !FOLDER_VALUE.test(value))
      throw new RowRefused(`${name}.${and} cannot name a folder: ${JSON.stringify(value)}`);
    return value === undefined ? folder : `${and}=${value}/${folder}`;
  };
  const result: string[] = [];
  for (let row = 0; row < rowCount; row++) {
    // Equal dates are the same object, so most rows need only this comparison and no formatted date.
    const isSameFolder = row > 0 && dates[row] === dates[row - 1] && above?.[row] === above?.[row - 1];
    result.push(isSameFolder ? (result[row - 1] ?? "") : folderOf(row));
  }
  return result;
}

/** Checks one batch and splits it into slices; throws RowRefused at the first row that does not fit. */
export async function checkBatch({ dataset, rows, replacement }: Batch): Promise<CheckedSlice[]> {
  if (replacement) checkReplacement(dataset, replacement, rows);
  const answer = { dataset: dataset.name, written: 0, skipped: rows.length };
  const slices: CheckedSlice[] = [];
  for (let from = 0; from === 0 || from < rows.length; from += YIELD_ROWS) {
    if (from > 0) await yieldToEventLoop();
    const typed = typedRows(dataset, rows.slice(from, from + YIELD_ROWS));
    slices.push({
      dataset,
      typed,
      partitions: partitionsOf(dataset, typed),
      answer,
      replacement: from === 0 ? replacement : undefined,
    });
  }
  return slices;
}

/** Numbers partition folders in order of first appearance. */
function partitionNumbering() {
  const numbers = new Map<string, number>();
  const of = (folder: string): number => {
    const known = numbers.get(folder);
    if (known !== undefined) return known;
    numbers.set(folder, numbers.size);
    return numbers.size - 1;
  };
  return { of, folders: () => [...numbers.keys()] };
}

/** Uses the rows of a single slice as they are; null when two of them have the same key. */
function collectSingle(
  dataset: Dataset,
  { typed, partitions, answer, replacement }: CheckedSlice,
): StagingBatch | null {
  if (!areDistinct(dataset, typed)) return null;
  const { of, folders } = partitionNumbering();
  const rowNumbers: DuckDBValue[] = partitions.map((_, row) => row);
  const partitionNumbers: DuckDBValue[] = partitions.map(of);
  return {
    dataset,
    table: `staging_${dataset.name}`,
    rows: {
      names: [...typed.names, ROW_NUMBER, PARTITION_NUMBER],
      types: [...typed.types, "INTEGER", "INTEGER"],
      values: [...typed.values, rowNumbers, partitionNumbers],
      rowCount: typed.rowCount,
    },
    answers: Array<Appended>(typed.rowCount).fill(answer),
    partitions: folders(),
    replacement,
  };
}

/** Collects the rows of one dataset from all calls. The first of several rows with the same key is used. */
export async function collectBatch(dataset: Dataset, parts: readonly CheckedSlice[]): Promise<StagingBatch> {
  const [only] = parts;
  const alone = only && parts.length === 1 ? collectSingle(dataset, only) : null;
  if (alone) return alone;
  const names = Object.keys(dataset.columns);
  const values: DuckDBValue[][] = names.map(() => []);
  const rowNumbers: DuckDBValue[] = [];
  const partitionNumbers: DuckDBValue[] = [];
  const answers: Appended[] = [];
  const seen = new Set<string>();
  const numbers = partitionNumbering();
  for (const [index, { typed, partitions, answer }] of parts.entries()) {
    if (index > 0) await yieldToEventLoop();
    const ids = identities(dataset, typed);
    for (let row = 0; row < typed.rowCount; row++) {
      const id = ids[row] ?? "";
      if (seen.has(id)) continue;
      seen.add(id);
      const number = numbers.of(partitions[row] ?? "");
      for (const [column, out] of values.entries()) out.push(typed.values[column]?.[row] ?? null);
      rowNumbers.push(answers.length);
      partitionNumbers.push(number);
      answers.push(answer);
    }
  }
  const rows: TypedRows = {
    names: [...names, ROW_NUMBER, PARTITION_NUMBER],
    types: [...Object.values(dataset.columns).map(({ type }) => type), "INTEGER", "INTEGER"],
    values: [...values, rowNumbers, partitionNumbers],
    rowCount: answers.length,
  };
  return {
    dataset,
    table: `staging_${dataset.name}`,
    rows,
    answers,
    partitions: numbers.folders(),
    replacement: parts.find(({ replacement }) => replacement)?.replacement,
  };
}

const SURROGATE = /[\ud800-\udfff]/;

/**
 * Returns a function that maps a value to a sort key in DuckDB's order. DuckDB orders texts by their UTF-8
 * bytes; that is the order of JavaScript's strings unless a text has surrogate pairs.
 */
function sortKeyOf(values: readonly DuckDBValue[]): (value: DuckDBValue) => number | bigint | string {
  const first = values.find((value) => value !== null);
  if (first instanceof DuckDBDateValue) return (value) => (value as DuckDBDateValue).days;
  if (first instanceof DuckDBTimestampTZValue) return (value) => (value as DuckDBTimestampTZValue).micros;
  const needsBytes = values.some((value) => typeof value === "string" && SURROGATE.test(value));
  return needsBytes ? (value) => Buffer.from(String(value)).toString("latin1") : (value) => value as string;
}

/** A value as text, as it appears in `ranges`. */
function rangeText(value: DuckDBValue): string {
  if (value instanceof DuckDBTimestampTZValue) return new Date(Number(value.micros / 1000n)).toISOString();
  return String(value);
}

/**
 * Smallest and largest value of a column by partition number; absent for a partition in which all values are
 * null.
 */
function extremesOf(
  values: readonly DuckDBValue[],
  parts: readonly DuckDBValue[],
  dropped: ReadonlySet<number>,
) {
  const key = sortKeyOf(values);
  const extremes: { low: DuckDBValue; high: DuckDBValue }[] = [];
  for (let row = 0; row < values.length; row++) {
    const value = values[row] ?? null;
    if (value === null || dropped.has(row)) continue;
    const part = Number(parts[row]);
    const known = extremes[part];
    if (!known) extremes[part] = { low: value, high: value };
    else if (value === known.low || value === known.high) continue;
    else if (key(value) < key(known.low)) known.low = value;
    else if (key(value) > key(known.high)) known.high = value;
  }
  return extremes;
}

/**
 * Row count and ranges of each partition, by partition number, without the rows whose number is in `dropped`.
 */
export function describePartitions(
  { dataset, rows, partitions }: StagingBatch,
  dropped: ReadonlySet<number> = new Set(),
) {
  const valuesOf = (name: string) => rows.values[rows.names.indexOf(name)] ?? [];
  const parts = valuesOf(PARTITION_NUMBER);
  const counts = partitions.map(() => 0);
  for (let row = 0; row < parts.length; row++)
    if (!dropped.has(row)) counts[Number(parts[row])] = (counts[Number(parts[row])] ?? 0) + 1;
  const columns = rangedColumns(schemaOf(dataset)).map((name) => ({
    name,
    extremes: extremesOf(valuesOf(name), parts, dropped),
  }));
  return counts.flatMap((count, part) => {
    if (count === 0) return [];
    const ranges: LakeFile["ranges"] = {};
    for (const { name, extremes } of columns) {
      const found = extremes[part];
      if (found) ranges[name] = [rangeText(found.low), rangeText(found.high)];
    }
    return [{ part, rows: count, ranges }];
  });
}
