// The one answer to how many shares a company had at a moment: which report's count, of which day, on which
// basis of splits, and the doubt where nothing shows it. Pure.
import { addDays } from "./date.ts";
import { type Split, shareRatio } from "./share-split.ts";

/** A reported count of shares. */
export interface CountFact {
  readonly value: number;
  /** The day of the count. */
  readonly period_end: string;
  /** The report includes every split up to this day. */
  readonly split_basis: string;
  readonly accession_number: string;
  readonly filed_date: string;
  /** When it became public, RFC 3339 UTC; null if unknown. */
  readonly known_at: string | null;
  /** Of a report's cover: counted before the report was made, and mostly not restated for a split since. */
  readonly is_cover: boolean;
  /** The weighted count of the same report's newest period, on the report's basis; null without one. */
  readonly weighted: number | null;
}

/** The day up to which a count includes every split, or the split of which that is not known. */
export type CountBasis = { readonly basis: string } | { readonly doubt: string };

/** A count on the wanted basis and the report it is of, or why there is none. */
export type Counted =
  | { readonly fact: CountFact; readonly shares: number }
  | { readonly fact: null; readonly why: "no_count" | "splits_unknown" | "shares_in_doubt" };

/** No company with a listed share has so few: its count is a placeholder. */
// 1 beside assets of 900 million; the 100 shares of a subsidiary are right, and have no price.
export const PLACEHOLDER_MAX = 1000;

/** Two counts may differ by less than this where they are on one basis. */
// Made up: 110 beside 100 are one basis, 125 are not.
const RESTATED_MAX = Math.log(1.2);

/** Whether a count is `ratio` times an earlier one, rather than equal to it. */
export function agree(earlier: number, later: number, ratio: number): boolean {
  const seen = Math.log(later / earlier);
  const off = Math.abs(seen - Math.log(ratio));
  return off <= RESTATED_MAX && (ratio === 1 || off < Math.abs(seen));
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

/**
 * The basis of a count. A cover's count may be from before a split that the report was filed after, any count
 * from before one of the day of filing. It is where the report's weighted count is apart from it by the
 * split, or where it repeats an earlier report's count; not where it is apart from that one by the split.
 */
// Made up: 400 on a cover, then 1:30, then filed: with 395 reported before, 400 are old shares; with 12,000,
// they are new ones; with neither, the split of that day is in doubt.
export function basisOf(
  { split_basis, is_cover, period_end, value, weighted }: CountFact,
  splits: readonly Split[],
  reported: readonly CountFact[],
): CountBasis {
  const since = is_cover && period_end < split_basis ? period_end : split_basis;
  const first = splits.find(({ ex_date }) => ex_date >= since && ex_date <= split_basis)?.ex_date;
  if (first === undefined) return { basis: split_basis };
  const before = addDays(first, -1);
  const ratio = shareRatio(splits, before, split_basis);
  if (ratio === null) return { doubt: first };
  const earlier = newest(reported.filter((fact) => fact.split_basis < first));
  const then = earlier && shareRatio(splits, earlier.split_basis, before);
  const repeated = earlier && then ? earlier.value * then : null;
  const isOld =
    (weighted !== null && agree(value, weighted, ratio)) || (repeated !== null && agree(repeated, value, 1));
  const isNew = repeated !== null && agree(repeated, value, ratio);
  return isOld === isNew ? { doubt: first } : { basis: isOld ? before : split_basis };
}

/**
 * The price provider's count may follow a split by weeks. Within this many days after a split its basis is
 * uncertain.
 */
// Made up: a count fetched on 10 August is not used after a split of 1 June; after one of 1 May it is.
const PROVIDER_LAG_DAYS = 90;

/** The split that a price provider's count of a day may be without; undefined where there is none. */
export const unsureSplit = (splits: readonly Pick<Split, "ex_date">[], date: string): string | undefined =>
  splits.find(({ ex_date }) => ex_date > addDays(date, -PROVIDER_LAG_DAYS))?.ex_date;

/** The newest of these counts on the basis of a day; the splits are known up to `through`. */
export function countOn(
  facts: readonly CountFact[],
  splits: readonly Split[],
  { day, through }: { readonly day: string | null; readonly through: string | null },
): Counted {
  const fact = newest(facts);
  if (fact === null) return { fact, why: "no_count" };
  const found = basisOf(fact, splits, facts);
  if ("doubt" in found) return { fact: null, why: "shares_in_doubt" };
  const isCovered = day !== null && through !== null && through >= day && through >= found.basis;
  const ratio = isCovered ? shareRatio(splits, found.basis, day) : null;
  if (ratio === null) return { fact: null, why: "splits_unknown" };
  return { fact, shares: Math.round(fact.value * ratio) };
}
