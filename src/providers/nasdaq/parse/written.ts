// Parses numbers, dates and months as Nasdaq writes them. Each parser gives null for "unknown" (`N/A` and the
// like) and undefined for a text it cannot read.
import { isDate } from "../../../market/date.ts";

const UNKNOWN = /^(?:n\/?a|-+|none|tbd|)$/i;

/** True for a text that means "unknown". */
export const saysNothing = (text: string): boolean => UNKNOWN.test(text.trim());

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** Parses `1.7`, `$1.74`, `-$0.35`, `($0.35)` (negative), `$4,465,201,458`, `0.58%`. */
export function numberOf(value: unknown): number | null | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  if (UNKNOWN.test(text)) return null;
  const match = /^(\()?([+-]?)\$?([+-]?)((?:\d{1,3}(?:,\d{3})+|\d*)(?:\.\d+)?)%?(\))?$/.exec(text);
  const [, open, before, after, digits = "", close] = match ?? [];
  if (!match || !/\d/.test(digits) || (open === undefined) !== (close === undefined)) return undefined;
  const number = Number(digits.replaceAll(",", ""));
  const isNegative = open !== undefined || before === "-" || after === "-";
  // Avoids minus zero, which some formats write as "-0".
  return isNegative ? -number || 0 : number;
}

/** Parses `7/01/2024` and `2024-07-01` to `2024-07-01`. */
export function dateOf(value: string): string | null | undefined {
  const text = value.trim();
  if (UNKNOWN.test(text)) return null;
  const [, month = "", day = "", year = ""] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? [];
  const date = year === "" ? text : `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  return isDate(date) ? date : undefined;
}

/** Parses `May/2024`, `Jul 2026`, `July2026` to the form `2024-05`. */
export function monthOf(value: string): string | null | undefined {
  const text = value.trim();
  if (UNKNOWN.test(text)) return null;
  const [, word = "", year = ""] = /^([A-Za-z]{3,9})[\s/,.-]*(\d{4})$/.exec(text) ?? [];
  const month = MONTHS.indexOf(word.slice(0, 3).toLowerCase());
  return month < 0 ? undefined : `${year}-${String(month + 1).padStart(2, "0")}`;
}
