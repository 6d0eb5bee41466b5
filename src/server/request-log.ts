// Writes the request log in batches beside the requests: no request waits for the disk.
import { getTableName, lt } from "drizzle-orm";
import { instantText } from "../platform/instant-text.ts";
import { redactQuery, withoutSecrets } from "../platform/redact.ts";
import type { Store } from "../platform/sqlite.ts";
import { request_log } from "../platform/tables.ts";
import type { RequestRecord } from "./edge.ts";

/** Rows held at most; beyond it the oldest are dropped, since a log must not take the process down. */
const ROWS_HELD_MAX = 20_000;
const FLUSH_MS = 500;
const TEXT_MAX = 1_000;

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

/** One native statement, made once: for thousands of rows a second the query builder costs more than the writing. */
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
  const places = columns.map(() => "?").join(", ");
  return sqlite.prepare(
    `INSERT INTO ${getTableName(request_log)} (${columns.join(", ")}) VALUES (${places})`,
  );
}

/** `secrets` are hidden wherever a client wrote them; `failed` is told when rows could not be written. */
export function openRequestLog(
  { sqlite, secrets }: { readonly sqlite: Store; readonly secrets: readonly string[] },
  failed: (error: unknown, rows: number) => void,
): RequestLog {
  const hide = (text: string) => withoutSecrets(text, secrets);
  const insert = preparedInsert(sqlite);
  let held: RequestRecord[] = [];
  const flush = () => {
    if (held.length === 0) return;
    const rows = held;
    held = [];
    try {
      sqlite.write(() => {
        for (const record of rows) insert.run(...rowOf(record, hide));
      });
    } catch (error) {
      failed(error, rows.length);
    }
  };
  const timer = setInterval(flush, FLUSH_MS);
  timer.unref();
  return {
    add(record) {
      if (held.length >= ROWS_HELD_MAX) held.shift();
      held.push(record);
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
