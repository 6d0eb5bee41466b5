// Bounds the names and texts that are read from filings, whose forms set limits that a filer's document need
// not keep.
import { FILED_TEXT_CHARS_MAX } from "../../../limits.ts";

/** The text; a longer one is cut and ends with an ellipsis. */
export const boundedText = (text: string): string =>
  text.length <= FILED_TEXT_CHARS_MAX ? text : `${text.slice(0, FILED_TEXT_CHARS_MAX - 1)}…`;

/** True when no text of the value is cut; nearly every value is so, and then none is copied. */
function isBounded(value: unknown): boolean {
  if (typeof value === "string") return value.length <= FILED_TEXT_CHARS_MAX;
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(isBounded);
  for (const key in value) if (!isBounded(value[key as keyof typeof value])) return false;
  return true;
}

/** A value that was read, with each of its texts bounded. It is copied only where a text is cut. */
export function withBoundedTexts<T>(value: T): T {
  if (typeof value === "string") return boundedText(value) as T;
  if (typeof value !== "object" || value === null || isBounded(value)) return value;
  if (Array.isArray(value)) return value.map(withBoundedTexts) as T;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withBoundedTexts(each)])) as T;
}
