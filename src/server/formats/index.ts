// Formats of answers: selects the one requested by `format=` or Accept, and sends a table in it. No other
// part writes rows.
import type { ListedRows } from "../../platform/answer.ts";
import type { Table } from "../../platform/table.ts";
import { markStreamed } from "../streamed.ts";
import { arrowChunks } from "./arrow.ts";
import { jsonChunks } from "./json.ts";
import { parquetChunks } from "./parquet.ts";
import { textChunks } from "./text.ts";

export type Format = "json" | "ndjson" | "csv" | "parquet" | "arrow" | "records";

const TYPES: Record<Format, string> = {
  json: "application/json",
  ndjson: "application/x-ndjson",
  csv: "text/csv; charset=utf-8",
  parquet: "application/vnd.apache.parquet",
  arrow: "application/vnd.apache.arrow.stream",
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
  ["application/vnd.apache.arrow.stream", "arrow"],
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

type Bytes = Uint8Array<ArrayBuffer>;

/** Answers up to this size are sent as one, with their length. */
// 100 symbols of 8,000 characters are one write, and 200 of them are a stream.
const AT_ONCE_BYTES = 1_000_000;

/**
 * The bytes of an answer: as one where they are few, else as a stream that makes the next when its reader has
 * taken the last. Resolves with the first, so that an error until then becomes an error answer; a later one
 * aborts the stream.
 */
async function bodyOf(chunks: AsyncGenerator<Bytes>): Promise<ReadableStream<Bytes> | Bytes> {
  const first: Bytes[] = [];
  let size = 0;
  for (let next = await chunks.next(); size <= AT_ONCE_BYTES; next = await chunks.next()) {
    if (next.done) return Buffer.concat(first) as Bytes;
    first.push(next.value);
    size += next.value.length;
    if (size > AT_ONCE_BYTES) break;
  }
  return new ReadableStream<Bytes>(
    {
      async pull(controller) {
        const ready = first.shift();
        if (ready) return controller.enqueue(ready);
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await chunks.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

/** The response with a body; a stream is marked. */
function responseOf(body: ReadableStream<Uint8Array> | Bytes, type: Format): Response {
  const response = new Response(body, { headers: { "content-type": TYPES[type] } });
  if (body instanceof ReadableStream) markStreamed(response.headers);
  return response;
}

/** Sends a JSON body of lists of rows. */
export const listsResponse = async (listed: ListedRows): Promise<Response> =>
  responseOf(await bodyOf(jsonChunks(listed)), "json");

/** Sends a table as a response. */
export async function tableResponse(table: Table, format: Exclude<Format, "json">): Promise<Response> {
  const lines = format === "csv" || format === "ndjson" ? await table.lines?.(format) : null;
  const chunks =
    format === "arrow"
      ? arrowChunks(table)
      : format === "parquet"
        ? parquetChunks(table)
        : textChunks(table, format);
  const response = responseOf(lines ?? (await bodyOf(chunks)), format);
  const name = table.name.replace(/[^A-Za-z0-9._-]/g, "_");
  if (format !== "records")
    response.headers.set("content-disposition", `attachment; filename="${name}.${format}"`);
  return response;
}
