// Reads splits and dividends from the lake, amounts on the same basis as the bars of an answer.
import type { DateRange } from "../../../market/time-span.ts";
import { literal } from "../../../platform/lake/dataset.ts";
import type { Lake } from "../../../platform/lake/lake.ts";
import { among, BARS_AND_ACTIONS, readBy, within } from "./stored-span.ts";

/** A split or dividend as a row of `actions`. */
export interface StoredAction extends Record<string, unknown> {
  readonly symbol: string;
  readonly ex_date: string;
  readonly kind: string;
  readonly amount: number | null;
  readonly currency: string | null;
  readonly numerator: number | null;
  readonly denominator: number | null;
  readonly ratio: number | null;
  readonly price_factor: number | null;
}

/** An action as it was reported, on the basis of its report. */
interface ReportedAction extends StoredAction {
  readonly basis_date: string;
}

const readOf = (symbols: readonly string[]) => {
  const by = readBy(symbols);
  return { ...by, keptOf: by.heavy ? undefined : BARS_AND_ACTIONS };
};

const COLUMNS = `symbol, ex_date, kind, amount, currency, price_factor, numerator, denominator,
  numerator / nullif(denominator, 0) AS ratio`;

function scaledActions(
  lake: Lake,
  symbols: readonly string[],
  ranges: readonly DateRange[],
  macro: string,
): Promise<StoredAction[]> {
  return lake.query<StoredAction>(
    `SELECT ${COLUMNS} FROM ${macro} WHERE ${among(symbols)} AND ${within(ranges, "ex_date")}
     ORDER BY symbol, ex_date, kind`,
    {},
    readOf(symbols),
  );
}

/**
 * Whether the reports of a symbol can be served as they are: each action has one, and none has a split after
 * its basis.
 */
function areFinal(reports: readonly ReportedAction[]): boolean {
  const keys = new Set(reports.map(({ ex_date, kind }) => `${ex_date} ${kind}`));
  const isScaled = reports.some(({ basis_date }) => reports.some(({ ex_date }) => ex_date > basis_date));
  return keys.size === reports.length && !isScaled;
}

/**
 * Actions on the basis of today. Most symbols have nothing to choose or to scale: their rows are served as
 * they are, which takes a third of the time that the engine needs to plan `scaled_actions_now`.
 */
async function actionsNow(
  lake: Lake,
  symbols: readonly string[],
  ranges: readonly DateRange[],
): Promise<StoredAction[]> {
  const rows = await lake.query<ReportedAction>(
    `SELECT ${COLUMNS}, basis_date FROM corporate_actions WHERE ${among(symbols)} ORDER BY symbol, ex_date, kind`,
    {},
    readOf(symbols),
  );
  const bySymbol = Map.groupBy(rows, ({ symbol }) => symbol);
  const open = [...bySymbol].flatMap(([symbol, reports]) => (areFinal(reports) ? [] : [symbol]));
  const scaled = open.length === 0 ? [] : await scaledActions(lake, open, ranges, "scaled_actions_now()");
  for (const symbol of open) bySymbol.delete(symbol);
  const isIn = (day: string) =>
    ranges.some(({ start, end }) => (start === null || day >= start) && day <= end);
  const reported = [...bySymbol.values()]
    .flat()
    .filter(({ ex_date }) => isIn(ex_date))
    .map(({ basis_date: _, ...action }) => action);
  return [...reported, ...scaled];
}

/** Splits and dividends with an ex date in the ranges; those of a symbol in the order of their ex dates. */
export const storedActions = (
  lake: Lake,
  symbols: readonly string[],
  ranges: readonly DateRange[],
  asOf: Temporal.Instant | null,
): Promise<StoredAction[]> =>
  asOf === null
    ? actionsNow(lake, symbols, ranges)
    : scaledActions(lake, symbols, ranges, `scaled_actions(TIMESTAMPTZ ${literal(asOf.toString())})`);
