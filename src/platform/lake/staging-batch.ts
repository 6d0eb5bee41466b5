// Rows on their way into the lake: checked, put to their partitions, one of each key, with what a file says of them.

import { DuckDBDateValue, DuckDBTimestampTZValue, type DuckDBValue } from "@duckdb/node-api";
import type { Dataset } from "./dataset.ts";
import { type LakeFile, rangedColumns, schemaOf } from "./manifest.ts";
import { checkReplacement, type Replacement } from "./replace.ts";
import {
  areDistinct,
  identities,
  RowRefused,
  type TypedRows,
  typedRows,
  YIELD_ROWS,
  yieldToEventLoop,
} from "./rows.ts";

export interface Batch {
  readonly dataset: Dataset;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Stored rows in whose place these come. */
  readonly instead?: Replacement | undefined;
}

export interface Appended {
  dataset: string;
  written: number;
  /** Rows whose key is stored already, or stood twice in the batch. */
  skipped: number;
}

/** A slice of one batch of one call, checked; slices of a batch share the answer, whose rows count as skipped at first. */
export interface Checked {
  dataset: Dataset;
  typed: TypedRows;
  /** By row: where it belongs. */
  partitions: string[];
  answer: Appended;
  /** Stored rows that leave with the commit; said once a batch. */
  instead?: Replacement | undefined;
}

/** The rows of one dataset in one commit. */
export interface Incoming {
  dataset: Dataset;
  table: string;
  rows: TypedRows;
  /** By row: whose answer counts it. */
  answers: Appended[];
  /** By the number in the table's column PART. */
  partitions: string[];
  /** Stored rows that leave with the commit. */
  instead?: Replacement | undefined;
}

export type Ranges = LakeFile["ranges"];

/** Columns of the table beside the dataset's own: the row's number, and its partition's. */
export const SEQ = "_seq";
export const PART = "_part";

const DAY_MS = 86_400_000;
const FOLDER_VALUE = /^[A-Za-z0-9._-]+$/;

function monthOf(value: DuckDBValue | undefined): string {
  if (value instanceof DuckDBDateValue) return new Date(value.days * DAY_MS).toISOString().slice(0, 7);
  if (value instanceof DuckDBTimestampTZValue)
    return new Date(Number(value.micros / 1000n)).toISOString().slice(0, 7);
  throw new Error("a partition column is neither DATE nor TIMESTAMPTZ");
}

/** The partition of each row: "year=2026", "interval=5m/month=2026-11", "". */
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
    // Equal dates are one object, so neighbours of one day are told without writing it out.
    const isAsBefore = row > 0 && dates[row] === dates[row - 1] && above?.[row] === above?.[row - 1];
    result.push(isAsBefore ? (result[row - 1] ?? "") : folderOf(row));
  }
  return result;
}

/** One batch of a call, in slices; throws RowRefused at the first row that does not fit. */
export async function checked({ dataset, rows, instead }: Batch): Promise<Checked[]> {
  if (instead) checkReplacement(dataset, instead, rows);
  const answer = { dataset: dataset.name, written: 0, skipped: rows.length };
  const slices: Checked[] = [];
  for (let from = 0; from === 0 || from < rows.length; from += YIELD_ROWS) {
    if (from > 0) await yieldToEventLoop();
    const typed = typedRows(dataset, rows.slice(from, from + YIELD_ROWS));
    slices.push({
      ...{ dataset, typed, partitions: partitionsOf(dataset, typed), answer },
      instead: from === 0 ? instead : undefined,
    });
  }
  return slices;
}

/** The number of each partition folder, in the order they come. */
function numberer() {
  const numbers = new Map<string, number>();
  const of = (folder: string): number => {
    const known = numbers.get(folder);
    if (known !== undefined) return known;
    numbers.set(folder, numbers.size);
    return numbers.size - 1;
  };
  return { of, folders: () => [...numbers.keys()] };
}

