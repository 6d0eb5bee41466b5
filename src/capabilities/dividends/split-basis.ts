// The factor that brings the amount of a dividend to the share basis of a day, by the splits in between.
// Pure.
import { newYorkDate } from "../../market/calendar.ts";
import { earlierDay } from "../../market/date.ts";

/** A split with the factor for amounts before it: old shares per new share, null when unknown. */
export interface SplitFactor {
  readonly ex_date: string;
  readonly price_factor: number | null;
}

export interface AmountBasis {
  readonly ex_dividend_date: string;
  /** Null for an amount as paid, which is on the basis of its ex date. */
  readonly basis_date: string | null;
  readonly recorded_at: string;
  /** The row was fetched after the moment of the answer. */
  readonly backfilled: boolean;
}

/** The day whose share basis the amount has. */
function basisOf(row: AmountBasis, day: string): string {
  if (row.basis_date !== null) return row.basis_date;
  // A provider states a coming payment on the basis of the day of its fetch.
  const fetched = newYorkDate(Temporal.Instant.from(row.recorded_at));
  return earlierDay(row.ex_dividend_date, row.backfilled ? fetched : day);
}

function productOf(splits: readonly SplitFactor[], after: string, through: string): number | null {
  let product: number | null = 1;
  for (const { ex_date, price_factor } of splits)
    if (ex_date > after && ex_date <= through)
      product = product === null || price_factor === null ? null : product * price_factor;
  return product;
}

/**
 * The factor from the basis of a row to that of `day`: 1 without splits in between, null when one of them has
 * no known ratio. An amount on a later basis than `day` needs every split up to that basis, so it is null
 * when splits are known only up to an earlier day.
 */
// Made up: 0.1925 on the basis after a 4:1 split of 5 August is 0.77 on 3 August; splits known to 4 August:
// null.
export function splitFactor(
  row: AmountBasis,
  splits: readonly SplitFactor[],
  day: string,
  splitsThrough: string | null,
): number | null {
  const basis = basisOf(row, day);
  if (basis <= day) return productOf(splits, basis, day);
  if (splitsThrough === null || splitsThrough < basis) return null;
  const product = productOf(splits, day, basis);
  return product === null ? null : 1 / product;
}
