// The attention features of a day: how its page views stand against the days before. Pure.
import { addDays } from "../../market/date.ts";

/** Views by day of UTC; a day that is missing is unknown, 0 is none. */
export type ViewsByDay = ReadonlyMap<string, number>;

export interface AttentionFeatures {
  readonly views: number | null;
  readonly baseline_mean_10d: number | null;
  readonly spike_10d: number | null;
  readonly baseline_mean_20d: number | null;
  readonly baseline_std_20d: number | null;
  readonly zscore_20d: number | null;
  /** Known days among the 20 before. */
  readonly days_available: number;
  readonly status: "complete" | "partial" | "null";
}

const SPIKE_DAYS = 10;
const SPIKE_KNOWN_MIN = 5;
const SCORE_DAYS = 20;
const SCORE_KNOWN_MIN = 10;

const mean = (values: readonly number[]): number => values.reduce((sum, v) => sum + v, 0) / values.length;

/** Of a sample: divided by one less than the values. */
function deviation(values: readonly number[], about: number): number {
  return Math.sqrt(values.reduce((sum, v) => sum + (v - about) ** 2, 0) / (values.length - 1));
}

/** Known views of the `days` days before `date`. */
const before = (views: ViewsByDay, date: string, days: number): number[] =>
  Array.from({ length: days }, (_, i) => views.get(addDays(date, -1 - i))).filter((v) => v !== undefined);

/** Nothing after `date` is looked at. A quotient by zero and one of too few known days are null. */
export function featuresOf(views: ViewsByDay, date: string): AttentionFeatures {
  const own = views.get(date) ?? null;
  const ten = before(views, date, SPIKE_DAYS);
  const twenty = before(views, date, SCORE_DAYS);
  const mean10 = ten.length < SPIKE_KNOWN_MIN ? null : mean(ten);
  const mean20 = twenty.length < SCORE_KNOWN_MIN ? null : mean(twenty);
  const std20 = mean20 === null ? null : deviation(twenty, mean20);
  return {
    views: own,
    baseline_mean_10d: mean10,
    spike_10d: own === null || mean10 === null || mean10 === 0 ? null : own / mean10,
    baseline_mean_20d: mean20,
    baseline_std_20d: std20,
    zscore_20d:
      own === null || mean20 === null || std20 === null || std20 === 0 ? null : (own - mean20) / std20,
    days_available: twenty.length,
    status: own === null ? "null" : twenty.length === SCORE_DAYS ? "complete" : "partial",
  };
}