/** The rows of a single slice as they are; null when two of them have one key. */
function gatherOne(dataset: Dataset, { typed, partitions, answer, instead }: Checked): Incoming | null {
  if (!areDistinct(dataset, typed)) return null;
  const { of, folders } = numberer();
  const seqs: DuckDBValue[] = partitions.map((_, row) => row);
  const partitionNumbers: DuckDBValue[] = partitions.map(of);
  return {
    dataset,
    table: `incoming_${dataset.name}`,
    rows: {
      names: [...typed.names, SEQ, PART],
      types: [...typed.types, "INTEGER", "INTEGER"],
      values: [...typed.values, seqs, partitionNumbers],
      rowCount: typed.rowCount,
    },
    answers: Array<Appended>(typed.rowCount).fill(answer),
    partitions: folders(),
    instead,
  };
}

/** Rows of one dataset from all calls; of rows with one key the first counts. */
export async function collectBatch(dataset: Dataset, parts: readonly Checked[]): Promise<Incoming> {
  const [only] = parts;
  const alone = only && parts.length === 1 ? gatherOne(dataset, only) : null;
  if (alone) return alone;
  const names = Object.keys(dataset.columns);
  const values: DuckDBValue[][] = names.map(() => []);
  const [seqs, partitionNumbers]: [DuckDBValue[], DuckDBValue[]] = [[], []];
  const answers: Appended[] = [];
  const seen = new Set<string>();
  const numbers = numberer();
  for (const [index, { typed, partitions, answer }] of parts.entries()) {
    if (index > 0) await yieldToEventLoop();
    const ids = identities(dataset, typed);
    for (let row = 0; row < typed.rowCount; row++) {
      const id = ids[row] ?? "";
      if (seen.has(id)) continue;
      seen.add(id);
      const number = numbers.of(partitions[row] ?? "");
      for (const [column, out] of values.entries()) out.push(typed.values[column]?.[row] ?? null);
      seqs.push(answers.length);
      partitionNumbers.push(number);
      answers.push(answer);
    }
  }
  const rows: TypedRows = {
    names: [...names, SEQ, PART],
    types: [...Object.values(dataset.columns).map(({ type }) => type), "INTEGER", "INTEGER"],
    values: [...values, seqs, partitionNumbers],
    rowCount: answers.length,
  };
  return {
    ...{ dataset, table: `incoming_${dataset.name}`, rows, answers, partitions: numbers.folders() },
    instead: parts.find(({ instead }) => instead)?.instead,
  };
}

const SURROGATE = /[\ud800-\udfff]/;

/** What tells two values of a column apart, in DuckDB's order: texts by their bytes, which is that of their units where none needs two. */
function keyOf(values: readonly DuckDBValue[]): (value: DuckDBValue) => number | bigint | string {
  const first = values.find((value) => value !== null);
  if (first instanceof DuckDBDateValue) return (value) => (value as DuckDBDateValue).days;
  if (first instanceof DuckDBTimestampTZValue) return (value) => (value as DuckDBTimestampTZValue).micros;
  const needsBytes = values.some((value) => typeof value === "string" && SURROGATE.test(value));
  return needsBytes ? (value) => Buffer.from(String(value)).toString("latin1") : (value) => value as string;
}

/** A value as ranges have it. */
function rangeText(value: DuckDBValue): string {
  if (value instanceof DuckDBTimestampTZValue) return new Date(Number(value.micros / 1000n)).toISOString();
  return String(value);
}

/** Smallest and largest value of a column by partition number; none of a partition in which it is all null. */
function extremesOf(
  values: readonly DuckDBValue[],
  parts: readonly DuckDBValue[],
  dropped: ReadonlySet<number>,
) {
  const key = keyOf(values);
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

/** Rows and ranges of what is to be written, by partition number; `dropped` are numbers of rows that are not. */
export function describe({ dataset, rows, partitions }: Incoming, dropped: ReadonlySet<number> = new Set()) {
  const valuesOf = (name: string) => rows.values[rows.names.indexOf(name)] ?? [];
  const parts = valuesOf(PART);
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
