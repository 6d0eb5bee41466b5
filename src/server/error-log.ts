// Stores errors for GET /logs/errors: failed requests, and warnings and errors of all parts of the service.

import type { Clock } from "../platform/clock.ts";
import { AsofError } from "../platform/errors.ts";
import { instantText } from "../platform/instant-text.ts";
import type { Log } from "../platform/log.ts";
import { redactText } from "../platform/redact.ts";
import type { Store } from "../platform/sqlite/sqlite.ts";
import { error_log } from "../platform/sqlite/tables.ts";
import { type BufferedLog, bufferedLog } from "./buffered-log.ts";

type Row = typeof error_log.$inferInsert;
type Fields = Readonly<Record<string, unknown>>;

/** Rows buffered at most, so that the log cannot exhaust the memory of the process. */
const BUFFERED_ROWS_MAX = 5_000;
const TEXT_MAX = 2_000;

/** A request that ended in an error. */
export interface FailedRequest {
  readonly status: number;
  readonly requestId: string;
  readonly path: string;
  readonly errorCode: string | null;
  readonly cause: unknown;
}

export interface ErrorLog extends Omit<BufferedLog<Row>, "buffered"> {
  /** Stores a request that failed because of the service or a provider. Client errors are ignored. */
  request(failed: FailedRequest): void;
  /** Returns a log like `log` that also stores its warnings and errors. */
  tee(log: Log): Log;
}

const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null);

function errorFacts(error: unknown): Pick<Row, "error_code" | "ticker" | "upstream" | "upstream_status"> {
  if (!(error instanceof AsofError)) return {};
  const { ticker, upstream, upstreamStatus } = error.facts;
  return {
    error_code: error.code,
    ticker: ticker ?? null,
    upstream: upstream ?? null,
    upstream_status: upstreamStatus ?? null,
  };
}

/** The source of a log line: the job, the provider or the capability. */
const sourceOf = ({ job, upstream, capability }: Fields) =>
  textOrNull(job) !== null
    ? "job"
    : textOrNull(upstream) !== null
      ? "upstream"
      : (textOrNull(capability) ?? "service");

/**
 * Opens the error log. `secrets` are removed from every text; `failed` is called when rows could not be
 * written.
 */
export function openErrorLog(
  deps: { readonly sqlite: Store; readonly clock: Clock; readonly secrets: readonly string[] },
  failed: (error: unknown, rows: number) => void,
): ErrorLog {
  const { sqlite, clock, secrets } = deps;
  const { buffered, ...log } = bufferedLog<Row>(
    sqlite,
    error_log,
    (rows, db) => {
      for (const row of rows) db.insert(error_log).values(row).run();
    },
    failed,
  );
  const safe = (text: string) => redactText(text, secrets).slice(0, TEXT_MAX);
  const add = (row: Omit<Row, "timestamp">) => {
    if (buffered.length >= BUFFERED_ROWS_MAX) return;
    const stack = row.stack ? safe(row.stack) : null;
    const path = row.path ? safe(row.path) : null;
    buffered.push({ ...row, path, message: safe(row.message), stack, timestamp: instantText(clock.nowMs()) });
  };
  const note = (level: "warn" | "error", message: string, fields: Fields) => {
    const { error } = fields;
    const why = error instanceof Error ? error.message : textOrNull(error);
    const subject = textOrNull(fields.job) ?? textOrNull(fields.doing);
    add({
      level,
      source: sourceOf(fields),
      message: [subject, message, why].filter(Boolean).join(": "),
      upstream: textOrNull(fields.upstream),
      ...errorFacts(error),
      stack: error instanceof Error && !(error instanceof AsofError) ? (error.stack ?? null) : null,
    });
  };
  const tee = (log: Log, inherited: Fields = {}): Log => ({
    debug: log.debug,
    info: log.info,
    warn(message, fields = {}) {
      log.warn(message, fields);
      note("warn", message, { ...inherited, ...fields });
    },
    error(message, fields = {}) {
      log.error(message, fields);
      note("error", message, { ...inherited, ...fields });
    },
    child: (fields) => tee(log.child(fields), { ...inherited, ...fields }),
  });

  return {
    request({ status, requestId, path, errorCode, cause }) {
      if (status < 500 && errorCode !== "upstream_rate_limited") return;
      const isBug = errorCode === "internal_error";
      add({
        level: isBug ? "error" : "warn",
        source: "request",
        message: cause instanceof Error ? cause.message : `The request ended with ${status}.`,
        path,
        request_id: requestId,
        ...errorFacts(cause),
        error_code: errorCode,
        stack: isBug && cause instanceof Error ? (cause.stack ?? null) : null,
      });
    },
    tee: (given) => tee(given),
    ...log,
  };
}
