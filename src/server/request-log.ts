// Writes the request log in batches beside the requests: no request waits for the disk.
import { lt, sql } from "drizzle-orm";
import { instantText } from "../platform/instant-text.ts";
import { redactQuery } from "../platform/redact.ts";
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

/** The statement, made once: building it anew for thousands of rows costs more than running it. */
function preparedInsert(sqlite: Store) {
  const value = sql.placeholder;
  return sqlite.use((db) =>
    db
      .insert(request_log)
      .values({
        request_id: value("request_id"),
        timestamp: value("timestamp"),
        method: value("method"),
        path: value("path"),
        query: value("query"),
        status_code: value("status_code"),
        duration_ms: value("duration_ms"),
        client_ip: value("client_ip"),
        user_agent: value("user_agent"),
        cache: value("cache"),
        error_code: value("error_code"),
      })
      .prepare(),
  );
}

const rowOf = (r: RequestRecord): typeof request_log.$inferInsert => ({
  request_id: r.requestId,
  timestamp: instantText(r.startedAtMs),
  method: r.method,
  path: short(r.path),
  query: short(redactQuery(r.query)),
  status_code: r.status,
  duration_ms: Math.round(r.durationMs),
  client_ip: r.peer,
  user_agent: r.userAgent === null ? null : short(r.userAgent),
  cache: r.cache,
  error_code: r.errorCode,
});

/** `failed` is told when rows could not be written. */
export function openRequestLog(sqlite: Store, failed: (error: unknown, rows: number) => void): RequestLog {
  const insert = preparedInsert(sqlite);
  let held: RequestRecord[] = [];
  const flush = () => {
    if (held.length === 0) return;
    const rows = held;
    held = [];
    try {
      sqlite.write(() => {
        for (const record of rows) insert.run(rowOf(record));
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
