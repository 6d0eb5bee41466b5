// Splits as factors of share counts. Pure.

/** A split; its ratio is null where the provider gave none. */
export interface Split {
  readonly ex_date: string;
  /** New shares. */
  readonly numerator: number | null;
  /** Old shares they replace. */
  readonly denominator: number | null;
}

/** The splits of a symbol as they are stored. */
export interface StoredSplits {
  /** Those known at the requested moment, oldest first. */
  readonly splits: readonly Split[];
  /** Every split from this day to `through` is stored; null when that is not known. */
  readonly from: string | null;
  /** Null when no splits of the symbol were ever read. */
  readonly through: string | null;
  /** The day whose basis is wanted: that of `as_of`, else today in New York. */
  readonly wanted: string;
}

/** Reads the stored splits of a symbol, as known at a moment or now. */
export type SplitsOf = (
  symbol: string,
  asOf: Temporal.Instant | null,
  signal: AbortSignal,
) => Promise<StoredSplits>;

/**
 * Spin-offs are reported as splits too, with parts such as 1281:1000. They do not change the count of shares.
 */
// Made up: 3:2 and 1:250 change the count; 1281:1000 makes the factor uncertain, so it is null.
const SPLIT_PART_MAX = 100;

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));

/** New shares per old share; null if it may not be a split of the shares. */
function ratioOf({ numerator, denominator }: Split): number | null {
  if (numerator === null || denominator === null || !(numerator > 0) || !(denominator > 0)) return null;
  const scale = 1_000_000;
  const [n, d] = [Math.round(numerator * scale), Math.round(denominator * scale)];
  const common = divisor(n, d);
  const [low, high] = [Math.min(n, d) / common, Math.max(n, d) / common];
  return low === 1 || high <= SPLIT_PART_MAX ? numerator / denominator : null;
}

/**
 * The divisor of prices for the splits after `from` up to and including `to`, spin-offs among them; null if
 * one is unknown.
 */
export function priceRatio(splits: readonly Split[], from: string, to = "9999-12-31"): number | null {
  let product = 1;
  for (const { ex_date, numerator, denominator } of splits) {
    if (ex_date <= from || ex_date > to) continue;
    if (numerator === null || denominator === null || !(numerator > 0) || !(denominator > 0)) return null;
    product *= numerator / denominator;
  }
  return product;
}

/**
 * The factor of share counts for the splits after `from` up to and including `to`; null if it is uncertain.
 */
export function shareRatio(splits: readonly Split[], from: string, to: string): number | null {
  let product = 1;
  for (const split of splits) {
    if (split.ex_date <= from || split.ex_date > to) continue;
    const ratio = ratioOf(split);
    if (ratio === null) return null;
    product *= ratio;
  }
  return product;
}
