// Writes the request log in batches beside the requests: no request waits for the disk.
import { lt } from "drizzle-orm";
import { instantText } from "../platform/instant-text.ts";
import { redactQuery } from "../platform/redact.ts";
import type { Store } from "../platform/sqlite.ts";
import { request_log } from "../platform/tables.ts";
import type { RequestRecord } from "./edge.ts";

/** Rows held at most; beyond it the oldest are dropped, since a log must not take the process down. */
const ROWS_HELD_MAX = 20_000;
const FLUSH_MS = 500;
const ROWS_A_STATEMENT = 200;
const TEXT_MAX = 1_000;

const short = (text: string) => (text.length > TEXT_MAX ? text.slice(0, TEXT_MAX) : text);

export interface RequestLog {
  add(record: RequestRecord): void;
  flush(): void;
  /** Removes rows of requests that began before a moment (ms since the epoch); gives their number. */
  purge(beforeMs: number): number;
  close(): void;
}

/** `failed` is told when rows could not be written. */
export function openRequestLog(sqlite: Store, failed: (error: unknown, rows: number) => void): RequestLog {
  let held: RequestRecord[] = [];
  const flush = () => {
    if (held.length === 0) return;
    const rows = held;
    held = [];
    try {
      sqlite.write((tx) => {
        for (let i = 0; i < rows.length; i += ROWS_A_STATEMENT)
          tx.insert(request_log)
            .values(
              rows.slice(i, i + ROWS_A_STATEMENT).map((r) => ({
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
              })),
            )
            .run();
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
