// Writes the warnings and errors of an answer, which rows of csv, ndjson and Parquet cannot hold, as headers
// X-Warnings and X-Errors.
import type { RowNotes } from "../platform/table.ts";

/** Longest value of one of the headers; clients and proxies accept at least this much. */
// Of 100 warnings of 80 characters the first ones that fit are sent, and how many more there are.
const HEADER_CHARS_MAX = 4_000;

/** Header values are ASCII. */
const ascii = (text: string): string =>
  text.replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** The JSON of the entries that fit, with the number of those left out as the last one. */
function headerOf<T>(entries: readonly T[], write: (entries: readonly T[], left: number) => unknown): string {
  for (let kept = entries.length; ; kept--) {
    const text = ascii(JSON.stringify(write(entries.slice(0, kept), entries.length - kept)));
    if (text.length <= HEADER_CHARS_MAX || kept === 0) return text;
  }
}

const more = (left: number) => `${left} more; see format=json`;

/**
 * Writes the warnings and errors of an answer into the headers of its rows. Sets none where there are none.
 */
export function noteHeaders(headers: Headers, { warnings = [], errors = {} }: RowNotes): void {
  if (warnings.length > 0)
    headers.set(
      "x-warnings",
      headerOf(warnings, (kept, left) => (left > 0 ? [...kept, more(left)] : kept)),
    );
  const failed = Object.entries(errors);
  if (failed.length > 0)
    headers.set(
      "x-errors",
      headerOf(failed, (kept, left) =>
        Object.fromEntries(left > 0 ? [...kept, ["…", more(left)] as const] : kept),
      ),
    );
}
