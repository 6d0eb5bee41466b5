// Judges the figures of one filing and period by the sums of their statement: a change in cash with the wrong
// sign, and total assets far from the balance sheet's other amounts.
import { type Chosen, type Column, SUM_SLACK_UNITS } from "./column.ts";
import type { ComparedLine } from "./line.ts";
import type { FactFlag } from "./records.ts";

/** No part of the balance sheet is this many times the whole; total assets are then of another scale. */
const PART_FACTOR = 300;
/** A part this many times smaller than the whole says nothing about its scale. */
const SMALL_PART = 1 / 300;

/** Amounts that cannot exceed total assets. */
const PARTS: readonly ComparedLine[] = [
  "current_assets",
  "cash_and_equivalents",
  "accounts_receivable",
  "inventory",
  "property_plant_equipment",
  "goodwill",
  "loans",
  "total_equity",
];

const NONE: readonly Chosen[] = [];

/** Adds the change in cash, where the flows add up only with the opposite sign. */
function addReversed({ figures }: Column, doubts: Map<Chosen, FactFlag>): void {
  const { net_change_in_cash: change } = figures;
  if (change && isChangeReversed(change, figures)) doubts.set(change, "suspect_sign");
}

/**
 * True when operating, investing and financing cash flow sum to the change in cash only with the opposite
 * sign.
 */
function isChangeReversed(change: Chosen, figures: Column["figures"]): boolean {
  const { operating_cash_flow, investing_cash_flow, financing_cash_flow } = figures;
  if (!operating_cash_flow || !investing_cash_flow || !financing_cash_flow) return false;
  const sum = operating_cash_flow.value + investing_cash_flow.value + financing_cash_flow.value;
  const all = sum + (figures.exchange_rate_effect?.value ?? 0);
  const slack = SUM_SLACK_UNITS * change.filing.rounding;
  if (Math.abs(sum - change.value) <= slack || Math.abs(all - change.value) <= slack) return false;
  return change.value !== 0 && [sum, all].some((flows) => Math.abs(flows + change.value) <= slack);
}

/**
 * True when total assets are of the scale of the other side of the balance sheet, and no part is far larger.
 */
function isOnScale(assets: Chosen, figures: Column["figures"]): boolean {
  const other = figures.liabilities_and_equity?.value ?? 0;
  const ratio = other > 0 ? other / assets.value : 1;
  if (ratio > PART_FACTOR || ratio < SMALL_PART) return false;
  for (const line of PARTS) if ((figures[line]?.value ?? 0) > PART_FACTOR * assets.value) return false;
  return true;
}

/**
 * Total assets, and the other side of the balance sheet that repeats them, when more of the parts are far
 * larger.
 */
function assetsOffScale({ figures }: Column): readonly Chosen[] {
  const { total_assets: assets, liabilities_and_equity: other } = figures;
  if (!assets || assets.value <= 0 || isOnScale(assets, figures)) return NONE;
  const parts = PARTS.flatMap((line) => figures[line] ?? []).filter(({ value }) => value > 0);
  const larger = parts.filter(({ value }) => value > PART_FACTOR * assets.value);
  const fitting = parts.filter(
    ({ value }) => value <= assets.value * 1.5 && value >= SMALL_PART * assets.value,
  );
  const ratio = other && other.value > 0 ? other.value / assets.value : 1;
  if (ratio > PART_FACTOR || ratio < SMALL_PART) (ratio > 1 ? larger : fitting).push(other ?? assets);
  else if (other) fitting.push(other);
  if (ratio < SMALL_PART && fitting.length <= 1) return [assets, ...(other ? [other] : [])];
  if (larger.length === 0) return ratio < SMALL_PART && other ? [other] : [];
  if (fitting.length > larger.length) return larger;
  return other && ratio <= PART_FACTOR ? [assets, other] : [assets];
}

/** The figures of one filing that the sums of their statement contradict, each with its doubt. */
export function judgeSums(columns: readonly Column[]): ReadonlyMap<Chosen, FactFlag> {
  const doubts = new Map<Chosen, FactFlag>();
  for (const column of columns)
    if (column.period.startDay !== null) addReversed(column, doubts);
    else for (const figure of assetsOffScale(column)) doubts.set(figure, "suspect_scale");
  return doubts;
}
