// Judges the figures of one filing and period by the sums of their statement: amounts with the wrong sign, and total
// assets far from the balance sheet's other amounts.
import type { Chosen, Column } from "./facts-column.ts";
import type { FactFlag, StatementLine } from "./facts-records.ts";

/** A sum of rounded figures may differ from its total by this many rounding units. */
const SUM_SLACK_UNITS = 2;
/** No part of the balance sheet is this many times the whole; total assets are then of another scale. */
const PART_FACTOR = 300;
/** A part this many times smaller than the whole says nothing about its scale. */
const SMALL_PART = 1 / 300;

type Of = (line: StatementLine) => Chosen | undefined;

/** Amounts that cannot exceed total assets. */
const PARTS: readonly StatementLine[] = [
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
function reversed(of: Of): Chosen[] {
  const found: Chosen[] = [];
  const [revenue, gross, cost] = [
    amountOf(of("revenue")),
    amountOf(of("gross_profit")),
    of("cost_of_revenue"),
  ];
  if (cost && revenue !== null && gross !== null && holdsReversed(cost, gross, revenue, -1)) found.push(cost);
  const [before, tax] = [amountOf(of("income_before_tax")), of("income_tax_expense")];
  const income = amountOf(of("net_income_with_noncontrolling") ?? of("net_income"));
  if (tax && before !== null && income !== null && holdsReversed(tax, income, before, -1)) found.push(tax);
  const change = of("net_change_in_cash");
  const flows = (["operating_cash_flow", "investing_cash_flow", "financing_cash_flow"] as const).map((line) =>
    amountOf(of(line)),
  );
  if (!change || flows.includes(null)) return found;
  const sum = flows.reduce((total: number, flow) => total + (flow ?? 0), 0);
  const rates = amountOf(of("exchange_rate_effect")) ?? 0;
  const isReversed = [sum, sum + rates].some((total) => holdsReversed(change, total, 0, 1));
  const isRight = [sum, sum + rates].some(
    (total) => Math.abs(total - change.value) <= SUM_SLACK_UNITS * change.filing.rounding,
  );
  if (isReversed && !isRight) found.push(change);
  return found;
}

/** Total assets, and the other side of the balance sheet that repeats them, when more of the parts are far larger. */
function assetsOffScale(of: Of): Chosen[] {
  const assets = of("total_assets");
  if (!assets || assets.value <= 0) return [];
  const parts = PARTS.flatMap((line) => of(line) ?? []).filter(({ value }) => value > 0);
  const larger = parts.filter(({ value }) => value > PART_FACTOR * assets.value);
  const fitting = parts.filter(
    ({ value }) => value <= assets.value * 1.5 && value >= SMALL_PART * assets.value,
  );
  const other = of("liabilities_and_equity");
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
  for (const { period, of } of columns)
    if (period.startDay !== null) for (const figure of reversed(of)) doubts.set(figure, "suspect_sign");
    else for (const figure of assetsOffScale(of)) doubts.set(figure, "suspect_scale");
  return doubts;
}
