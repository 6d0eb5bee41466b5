// Surprises and their summary: beats, misses and the streak. Pure.

export type Result = "beat" | "miss" | "meet";

export interface Judged {
  readonly surprise: number | null;
  /** Percent of the absolute estimate; null when the estimate is 0. */
  readonly surprise_percent: number | null;
  readonly result: Result | null;
}

/** Rounds away the error of binary fractions. */
const clean = (value: number) => Number(value.toPrecision(12)) || 0;

export function judged(actual: number | null, estimate: number | null): Judged {
  if (actual === null || estimate === null) return { surprise: null, surprise_percent: null, result: null };
  const surprise = Math.round((actual - estimate) * 1e6) / 1e6 || 0;
  return {
    surprise,
    surprise_percent: estimate === 0 ? null : clean((surprise / Math.abs(estimate)) * 100),
    result: surprise > 0 ? "beat" : surprise < 0 ? "miss" : "meet",
  };
}

/** Consecutive quarters end three months apart, or four when the first quarter is longer. */
// A quarter that ends in July follows one that ended in March; one that ends in August does not.
const FOLLOWS_MONTHS = 4;

const monthsOf = (date: string) => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7));

export interface Streak {
  readonly type: "beat" | "miss" | "none";
  readonly length: number;
}

/**
 * Counts how many of the newest quarters in a row beat, or missed, their estimate. `rows` come newest first.
 * A quarter that met its estimate, an unknown result and a missing quarter end the streak.
 */
export function streakOf(
  rows: readonly { readonly fiscal_quarter_end: string; readonly result: Result | null }[],
): Streak {
  const type = rows[0]?.result;
  if (type !== "beat" && type !== "miss") return { type: "none", length: 0 };
  let length = 0;
  for (const [i, row] of rows.entries()) {
    const later = rows[i - 1];
    const follows =
      !later || monthsOf(later.fiscal_quarter_end) - monthsOf(row.fiscal_quarter_end) <= FOLLOWS_MONTHS;
    if (row.result !== type || !follows) break;
    length += 1;
  }
  return { type, length };
}

/** Share of beats among the quarters with a known result; null without any. */
export function beatRate(rows: readonly { readonly result: Result | null }[]): number | null {
  const known = rows.filter((row) => row.result !== null);
  return known.length === 0
    ? null
    : clean(known.filter((row) => row.result === "beat").length / known.length);
}

/** Mean of the known surprises, percent; null without any. */
export function averagePercent(rows: readonly { readonly surprise_percent: number | null }[]): number | null {
  const known = rows.flatMap((row) => row.surprise_percent ?? []);
  return known.length === 0 ? null : clean(known.reduce((sum, value) => sum + value, 0) / known.length);
}
