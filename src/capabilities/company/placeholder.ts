// Values that stand for "no value": upstream writes them where a company's record is not filled in yet.

/** Compared in lower case, blanks at the ends and dots left out. */
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

/** Whether a text is there and says nothing. */
export function isPlaceholder(text: string | null): boolean {
  return text !== null && PLACEHOLDERS.has(text.trim().toLowerCase().replaceAll(".", ""));
}

/** The text without blanks at its ends; null for a placeholder. */
export function realText(text: string | null): string | null {
  return text === null || isPlaceholder(text) ? null : text.trim();
}

/** A count or an amount of which 0 or less means that upstream has none: employees, shares, a market value. */
export function realAmount(value: number | null): number | null {
  return value !== null && Number.isFinite(value) && value > 0 ? value : null;
}
