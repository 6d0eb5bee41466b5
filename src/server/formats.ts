// Formats of answers (json, ndjson, csv, parquet, records): selects the one requested by `format=` or Accept
// and writes it.
import type { JsonParts, RowStream, Table } from "../platform/answer.ts";
import { streamOfFile } from "../platform/lake/read/file-stream.ts";
import { smallParquet } from "../platform/lake/read/small-parquet.ts";
import { noteHeaders } from "./note-headers.ts";
import { markStreamed } from "./streamed.ts";

/** The engine writes smaller numbers, and these and larger ones, with an exponent in CSV. */
const CSV_PLAIN_MIN = 1e-4;
const CSV_EXPONENT_MIN = 1e16;

const withPoint = (text: string) => (/[.e]/.test(text) ? text : `${text}.0`);

const numberText = (value: number) => (Object.is(value, -0) ? "-0" : String(value));

/** A DOUBLE in CSV. */
export function csvDouble(value: number): string {
  const size = Math.abs(value);
  if (size === 0 || (size >= CSV_PLAIN_MIN && size < CSV_EXPONENT_MIN)) return withPoint(numberText(value));
  return value.toExponential().replace(/(e[+-])(\d)$/, "$10$2");
}

/** A DOUBLE in JSON. */
export const jsonDouble = (value: number): string => withPoint(numberText(value).replace("e+", "e"));

export type Format = "json" | "ndjson" | "csv" | "parquet" | "records";

const TYPES: Record<Format, string> = {
  json: "application/json",
  ndjson: "application/x-ndjson",
  csv: "text/csv; charset=utf-8",
  parquet: "application/vnd.apache.parquet",
  records: "application/json",
};

/** Formats that can be asked for by name; Accept has a type of its own for all but `records`. */
const NAMES: readonly string[] = Object.keys(TYPES);
const isFormat = (text: string | undefined): text is Format => text !== undefined && NAMES.includes(text);

const BY_ACCEPT: readonly (readonly [string, Format])[] = [
  ["application/json", "json"],
  ["application/x-ndjson", "ndjson"],
  ["application/ndjson", "ndjson"],
  ["text/csv", "csv"],
  ["application/vnd.apache.parquet", "parquet"],
];

/** The requested format: `format=` first (validated by the route), then the first known type in Accept. */
// `format=csv` wins over "Accept: application/json"; "Accept: text/html, text/csv" is csv.
export function formatOf(query: string | undefined, accept: string | null): Format {
  if (isFormat(query)) return query;
  if (!accept) return "json";
  for (const part of accept.split(",")) {
    const type = part.split(";")[0]?.trim().toLowerCase();
    const known = BY_ACCEPT.find(([name]) => name === type);
    if (known) return known[1];
  }
  return "json";
}

/**
 * Writes rows to a Parquet file with the lake's engine. The file is removed once it was sent or discarded.
 */
export interface ParquetWriter {
  copyRows(
    columns: Table["columns"],
    rows: Iterable<Readonly<Record<string, unknown>>>,
    format: "parquet",
  ): Promise<{ readonly path: string; readonly bytes: number; discard(): Promise<void> }>;
}

/** Written before others have their turn. */
const CHUNK_CHARS = 262_144;

/** Puts an apostrophe before text that a spreadsheet would run as a formula; numbers stay unchanged. */
// "=1+1" becomes "'=1+1"; the number -1 stays -1.
const csvText = (text: string) => {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

const csvValue = (value: unknown) =>
  value === null || value === undefined ? "" : typeof value === "string" ? csvText(value) : String(value);

/** How the cells of each column are written; `double` writes a DOUBLE where the table asks for decimals. */
const cellWriters = (
  { columns, decimals = false }: Table,
  write: (value: unknown) => string,
  double: (value: number) => string,
) =>
  columns.map(({ type }) =>
    decimals && type === "DOUBLE"
      ? (value: unknown) => (typeof value === "number" ? double(value) : write(value))
      : write,
  );

function* csvLines(table: Table): Iterable<string> {
  const writers = cellWriters(table, csvValue, csvDouble);
  yield `${table.columns.map((c) => csvText(c.name)).join(",")}\r\n`;
  for (const row of table.rows()) yield `${writers.map((write, at) => write(row[at])).join(",")}\r\n`;
}

function* records({ columns, rows }: Pick<Table, "columns" | "rows">): Iterable<Record<string, unknown>> {
  for (const row of rows())
    yield Object.fromEntries(columns.map((c, i) => [c.name, row[i] ?? null] as const));
}

const jsonValue = (value: unknown) => JSON.stringify(value ?? null);

function* ndjsonLines(table: Table): Iterable<string> {
  const writers = cellWriters(table, jsonValue, jsonDouble);
  const names = table.columns.map(({ name }) => `${JSON.stringify(name)}:`);
  for (const row of table.rows())
    yield `{${writers.map((write, at) => `${names[at]}${write(row[at])}`).join(",")}}\n`;
}

const COMMA = 0x2c;
const LINE_END = 0x0a;

/**
 * Makes one JSON array of lines of JSON. A line end within a text is escaped in JSON, so each raw one ends a
 * row. The one that ends a chunk is held back until the next row is there.
 */
function arrayOfLines(lines: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  let isOpen = false;
  let isHeld = false;
  const begin = (controller: TransformStreamDefaultController<Uint8Array>) => {
    if (!isOpen) controller.enqueue(new TextEncoder().encode("["));
    isOpen = true;
  };
  return lines.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (chunk.length === 0) return;
        begin(controller);
        if (isHeld) controller.enqueue(Uint8Array.of(COMMA, LINE_END));
        isHeld = chunk.at(-1) === LINE_END;
        const rows = isHeld ? chunk.subarray(0, -1) : chunk;
        // In the bytes of UTF-8 this value stands for nothing else.
        if (rows.length > 0) controller.enqueue(withCommas(rows));
      },
      flush(controller) {
        begin(controller);
        controller.enqueue(new TextEncoder().encode("]\n"));
      },
    }),
  );
}

