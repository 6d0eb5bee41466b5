// Values that mean "no value": upstream sends them when a company's record is not filled in yet.

/** In lower case, trimmed and without dots. */
const PLACEHOLDERS = new Set([
  "",
  "-",
  "--",
  "---",
  "–",
  "—",
  "?",
  "n/a",
  "#n/a",
  "na",
  "n a",
  "nan",
  "nil",
  "none",
  "null",
  "undefined",
  "unknown",
  "not available",
  "not applicable",
  "tbd",
]);

/** Whether the text is present but means "no value". */
export function isPlaceholder(text: string | null): boolean {
  return text !== null && PLACEHOLDERS.has(text.trim().toLowerCase().replaceAll(".", ""));
}

/** The trimmed text; null for a placeholder. */
export function realText(text: string | null): string | null {
  return text === null || isPlaceholder(text) ? null : text.trim();
}

/**
 * A count or amount for which upstream writes 0 or less when it has no value: employees, shares, market
 * value.
 */
export function realAmount(value: number | null): number | null {
  return value !== null && Number.isFinite(value) && value > 0 ? value : null;
}
