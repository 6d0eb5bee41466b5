// Writes the request log in batches beside the requests: no request waits for the disk.
import { getTableName, lt } from "drizzle-orm";
import { instantText } from "../platform/instant-text.ts";
import { redactQuery, withoutSecrets } from "../platform/redact.ts";
import type { Store } from "../platform/sqlite/sqlite.ts";
import { request_log } from "../platform/sqlite/tables.ts";
import type { RequestRecord } from "./edge.ts";

/** Rows held at most; beyond it the oldest are dropped, since a log must not take the process down. */
const BUFFERED_ROWS_MAX = 20_000;
const FLUSH_MS = 500;
const TEXT_MAX = 1_000;
/** Rows of one statement: running it costs as much as writing the row. */
const ROWS_A_STATEMENT = 40;

const short = (text: string) => (text.length > TEXT_MAX ? text.slice(0, TEXT_MAX) : text);

export interface RequestLog {
  add(record: RequestRecord): void;
  flush(): void;
  /** Removes rows of requests that began before a moment (ms since the epoch); gives their number. */
  purge(beforeMs: number): number;
  close(): void;
}

/** A row in the order of the statement's columns. */
const rowOf = (r: RequestRecord, hide: (text: string) => string): (string | number | null)[] => [
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

/** Native statements, made once: for thousands of rows a second the query builder costs more than the writing. */
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
  const [one, many] = [insert(1), insert(ROWS_A_STATEMENT)];
  return (rows: readonly (string | number | null)[][]) => {
    const whole = rows.length - (rows.length % ROWS_A_STATEMENT);
    for (let i = 0; i < whole; i += ROWS_A_STATEMENT) many.run(...rows.slice(i, i + ROWS_A_STATEMENT).flat());
    for (const row of rows.slice(whole)) one.run(...row);
  };
}

/** `secrets` are hidden wherever a client wrote them; `failed` is told when rows could not be written. */
export function openRequestLog(
  { sqlite, secrets }: { readonly sqlite: Store; readonly secrets: readonly string[] },
  failed: (error: unknown, rows: number) => void,
): RequestLog {
  const hide = (text: string) => withoutSecrets(text, secrets);
  const insert = preparedInsert(sqlite);
  let buffered: RequestRecord[] = [];
  const flush = () => {
    if (buffered.length === 0) return;
    const rows = buffered;
    buffered = [];
    try {
      sqlite.write(() => insert(rows.map((record) => rowOf(record, hide))));
    } catch (error) {
      failed(error, rows.length);
    }
  };
  const timer = setInterval(flush, FLUSH_MS);
  timer.unref();
  return {
    add(record) {
      if (buffered.length >= BUFFERED_ROWS_MAX) buffered.shift();
      buffered.push(record);
    },
    flush,
    purge: (beforeMs) =>
      sqlite.write((tx) =>
        tx
          .delete(request_log)
          .where(lt(request_log.timestamp, instantText(beforeMs)))
          .returning({ id: request_log.id })
          .all(),
      ).length,
    close() {
      clearInterval(timer);
      flush();
    },
  };
}
