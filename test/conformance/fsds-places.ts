// Says where a filing presents a figure that is no line of the statement it is served in.
import type { Column, PresentedFiling, StatementCode } from "./fsds.ts";

/** Lines side by side whose sum may be the figure. */
const SUMMED_MAX = 6;

/**
 * The place of such a figure: "number of the statement" under another tag, "sum of its lines" side by side, "balance
 * sheet", "income statement", "cash-flow statement", or "note".
 */
export function placeOf(
  filing: PresentedFiling,
  code: StatementCode,
  tag: string,
  value: number,
  column: Column,
): string {
  const lines = (filing.statements.get(code) ?? []).filter((line) => !line.isParenthetical);
  const numbers = lines.flatMap((line) => column.values.get(line.tag) ?? []);
  if (numbers.includes(value) || numbers.includes(-value)) return "number of the statement";
  const isSum = numbers.some((_, first) => {
    let sum = 0;
    return numbers.slice(first, first + SUMMED_MAX).some((number, nth) => {
      sum += number;
      return nth > 0 && sum === value;
    });
  });
  if (isSum) return "sum of its lines";
  const has = (other: StatementCode) => filing.statements.get(other)?.some((line) => line.tag === tag);
  if (has("BS")) return "balance sheet";
  if (has("IS")) return "income statement";
  return has("CF") ? "cash-flow statement" : "note";
}
