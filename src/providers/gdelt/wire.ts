// Parses the news archive's JSON, whose texts sometimes contain raw control characters and stray backslashes.
import { type UpstreamFailed, UpstreamMisread, UpstreamRefused } from "../../platform/errors.ts";
import { oneLine } from "../../platform/redact.ts";
import { type Fields, isFields } from "../../platform/upstream/json-place.ts";
import type { UpstreamAnswer } from "../../platform/upstream/policy.ts";

export const changed = (expected: string): UpstreamFailed =>
  new UpstreamMisread("gdelt", `gdelt changed the shape of its answer: ${expected}`);

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is to be found.
const CONTROL = /[\u0000-\u001f\u007f]+/g;
/** Finds valid JSON escapes and stray backslashes, as in "Bank\'s"; a stray one is meant literally. */
const ESCAPES = /\\(?:["\\/bfnrt]|u[\da-f]{4})|\\/gi;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    try {
      const escaped = text.replaceAll(ESCAPES, (found) => (found === "\\" ? "\\\\" : found));
      return JSON.parse(escaped.replaceAll(CONTROL, " "));
    } catch {
      throw new UpstreamMisread("gdelt", "gdelt sent broken data");
    }
  }
}

/** The JSON object of an answer. Throws UpstreamRefused with the archive's own message, UpstreamFailed. */
export function bodyOf(answer: UpstreamAnswer): Fields {
  const text = new TextDecoder()
    .decode(answer.bytes)
    .replace(/^\uFEFF/, "")
    .trimStart();
  if (!text.startsWith("{"))
    throw new UpstreamRefused("gdelt", `gdelt refused the query: ${oneLine(text).slice(0, 200)}`, {
      upstreamStatus: answer.status,
    });
  const body = parsed(text);
  if (!isFields(body)) throw changed("it should be an object");
  return body;
}

const STAMP = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/;

/** Parses `20240615T170000Z`. */
export function instantOf(value: unknown): Temporal.Instant {
  const [year, month, day, ...time] = STAMP.exec(String(value))?.slice(1) ?? [];
  try {
    return Temporal.Instant.from(`${year}-${month}-${day}T${time.join(":")}Z`);
  } catch {
    throw changed("a time should be written 20240615T170000Z");
  }
}

/** A time in a query: YYYYMMDDHHMMSS. */
export const stampOf = (at: Temporal.Instant): string =>
  at.toString({ smallestUnit: "second" }).replaceAll(/\D/g, "");
