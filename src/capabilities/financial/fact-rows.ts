// Converts a figure to a row of the lake.
import type { financialFacts } from "../../datasets/financial-facts.ts";
import type { RowOf } from "../../platform/lake/dataset.ts";
import { type FinancialFact, knownAt } from "../../providers/edgar/index.ts";

export type FactRow = RowOf<typeof financialFacts>;

/** The period as one string. It is part of the key, whose columns must not be null. */
export function periodKey({ period_start, period_end, period_months }: FinancialFact): string {
  if (period_start !== null) return `${period_start}/${period_end}`;
  return period_months === null ? period_end : `${period_months}M/${period_end}`;
}

export function factRow(fact: FinancialFact, symbol: string | null): FactRow {
  const { flags, ...plain } = fact;
  return {
    ...plain,
    symbol,
    period: periodKey(fact),
    known_at: knownAt(fact)?.replace(/(\.\d{3})\d+/, "$1") ?? null,
    flags: flags.length === 0 ? null : flags.join(","),
  };
}
