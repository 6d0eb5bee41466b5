// The market value of a listing at the end of a month, from its close, splits and share counts. Pure.
import { addDays } from "../../market/date.ts";
import { type CountFact, countOn, unsureSplit } from "../../market/share-count.ts";
import { priceRatio, type Split } from "../../market/share-split.ts";

/** The price provider's count of one class, and the day it was read. */
export interface ProviderCount {
  readonly shares: number;
  readonly date: string;
}

export interface ValueInput {
  readonly snapshot_date: string;
  /** Last instant of that day in New York, RFC 3339 UTC. */
  readonly day_end: string;
  /** Close of that day, split-adjusted to `basis_date`. */
  readonly close: number | null;
  /** Splits are known up to this day. */
  readonly basis_date: string | null;
  readonly splits: readonly Split[];
  /** Source of the share count: the filer's reports, the price provider, or none. */
  readonly counting: "reports" | "provider" | "none";
  /** Why the filer's reports cannot be used. */
  readonly uncounted: "several_classes" | "depositary_shares" | null;
  readonly facts: readonly CountFact[];
  readonly provider: ProviderCount | null;
}

export interface MarketValue {
  readonly close_price: number | null;
  readonly close_price_unadjusted: number | null;
  readonly shares_outstanding: number | null;
  readonly shares_source: "regulator" | "price_provider" | null;
  readonly shares_as_of: string | null;
  readonly shares_accession: string | null;
  readonly market_cap: number | null;
  readonly shares_outstanding_pit: number | null;
  readonly shares_pit_as_of: string | null;
  readonly shares_pit_known_at: string | null;
  readonly shares_pit_accession: string | null;
  readonly market_cap_pit: number | null;
  readonly missing: string | null;
}

/** A yearly report is replaced within some sixteen months. An older count is out of date. */
// A count of 31 December 2023 is used in June 2025 and no longer in August 2025.
const COUNT_AGE_DAYS_MAX = 550;
/** Removes the noise of the division that adjusted a price. */
const roundPrice = (price: number) => Number(price.toPrecision(10));

/** A count as the row has it, or why it has none. */
interface RowCount {
  readonly shares: number | null;
  readonly fact: CountFact | null;
  readonly missing: string | null;
}

const none = (missing: string): RowCount => ({ shares: null, fact: null, missing });

/** The newest of some reported counts, on the basis of a day. */
function reported(
  facts: readonly CountFact[],
  { splits, basis_date }: ValueInput,
  day: string | null,
  noCount: string,
): RowCount {
  const found = countOn(facts, splits, { day, through: basis_date });
  if (found.fact === null) return none(found.why === "no_count" ? noCount : found.why);
  return { ...found, missing: null };
}

/** The latest count, on the basis of the close: that of reports, else the price provider's. */
function latestCount(input: ValueInput): RowCount {
  const { counting, facts, provider, splits, basis_date } = input;
  if (counting === "reports" && facts.length > 0) return reported(facts, input, basis_date, "no_shares");
  if (counting === "none" || !provider) return none("no_shares");
  if (basis_date === null || unsureSplit(splits, provider.date)) return none("splits_unknown");
  return { shares: Math.round(provider.shares), fact: null, missing: null };
}

/** The count of the newest report that was public by the end of the day. */
function countThen(input: ValueInput): RowCount {
  const { counting, uncounted, facts, snapshot_date, day_end } = input;
  if (counting === "none") return none("no_shares_pit");
  if (uncounted) return none(uncounted);
  const endMs = Temporal.Instant.from(day_end).epochMilliseconds;
  const known = facts.filter(
    ({ known_at, period_end }) =>
      known_at !== null &&
      Temporal.Instant.from(known_at).epochMilliseconds <= endMs &&
      period_end <= snapshot_date,
  );
  const oldest = addDays(snapshot_date, -COUNT_AGE_DAYS_MAX);
  if (known.length > 0 && known.every(({ period_end }) => period_end < oldest)) return none("old_shares_pit");
  return reported(known, input, snapshot_date, "no_shares_pit");
}

/** The product, rounded to the cent. */
const times = (a: number | null, b: number | null) =>
  a === null || b === null ? null : Math.round(a * b * 100) / 100;
const positive = (value: number | null) => (value !== null && value > 0 ? value : null);

export function marketValue(input: ValueInput): MarketValue {
  const { close, splits, snapshot_date, basis_date } = input;
  const latest = latestCount(input);
  const then = countThen(input);
  const ratio =
    basis_date !== null && basis_date >= snapshot_date ? priceRatio(splits, snapshot_date, basis_date) : null;
  const unadjusted = ratio === null || close === null ? null : roundPrice(close * ratio);
  const shares = positive(latest.shares);
  const sharesThen = positive(then.shares);
  const missing = new Set([close === null ? "no_close" : null, latest.missing, then.missing]);
  if (close !== null && unadjusted === null) missing.add("splits_unknown");
  missing.delete(null);
  return {
    close_price: close,
    close_price_unadjusted: unadjusted,
    shares_outstanding: shares,
    shares_source: shares === null ? null : latest.fact ? "regulator" : "price_provider",
    shares_as_of: shares === null ? null : (latest.fact?.period_end ?? input.provider?.date ?? null),
    shares_accession: shares === null ? null : (latest.fact?.accession_number ?? null),
    market_cap: positive(times(shares, close)),
    shares_outstanding_pit: sharesThen,
    shares_pit_as_of: sharesThen === null ? null : (then.fact?.period_end ?? null),
    shares_pit_known_at: sharesThen === null ? null : (then.fact?.known_at ?? null),
    shares_pit_accession: sharesThen === null ? null : (then.fact?.accession_number ?? null),
    market_cap_pit: positive(times(sharesThen, unadjusted)),
    missing: missing.size === 0 ? null : [...missing].join(","),
  };
}
