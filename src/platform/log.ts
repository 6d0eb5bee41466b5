// The log: one JSON object per line, with secrets removed before anything is written.
import pino from "pino";
import type { Clock } from "./clock.ts";
import { redactText, redactValue } from "./redact.ts";

export type LogLevel = "trace" | "debug" | "info" | "warn" | "error" | "silent";
type Fields = Readonly<Record<string, unknown>>;

/** The message is fixed text; values go into `fields` (an error under `error`). */
export interface Log {
  debug(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
  /** A log whose lines all carry `fields`, e.g. `{ upstream: "yahoo" }`. */
  child(fields: Fields): Log;
}

export interface LogOptions {
  readonly level: LogLevel;
  readonly clock: Clock;
  /** stdout for the service; stderr for commands, whose stdout is their result. */
  readonly to?: "stdout" | "stderr";
  /** Values hidden wherever they occur: the keys of the configuration. */
  readonly secrets?: readonly string[];
  /** Receives the lines instead of a stream; for tests. */
  readonly write?: (line: string) => void;
}

type Written = "debug" | "info" | "warn" | "error";

/**
 * Writes lines to a file descriptor. One that cannot be written, as on a full disk, is dropped; `saySo` is
 * called with how many once a line is written again.
 */
function lineWriter(fd: number, saySo: (dropped: number) => void) {
  let dropped = 0;
  const open = () => {
    const own = pino.destination({ fd, sync: true });
    // The failed stream would keep its line, and every later one, in memory.
    own.on("error", () => {
      if (own !== stream) return;
      dropped += 1;
      stream = open();
    });
    return own;
  };
  let stream = open();
  return (line: string) => {
    const before = dropped;
    // A line that failed may have left its beginning.
    stream.write(before > 0 ? `\n${line}` : line);
    if (before === 0 || dropped > before) return;
    dropped = 0;
    saySo(before);
  };
}

/**
 * A log that writes JSON lines `{"level":"info","time":"2026-11-20T15:00:00.000Z", …fields, "msg":"…"}`.
 * JSON escapes line breaks, so no value can forge a line.
 */
export function createLog(options: LogOptions): Log {
  const { clock, secrets = [] } = options;
  const fd = options.to === "stderr" ? 2 : 1;
  const writeLine =
    options.write ?? lineWriter(fd, (dropped) => root.warn({ dropped }, "lines could not be written"));
  const root = pino(
    {
      level: options.level,
      base: null,
      timestamp: () => `,"time":"${clock.now().toString({ fractionalSecondDigits: 3 })}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: writeLine },
  );
  const over = (inherited: Fields): Log => {
    const write =
      (level: Written) =>
      (message: string, fields: Fields = {}) => {
        if (!root.isLevelEnabled(level)) return;
        const all = redactValue({ ...inherited, ...fields }, secrets) as Record<string, unknown>;
        root[level](all, redactText(message, secrets));
      };
    return {
      debug: write("debug"),
      info: write("info"),
      warn: write("warn"),
      error: write("error"),
      child: (fields) => over({ ...inherited, ...fields }),
    };
  };
  return over({});
}
