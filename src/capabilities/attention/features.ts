// The attention features of a day: its page views compared with the days before. Pure.
import { addDays } from "../../market/date.ts";

/** Views by UTC day. A missing day is unknown; 0 means no views. */
export type ViewsByDay = ReadonlyMap<string, number>;

export interface AttentionFeatures {
  readonly views: number | null;
  readonly baseline_mean_10d: number | null;
  readonly spike_10d: number | null;
  readonly baseline_mean_20d: number | null;
  readonly baseline_std_20d: number | null;
  readonly zscore_20d: number | null;
  /** Known days among the 20 days before. */
  readonly days_available: number;
  readonly status: "complete" | "partial" | "null";
}

// Made up: 500 views after five known days of 100 each are a spike of 5; after four known days it is null.
const SPIKE_DAYS = 10;
const SPIKE_KNOWN_MIN = 5;
const SCORE_DAYS = 20;
const SCORE_KNOWN_MIN = 10;

const mean = (values: readonly number[]): number => values.reduce((sum, v) => sum + v, 0) / values.length;

/** Sample standard deviation (n − 1). */
function deviation(values: readonly number[], about: number): number {
  return Math.sqrt(values.reduce((sum, v) => sum + (v - about) ** 2, 0) / (values.length - 1));
}

/** Known views of the `days` days before `date`. */
const viewsBefore = (views: ViewsByDay, date: string, days: number): number[] =>
  Array.from({ length: days }, (_, i) => views.get(addDays(date, -1 - i))).filter((v) => v !== undefined);

/**
 * Computes the features from views up to `date`. A feature with a zero divisor or too few known days is null.
 */
export function featuresOf(views: ViewsByDay, date: string): AttentionFeatures {
  const own = views.get(date) ?? null;
  const ten = viewsBefore(views, date, SPIKE_DAYS);
  const twenty = viewsBefore(views, date, SCORE_DAYS);
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
