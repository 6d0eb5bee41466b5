// An economic series in several vintages: which are shown, and their values on one axis of periods. Pure.

export interface Observation {
  readonly date: string;
  /** A dot where the series has no value. */
  readonly value: string;
  readonly realtime_start: string;
}

export const VINTAGES_MAX = 4;

/** The text of a value as published; null where it is unknown. */
export const statedValue = (observation: Observation | undefined): string | null =>
  observation === undefined || observation.value === "." ? null : observation.value;

const yearBefore = (day: string): string => `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`;

/**
 * The vintage that is shown beside the newest unless others are chosen: that of a year before. `vintages`
 * stand newest first.
 */
export function usualVintages(vintages: readonly string[]): string[] {
  const [newest] = vintages;
  if (newest === undefined) return [];
  const before = vintages.find((each) => each <= yearBefore(newest));
  return before === undefined ? [] : [before];
}

/**
 * The vintages that an address names, newest first; none after `day`, which is the last that the page may
 * show.
 */
export function namedVintages(text: string, day: string): string[] {
  const named = text.split(",").filter((each) => /^\d{4}-\d{2}-\d{2}$/.test(each) && each <= day);
  return [...new Set(named)].sort().reverse().slice(0, VINTAGES_MAX);
}

/**
 * Days from one period to the next, by the provider's sign of a frequency. A daily series has no fixed step.
 */
const STEPS: Readonly<Record<string, number>> = { W: 7, BW: 14, M: 31, Q: 92, SA: 184, A: 366 };

const DAY_MS = 86_400_000;

export interface Aligned {
  /** Periods of any of the lines, and one in each gap between periods, where no line has a value. */
  readonly days: readonly string[];
  /** Of each line by period; null where it has no value. */
  readonly values: readonly (readonly (number | null)[])[];
}

/** Periods, ascending, with one more in each gap: no line may lead across periods that are missing. */
function withGaps(days: readonly string[], step: number | undefined): string[] {
  if (step === undefined) return [...days];
  return days.flatMap((day, i) => {
    const before = days[i - 1];
    if (before === undefined || Date.parse(day) - Date.parse(before) <= 1.5 * step * DAY_MS) return [day];
    return [new Date(Date.parse(before) + step * DAY_MS).toISOString().slice(0, 10), day];
  });
}

/** The values of several vintages on one axis. `frequency` is the provider's sign, such as Q. */
export function aligned(lines: readonly (readonly Observation[])[], frequency: string): Aligned {
  const periods = [...new Set(lines.flatMap((line) => line.map(({ date }) => date)))].sort();
  const days = withGaps(periods, STEPS[frequency]);
  const values = lines.map((line) => {
    const byDate = new Map(line.map((each) => [each.date, statedValue(each)]));
    return days.map((day) => {
      const text = byDate.get(day) ?? null;
      return text === null ? null : Number(text);
    });
  });
  return { days, values };
}
