// The market value of a listing at the end of a month, from its close, splits and share counts. Pure.
import { addDays } from "../../market/date.ts";
import { type Split, shareRatio } from "../../market/share-split.ts";

/** A reported count of shares. */
export interface CountFact {
  readonly value: number;
  /** The day of the count. */
  readonly period_end: string;
  /** The count includes every split up to this day. */
  readonly split_basis: string;
  readonly accession_number: string;
  readonly filed_date: string;
  /** When it became public, RFC 3339 UTC; null if unknown. */
  readonly known_at: string | null;
}

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
/**
 * The price provider's count may follow a split by weeks. Within this many days after a split its basis is
 * uncertain.
 */
// Made up: a count fetched on 10 August is not used after a split of 1 June; after one of 1 May it is.
const PROVIDER_LAG_DAYS = 90;
/** The divisor of prices for the splits after `from` up to `to`; null if one is unknown. */
function priceRatio(splits: readonly Split[], from: string, to: string): number | null {
  let product = 1;
  for (const { ex_date, numerator, denominator } of splits) {
    if (ex_date <= from || ex_date > to) continue;
    if (numerator === null || denominator === null || !(numerator > 0) || !(denominator > 0)) return null;
    product *= numerator / denominator;
  }
  return product;
}

/** The newest count: of the latest day, then of the latest report. */
function newest(facts: readonly CountFact[]): CountFact | null {
  let best: CountFact | null = null;
  for (const fact of facts) {
    const order = best
      ? fact.period_end.localeCompare(best.period_end) || fact.filed_date.localeCompare(best.filed_date)
      : 1;
    if (order > 0) best = fact;
  }
  return best;
}

/** Removes the noise of the division that adjusted a price. */
const roundPrice = (price: number) => Number(price.toPrecision(10));

interface Latest {
  readonly shares: number | null;
  readonly source: MarketValue["shares_source"];
  readonly as_of: string | null;
  readonly accession: string | null;
  readonly missing: string | null;
}

const none = (missing: string): Latest => ({
  shares: null,
  source: null,
  as_of: null,
  accession: null,
  missing,
});

/** The latest count, on the basis of the close. */
function latestCount({ counting, facts, provider, splits, basis_date }: ValueInput): Latest {
  if (counting === "none") return none("no_shares");
  const fact = counting === "reports" ? newest(facts) : null;
  if (fact) {
    const isCovered = basis_date !== null && fact.split_basis <= basis_date;
    const ratio = isCovered ? shareRatio(splits, fact.split_basis, basis_date) : null;
    if (ratio === null) return none("splits_unknown");
    return {
      shares: Math.round(fact.value * ratio),
      source: "regulator",
      as_of: fact.period_end,
      accession: fact.accession_number,
      missing: null,
    };
  }
  if (!provider) return none("no_shares");
  const from = addDays(provider.date, -PROVIDER_LAG_DAYS);
  const isSettled = basis_date !== null && !splits.some(({ ex_date }) => ex_date > from);
  if (!isSettled) return none("splits_unknown");
  return {
    shares: Math.round(provider.shares),
    source: "price_provider",
    as_of: provider.date,
    accession: null,
    missing: null,
  };
}

/** The count of the newest report that was public by the end of the day. */
function countThen(input: ValueInput): {
  fact: CountFact | null;
  shares: number | null;
  missing: string | null;
} {
  const { counting, uncounted, facts, splits, snapshot_date, day_end, basis_date } = input;
  const absent = (missing: string) => ({ fact: null, shares: null, missing });
  if (counting === "none") return absent("no_shares_pit");
  if (uncounted) return absent(uncounted);
  const endMs = Temporal.Instant.from(day_end).epochMilliseconds;
  const known = facts.filter(
    ({ known_at, period_end }) =>
      known_at !== null &&
      Temporal.Instant.from(known_at).epochMilliseconds <= endMs &&
      period_end <= snapshot_date,
  );
  const fact = newest(known);
  if (!fact) return absent("no_shares_pit");
  if (fact.period_end < addDays(snapshot_date, -COUNT_AGE_DAYS_MAX)) return absent("old_shares_pit");
  const isCovered = basis_date !== null && basis_date >= snapshot_date;
  const ratio = isCovered ? shareRatio(splits, fact.split_basis, snapshot_date) : null;
  if (ratio === null) return absent("splits_unknown");
  return { fact, shares: Math.round(fact.value * ratio), missing: null };
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
    shares_source: shares === null ? null : latest.source,
    shares_as_of: shares === null ? null : latest.as_of,
    shares_accession: shares === null ? null : latest.accession,
    market_cap: positive(times(shares, close)),
    shares_outstanding_pit: sharesThen,
    shares_pit_as_of: sharesThen === null ? null : (then.fact?.period_end ?? null),
    shares_pit_known_at: sharesThen === null ? null : (then.fact?.known_at ?? null),
    shares_pit_accession: sharesThen === null ? null : (then.fact?.accession_number ?? null),
    market_cap_pit: positive(times(sharesThen, unadjusted)),
    missing: missing.size === 0 ? null : [...missing].join(","),
  };
}
