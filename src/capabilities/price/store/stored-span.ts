// Which stored bars an answer has, as conditions of the queries for them.
import { actionCoverage } from "../../../datasets/action-coverage.ts";
import { barsDaily, FINAL_BASIS } from "../../../datasets/bars-daily.ts";
import { corporateActions } from "../../../datasets/corporate-actions.ts";
import type { DateRange } from "../../../market/time-span.ts";
import { literal } from "../../../platform/lake/dataset.ts";
import type { DaysRead } from "../../../platform/lake/lake.ts";

/**
 * `column` within any of the ranges. The days are part of the text: DuckDB plans a query with parameters
 * twice.
 */
export function within(ranges: readonly DateRange[], column = "date"): string {
  const parts = ranges.map(({ start, end }) =>
    start === null
      ? `${column} <= DATE ${literal(end)}`
      : `${column} BETWEEN DATE ${literal(start)} AND DATE ${literal(end)}`,
  );
  return parts.length === 0 ? "true" : `(${parts.join(" OR ")})`;
}

/** The datasets that the macros of bars and actions read. */
export const BARS_AND_ACTIONS = [barsDaily, corporateActions, actionCoverage] as const;

/** The stored bars of the ranges, for reads of them alone. */
export const barDays = (ranges: readonly DateRange[]): DaysRead => ({
  datasets: [barsDaily],
  column: "date",
  ranges,
});

/**
 * One of the symbols. They are part of the text: the engine takes a list that is bound for a join above
 * everything that the query computes, and a list in the text for a filter of the scan, which skips row groups
 * without any of them.
 */
export function among(symbols: readonly string[]): string {
  if (symbols.length === 0) return "false";
  return symbols.length === 1
    ? `symbol = ${literal(symbols[0] ?? "")}`
    : `symbol IN (${symbols.map(literal).join(", ")})`;
}

/** A read of so many symbols is a heavy one. */
const MANY_SYMBOLS = 10;
export const isHeavy = (symbols: readonly string[]) => symbols.length >= MANY_SYMBOLS;

/** The options of a read of `among` these symbols. */
export const readBy = (symbols: readonly string[]) => ({ heavy: isHeavy(symbols), symbols });

/**
 * Bars of a company that held the symbol before are only for the panel, and no part of this symbol's history.
 */
export const OWN = `basis_date < DATE '${FINAL_BASIS}'`;

/** The macros of the present plan faster than those of any moment. */
export const barsSql = (asOf: Temporal.Instant | null) =>
  asOf === null ? "bars_now()" : `bars(TIMESTAMPTZ ${literal(asOf.toString())})`;

/** Which stored bars an answer has. */
export interface StoredSpan {
  readonly symbols: readonly string[];
  readonly ranges: readonly DateRange[];
  readonly asOf: Temporal.Instant | null;
  readonly signal?: AbortSignal | undefined;
}
