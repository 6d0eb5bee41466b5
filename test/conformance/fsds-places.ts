// Says where a filing presents a figure that is no line of the statement it is served in, and why it is
// served there.
import { LINES_BY_MEANING, type StatementLine } from "../../src/providers/edgar/index.ts";
import type { Column, PresentedFiling, StatementCode } from "./fsds.ts";

/** Lines side by side whose sum may be the figure. */
const SUMMED_MAX = 6;

/** A served figure whose tag is no line of its statement. */
interface Apart {
  readonly filing: PresentedFiling;
  readonly code: StatementCode;
  readonly item: string;
  readonly tag: string;
  readonly value: number;
  readonly column: Column;
}

/**
 * Whether the statement has the number under another tag, or as a sum of lines side by side; null when
 * neither.
 */
function numberOf({ filing, code, value, column }: Apart): string | null {
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
  return isSum ? "sum of its lines" : null;
}

const hasLine = ({ filing, tag }: Apart, code: StatementCode): boolean =>
  filing.statements.get(code)?.some((line) => line.tag === tag) ?? false;

const isOf = ({ filing, tag }: Apart, other: "EQ" | "UN"): boolean =>
  filing.otherStatements.get(tag)?.has(other) ?? false;

/** Each reason with its rule; the first that holds is the reason. */
const REASONS: readonly (readonly [reason: string, holds: (apart: Apart) => boolean])[] = [
  ["a line of a statement that the data set does not classify", (apart) => isOf(apart, "UN")],
  ["a line of the statement of equity", (apart) => isOf(apart, "EQ")],
  ["given by its meaning", ({ item }) => LINES_BY_MEANING.has(item as StatementLine)],
  // Stated in the description of the line.
  [
    "the cash with which the cash flows end",
    (apart) => apart.item === "cash_and_equivalents" && hasLine(apart, "CF"),
  ],
];

/** Why such a figure is served; null when no rule explains it. */
export const apartReason = (apart: Apart): string | null =>
  numberOf(apart) ?? REASONS.find(([, holds]) => holds(apart))?.[0] ?? null;
