// Why a served figure may differ from the line that a label names: rules about the statement, none about a
// company.
import type { PresentedStatement, ServedRow } from "./fsds-compare.ts";

interface Difference {
  readonly statement: PresentedStatement;
  readonly row: ServedRow;
  readonly item: string;
  readonly value: number;
  readonly wanted: { readonly tag: string; readonly value: number };
}

const TOTAL = /\btotal\b/i;

/** Each reason with its rule; the first that holds is the reason. */
const REASONS: readonly (readonly [reason: string, holds: (difference: Difference) => boolean])[] = [
  [
    "the amount of another tag, shown there as a deduction",
    ({ row, item, value, wanted }) => value === -wanted.value && row.sources?.[item]?.tag !== wanted.tag,
  ],
  // The regulator's files of figures lack it: the figure served is the nearest one of the public taxonomy.
  ["a tag of the filer's own", ({ statement, wanted }) => statement.filing.ownTags.has(wanted.tag)],
  [
    "a part of the total that is served",
    ({ statement: { lines }, row, item, wanted }) => {
      const labelOf = (tag: string | undefined) => lines.find((line) => line.tag === tag)?.label ?? "";
      return TOTAL.test(labelOf(row.sources?.[item]?.tag)) && !TOTAL.test(labelOf(wanted.tag));
    },
  ],
  [
    "differs by one other line of the statement",
    ({ statement: { lines, column }, value, wanted }) => {
      const off = Math.abs(value - wanted.value);
      const others = lines.filter(({ tag }) => tag !== wanted.tag && column.values.get(tag) !== value);
      return off > 0 && others.some(({ tag }) => Math.abs(column.values.get(tag) ?? 0) === off);
    },
  ],
  // Cash on hand of a bank, or of a group without what it holds elsewhere.
  [
    "a part of the cash with which the cash flows end",
    ({ statement: { filing, lines }, row, item, value, wanted }) => {
      const tag = row.sources?.[item]?.tag;
      const isBalanceLine = lines.some((line) => line.tag === tag);
      const isCashFlowLine = filing.statements.get("CF")?.some((line) => line.tag === tag) ?? false;
      return item === "cash_and_equivalents" && !isBalanceLine && isCashFlowLine && value > wanted.value;
    },
  ],
];

/** The name of the reason; null when no rule explains the difference. */
export const differenceReason = (difference: Difference): string | null =>
  REASONS.find(([, holds]) => holds(difference))?.[0] ?? null;
