// Judges the figures of one filing and period by the sums of their statement: amounts with the wrong sign, and total
// assets far from the balance sheet's other amounts.
import type { Chosen, Column } from "./facts-column.ts";
import type { ComparedLine } from "./facts-line.ts";
import type { FactFlag } from "./facts-records.ts";

/** A sum of rounded figures may differ from its total by this many rounding units. */
const SUM_SLACK_UNITS = 2;
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

const amountOf = (figure: Chosen | undefined): number | null => figure?.value ?? null;

/** True when the sum fails with the figure's own sign and holds with the other one. */
function holdsReversed(figure: Chosen, total: number, rest: number, sign: 1 | -1): boolean {
  const slack = SUM_SLACK_UNITS * figure.filing.rounding;
  const isOff = (value: number) => Math.abs(rest + sign * value - total) > slack;
  return figure.value !== 0 && isOff(figure.value) && !isOff(-figure.value);
}

/** Cost of revenue, tax and the change in cash whose statement adds up only with the opposite sign. */
function reversed({ figures }: Column): Chosen[] {
  const found: Chosen[] = [];
  const [revenue, gross, cost] = [
    amountOf(figures.revenue),
    amountOf(figures.gross_profit),
    figures.cost_of_revenue,
  ];
  if (cost && revenue !== null && gross !== null && holdsReversed(cost, gross, revenue, -1)) found.push(cost);
  const [before, tax] = [amountOf(figures.income_before_tax), figures.income_tax_expense];
  const income = amountOf(figures.net_income_with_noncontrolling ?? figures.net_income);
  if (tax && before !== null && income !== null && holdsReversed(tax, income, before, -1)) found.push(tax);
  const {
    operating_cash_flow,
    investing_cash_flow,
    financing_cash_flow,
    net_change_in_cash: change,
  } = figures;
  if (!change || !operating_cash_flow || !investing_cash_flow || !financing_cash_flow) return found;
  const sum = operating_cash_flow.value + investing_cash_flow.value + financing_cash_flow.value;
  const rates = amountOf(figures.exchange_rate_effect) ?? 0;
  const isReversed = [sum, sum + rates].some((total) => holdsReversed(change, total, 0, 1));
  const isRight = [sum, sum + rates].some(
    (total) => Math.abs(total - change.value) <= SUM_SLACK_UNITS * change.filing.rounding,
  );
  if (isReversed && !isRight) found.push(change);
  return found;
}

/** Total assets, and the other side of the balance sheet that repeats them, when more of the parts are far larger. */
function assetsOffScale({ figures }: Column): Chosen[] {
  const { total_assets: assets, liabilities_and_equity: other } = figures;
  if (!assets || assets.value <= 0) return [];
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
    if (column.period.startDay !== null)
      for (const figure of reversed(column)) doubts.set(figure, "suspect_sign");
    else for (const figure of assetsOffScale(column)) doubts.set(figure, "suspect_scale");
  return doubts;
}
