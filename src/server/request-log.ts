// Writes the request log in batches in the background, so that no request waits for the disk.

import { getTableName } from "drizzle-orm";
import { instantText } from "../platform/instant-text.ts";
import { redactQuery, withoutSecrets } from "../platform/redact.ts";
import type { Store } from "../platform/sqlite/sqlite.ts";
import { request_log } from "../platform/sqlite/tables.ts";
import { type BufferedLog, bufferedLog } from "./buffered-log.ts";
import type { RequestRecord } from "./edge.ts";

/**
 * Rows buffered at most; then the oldest are dropped, so that the log cannot exhaust the memory of the
 * process.
 */
const BUFFERED_ROWS_MAX = 20_000;
const TEXT_MAX = 1_000;
/** Rows in one statement: running a statement costs as much as writing a row. */
const ROWS_PER_STATEMENT = 40;

const short = (text: string) => (text.length > TEXT_MAX ? text.slice(0, TEXT_MAX) : text);

export interface RequestLog extends Omit<BufferedLog<RequestRecord>, "buffered"> {
  add(record: RequestRecord): void;
}

/** The values of a row in the order of the statement's columns. */
const requestRow = (r: RequestRecord, hide: (text: string) => string): (string | number | null)[] => [
  r.requestId,
  instantText(r.startedAtMs),
  r.method,
  short(hide(r.path)),
  r.query === "" ? "" : short(hide(redactQuery(r.query))),
  r.status,
  Math.round(r.durationMs),
  r.peer,
  r.userAgent === null ? null : short(hide(r.userAgent)),
  r.cache,
  r.errorCode,
];

/**
 * Prepares native statements once: at thousands of rows a second the query builder is slower than the
 * writing.
 */
function preparedInsert(sqlite: Store) {
  const columns = [
    request_log.request_id,
    request_log.timestamp,
    request_log.method,
    request_log.path,
    request_log.query,
    request_log.status_code,
    request_log.duration_ms,
    request_log.client_ip,
    request_log.user_agent,
    request_log.cache,
    request_log.error_code,
  ].map((column) => column.name);
  const row = `(${columns.map(() => "?").join(", ")})`;
  const insert = (rows: number) =>
    sqlite.prepare(
      `INSERT INTO ${getTableName(request_log)} (${columns.join(", ")}) VALUES ${Array(rows).fill(row).join(", ")}`,
    );
  const [one, many] = [insert(1), insert(ROWS_PER_STATEMENT)];
  return (rows: readonly (string | number | null)[][]) => {
    const whole = rows.length - (rows.length % ROWS_PER_STATEMENT);
    for (let i = 0; i < whole; i += ROWS_PER_STATEMENT)
      many.run(...rows.slice(i, i + ROWS_PER_STATEMENT).flat());
    for (const row of rows.slice(whole)) one.run(...row);
  };
}

/**
 * Opens the request log. `secrets` are removed from texts of clients; `failed` is called when rows could not
 * be written.
 */
export function openRequestLog(
  { sqlite, secrets }: { readonly sqlite: Store; readonly secrets: readonly string[] },
  failed: (error: unknown, rows: number) => void,
): RequestLog {
  const hide = (text: string) => withoutSecrets(text, secrets);
  const insert = preparedInsert(sqlite);
  const { buffered, ...log } = bufferedLog<RequestRecord>(
    sqlite,
    request_log,
    (rows) => insert(rows.map((record) => requestRow(record, hide))),
    failed,
  );
  return {
    add(record) {
      if (buffered.length >= BUFFERED_ROWS_MAX) buffered.shift();
      buffered.push(record);
    },
    ...log,
  };
}