/**
 * The bytes with a comma before each line end. As text of one byte a character, which copies whole runs at
 * once.
 */
function withCommas(rows: Uint8Array): Uint8Array {
  const text = Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength).toString("latin1");
  return Buffer.from(text.replaceAll("\n", ",\n"), "latin1");
}

/** Streams texts as bytes on demand, so that a slow reader needs memory for one chunk only. */
function streamOf(texts: Iterable<string>): ReadableStream<Uint8Array> {
  const iterator = texts[Symbol.iterator]();
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull(controller) {
      let text = "";
      while (text.length < CHUNK_CHARS) {
        const next = iterator.next();
        if (next.done) {
          if (text) controller.enqueue(encoder.encode(text));
          controller.close();
          return;
        }
        text += next.value;
      }
      controller.enqueue(encoder.encode(text));
    },
  });
}

/** Streams a JSON body that is written in parts. */
export const partsResponse = ({ parts }: JsonParts): Response => jsonStream(streamOf(parts));

/** A table of so many rows is made in memory; the engine writes larger ones to a file. */
const SMALL_ROWS_MAX = 2_048;

type Body = ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>;

async function parquetBody({ columns, rows }: Table, writer: ParquetWriter): Promise<Body> {
  const left = rows()[Symbol.iterator]();
  const first: (readonly unknown[])[] = [];
  for (let next = left.next(); !next.done; next = left.next()) {
    first.push(next.value);
    if (first.length <= SMALL_ROWS_MAX) continue;
    const all = function* () {
      yield* first;
      yield* { [Symbol.iterator]: () => left };
    };
    return streamOfFile(await writer.copyRows(columns, records({ columns, rows: all }), "parquet"));
  }
  return smallParquet(columns, first);
}

/** Sends a JSON body as a stream. */
export function jsonStream(stream: ReadableStream<Uint8Array>): Response {
  const response = new Response(stream, { headers: { "content-type": TYPES.json } });
  markStreamed(response.headers);
  return response;
}

/** The response with a file of rows; a body in memory is sent as it is. */
function fileResponse(body: Body, name: string, format: Exclude<Format, "json" | "records">): Response {
  const response = new Response(body, {
    headers: {
      "content-type": TYPES[format],
      "content-disposition": `attachment; filename="${name.replace(/[^A-Za-z0-9._-]/g, "_")}.${format}"`,
    },
  });
  if (body instanceof ReadableStream) markStreamed(response.headers);
  return response;
}

const downloadOf = (
  stream: ReadableStream<Uint8Array>,
  name: string,
  format: Exclude<Format, "json">,
): Response => (format === "records" ? jsonStream(arrayOfLines(stream)) : fileResponse(stream, name, format));

/** Sends a table as a response. */
export async function tableResponse(
  table: Table,
  format: Exclude<Format, "json">,
  writer: ParquetWriter,
): Promise<Response> {
  if (format === "parquet") return fileResponse(await parquetBody(table, writer), table.name, format);
  return downloadOf(streamOf(format === "csv" ? csvLines(table) : ndjsonLines(table)), table.name, format);
}

/** Streams rows that are produced while they are sent. */
export async function streamResponse(rows: RowStream, format: Exclude<Format, "json">): Promise<Response> {
  const stream = await rows.open(format === "records" ? "ndjson" : format);
  const notes = await rows.notes?.().catch(async (error: unknown) => {
    await stream.cancel();
    throw error;
  });
  const response = downloadOf(stream, rows.name, format);
  if (notes) noteHeaders(response.headers, notes);
  return response;
}
