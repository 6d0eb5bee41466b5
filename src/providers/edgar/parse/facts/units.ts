// Settles the currency in which each filing reports, and the unit to which it rounds its money.
import type { Cell, Filing, Tag } from "./column.ts";
import { Amounts } from "./vintage.ts";

/** The cells of a file for one tag and unit. */
export interface Series {
  readonly tag: Tag;
  readonly unit: string;
  /** The currency of money, and of money per share; null for counts of shares. */
  readonly currency: string | null;
  readonly cells: Cell[];
}

/** One total of assets outweighs every other figure in another currency. */
const ASSETS: ReadonlySet<string> = new Set(["Assets", "ifrs-full:Assets"]);
const ASSETS_WEIGHT = 100_000;

/** The weight of each currency by filing. */
function weightsOf(all: readonly Series[]): ReadonlyMap<string, readonly (number | undefined)[]> {
  const weights = new Map<string, (number | undefined)[]>();
  for (const { tag, currency, cells } of all) {
    if (currency === null) continue;
    const weight = ASSETS.has(tag.id) ? ASSETS_WEIGHT : 1;
    const byFiling = weights.getOrInsertComputed(currency, () => []);
    for (const { column } of cells)
      byFiling[column.filing.index] = (byFiling[column.filing.index] ?? 0) + weight;
  }
  return weights;
}

/**
 * Sets each filing's currency: the one in which most of its total assets, else most of its figures are
 * stated. A translation for the reader's convenience has fewer. Returns the accession numbers of filings that
 * remain undecided.
 */
export function settleCurrencies(all: readonly Series[], filings: Iterable<Filing>): string[] {
  const weights = [...weightsOf(all)];
  const undecided: string[] = [];
  for (const filing of filings) {
    const [first, second] = weights
      .map(([currency, byFiling]) => ({ currency, weight: byFiling[filing.index] ?? 0 }))
      .sort((a, b) => b.weight - a.weight);
    if (!first || first.weight === 0) continue;
    if (first.weight !== second?.weight) filing.currency = first.currency;
    else undecided.push(filing.accession);
  }
  return undecided;
}

/** Sets the unit to which each filing rounds its amounts of money. */
export function settleRounding(all: readonly Series[], filings: readonly Filing[]): void {
  const amounts: Amounts[] = [];
  for (const filing of filings) amounts[filing.index] = new Amounts();
  for (const { unit, currency, cells } of all)
    if (unit === currency)
      for (const { column, value } of cells)
        if (column.filing.currency === unit && !Number.isNaN(value)) amounts[column.filing.index]?.add(value);
  for (const filing of filings) filing.rounding = amounts[filing.index]?.rounding ?? 1;
}
