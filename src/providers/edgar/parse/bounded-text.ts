// Bounds the names and texts that are read from filings, whose forms set limits that a filer's document need not keep.
import { FILED_TEXT_CHARS_MAX } from "../../../limits.ts";

/** The text; a longer one is cut and ends with an ellipsis. */
export const boundedText = (text: string): string =>
  text.length <= FILED_TEXT_CHARS_MAX ? text : `${text.slice(0, FILED_TEXT_CHARS_MAX - 1)}…`;

/** A value that was read, with each of its texts bounded. It is copied only where a text is cut. */
export function withBoundedTexts<T>(value: T): T {
  if (typeof value === "string") return boundedText(value) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, withBoundedTexts(each), each] as const);
  if (entries.every(([, bounded, each]) => bounded === each)) return value;
  const bounded = entries.map(([key, each]) => [key, each] as const);
  return (Array.isArray(value) ? bounded.map(([, each]) => each) : Object.fromEntries(bounded)) as T;
}
