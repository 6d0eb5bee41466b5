// A log for tests that collects its lines.
import type { Log } from "../../src/platform/log.ts";
import { redactText, redactValue } from "../../src/platform/redact.ts";

type Fields = Readonly<Record<string, unknown>>;
type Written = "debug" | "info" | "warn" | "error";

export interface CapturedLog extends Log {
  readonly lines: { readonly level: Written; readonly message: string; readonly fields: Fields }[];
}

/** A log for tests: collects its lines, redacted as the real one does. */
export function captureLog(secrets: readonly string[] = []): CapturedLog {
  const lines: CapturedLog["lines"] = [];
  const over = (inherited: Fields): CapturedLog => {
    const write =
      (level: Written) =>
      (message: string, fields: Fields = {}) => {
        lines.push({
          level,
          message: redactText(message, secrets),
          fields: redactValue({ ...inherited, ...fields }, secrets) as Fields,
        });
      };
    return {
      lines,
      debug: write("debug"),
      info: write("info"),
      warn: write("warn"),
      error: write("error"),
      child: (fields) => over({ ...inherited, ...fields }),
    };
  };
  return over({});
}
