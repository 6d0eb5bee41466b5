// Arithmetic of metrics over figures that may be missing: a result is null when one of its operands is.
import type { BalanceLine } from "../../../providers/edgar/index.ts";
import type { Row } from "./records.ts";

export type Operand = number | null | undefined;

export const ratio = (a: Operand, b: Operand): number | null => {
  if (a === null || a === undefined || !b) return null;
  const result = a / b;
  return Number.isFinite(result) ? result : null;
};

export const sum = (...operands: readonly Operand[]): number | null => {
  let total = 0;
  for (const operand of operands) {
    if (operand === null || operand === undefined) return null;
    total += operand;
  }
  return total;
};

export const less = (a: Operand, b: Operand): number | null =>
  a === null || a === undefined || b === null || b === undefined ? null : a - b;

export const times = (a: Operand, b: Operand): number | null =>
  a === null || a === undefined || b === null || b === undefined ? null : a * b;

/** Short-term plus long-term debt; short-term debt is summed from its two parts when no total is reported. */
export function debtOf(balance: Row<BalanceLine> | undefined): number | null {
  if (!balance) return null;
  const { short_term_debt, short_term_borrowings, long_term_debt_current, long_term_debt } = balance.items;
  return sum(short_term_debt ?? sum(short_term_borrowings, long_term_debt_current), long_term_debt);
}
