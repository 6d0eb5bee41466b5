// The vintages of each fictional series: its value of each period, and from which day on.
import { addDays, monthEnd, weekday } from "../../src/market/date.ts";
import { bell, keyOf, uniform, wander } from "../randomness.ts";
import type { SampleSeries } from "./catalogue.ts";

/** A value and the days it was in force; null is a dot. */
export interface Vintage {
  readonly from: string;
  /** Last day; null while it is in force. */
  readonly to: string | null;
  readonly value: number | null;
}

export interface Period {
  readonly date: string;
  readonly vintages: readonly Vintage[];
}

const MONTHS = { M: 1, Q: 3, A: 12 } as const;

function nextDate(date: string, { frequency }: SampleSeries): string {
  if (frequency === "W") return addDays(date, 7);
  if (frequency === "D") return addDays(date, weekday(date) === 5 ? 3 : 1);
  return Temporal.PlainDate.from(date).add({ months: MONTHS[frequency] }).toString();
}

function periodEnd(date: string, { frequency }: SampleSeries): string {
  if (frequency === "W" || frequency === "D") return date;
  const last = Temporal.PlainDate.from(date).add({ months: MONTHS[frequency] - 1 });
  return monthEnd(last.toString());
}

/** Nothing is released at a week-end. */
function businessDay(date: string): string {
  const day = weekday(date);
  return day > 5 ? addDays(date, 8 - day) : date;
}

/** Markets are closed on a handful of weekdays; a daily series then has a dot. */
const isClosed = (date: string) => /-(01-01|07-04|12-25)$/.test(date);

function vintagesOf(series: SampleSeries, seed: number, date: string, index: number): Vintage[] {
  const { id, level, growth, swing, decimals, revisions, frequency } = series;
  const key = keyOf(seed, `fred ${id}`);
  const end = periodEnd(date, series);
  if (frequency === "D" && isClosed(date))
    return [{ from: businessDay(addDays(end, 1)), to: null, value: null }];
  const settled = level * (1 + growth) ** index * (1 + swing * wander(key, index, 6));
  const rows: Vintage[] = [];
  for (const [step, { days, off }] of revisions.entries()) {
    const error =
      off === 0 ? 0 : off * (bell(key, index * 8 + step) + (uniform(key, index) < 0.5 ? -0.5 : 0.5));
    const value = Number((settled * (1 + error)).toFixed(decimals));
    const from = businessDay(addDays(end, days));
    const last = rows.at(-1);
    if (last?.value === value) continue;
    if (last) rows[rows.length - 1] = { ...last, to: addDays(from, -1) };
    rows.push({ from, to: null, value });
  }
  return rows;
}

/** All periods of a series that have been reported by `today`, with what was known by then. */
export function periodsOf(series: SampleSeries, seed: number, today: string): Period[] {
  const periods: Period[] = [];
  let date = series.start;
  for (let index = 0; date <= (series.end ?? today); index++) {
    const vintages = vintagesOf(series, seed, date, index)
      .filter(({ from }) => from <= today)
      // A revision that is still to come has not ended anything yet.
      .map((v) => (v.to !== null && v.to >= today ? { ...v, to: null } : v));
    if (vintages.length > 0) periods.push({ date, vintages });
    date = nextDate(date, series);
  }
  return periods;
}

/** The value in force on a day; undefined when there was none yet. */
export function valueOn({ vintages }: Period, day: string): number | null | undefined {
  return vintages.findLast(({ from, to }) => from <= day && (to === null || to >= day))?.value;
}
