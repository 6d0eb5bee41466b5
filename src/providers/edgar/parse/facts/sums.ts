// Judges total assets that are far from the balance sheet's other amounts.
import { type Chosen, type Column, SUM_SLACK_UNITS } from "./column.ts";
import type { ComparedLine } from "./line.ts";

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

/** Whether liabilities and equity add up to their total. */
function isProven(total: Chosen, { total_liabilities, temporary_equity, total_equity }: Column["figures"]) {
  if (!total_liabilities || !total_equity) return false;
  const sum = total_liabilities.value + (temporary_equity?.value ?? 0) + total_equity.value;
  return Math.abs(sum - total.value) <= SUM_SLACK_UNITS * total.filing.rounding;
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
  const isApart = ratio > PART_FACTOR || ratio < SMALL_PART;
  if (other && isApart && isProven(other, figures)) return [assets];
  if (isApart) (ratio > 1 ? larger : fitting).push(other ?? assets);
  else if (other) fitting.push(other);
  if (ratio < SMALL_PART && fitting.length <= 1) return [assets, ...(other ? [other] : [])];
  if (larger.length === 0) return ratio < SMALL_PART && other ? [other] : [];
  if (fitting.length > larger.length) return larger;
  return other && ratio <= PART_FACTOR ? [assets, other] : [assets];
}

/** The figures of one filing that the other amounts of their balance sheet contradict. */
export const judgeSums = (columns: readonly Column[]): ReadonlySet<Chosen> =>
  new Set(columns.flatMap((column) => (column.period.startDay === null ? assetsOffScale(column) : NONE)));
