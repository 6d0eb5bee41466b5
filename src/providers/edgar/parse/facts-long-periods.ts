// Periods of more than 400 days. Most are sums since a company's inception, or of a programme over years; some are first
// fiscal years that begin months before the first whole one.
import type { Column, Filing } from "./facts-column.ts";
import { JITTER_DAYS, type Period, QUARTER_DAYS_MAX } from "./facts-period.ts";
import type { Series } from "./facts-units.ts";
import { isAnnualForm } from "./facts-vintage.ts";

/** Periods of more days are taken only where they are a first fiscal year. */
const LONG_DAYS_MIN = 401;

/** A number of a long period in one report. */
export interface LongFigure {
  readonly series: Series;
  readonly filing: Filing;
  readonly period: Period;
  readonly value: number;
}

/** A period of a report whose figures are left out, although the report has no others of that statement up to the same day. */
export interface LeftOutPeriod {
  readonly accession: string;
  readonly start: string | null;
  readonly end: string;
}

const CASH_TOTALS: ReadonlySet<string> = new Set([
  "NetCashProvidedByUsedInOperatingActivities",
  "NetCashProvidedByUsedInFinancingActivities",
]);

const columnsOf = ({ columns }: Filing): readonly Column[] =>
  columns.filter((column) => column !== undefined);
const daysOf = ({ startDay, endDay }: Period): number => (startDay === null ? 0 : endDay - startDay + 1);

export const isLong = (period: Period): boolean => daysOf(period) >= LONG_DAYS_MIN;
const isBetween = (days: number, above: number, below: number): boolean => days > above && days < below;
const isSameEnd = (a: Period, b: Period): boolean => Math.abs(a.endDay - b.endDay) <= JITTER_DAYS;

/** Distinguishes the first fiscal years among the long periods of a file from sums. */
export class LongPeriods {
  readonly #years: readonly Column[];

  /** @param filings all of the file, with the columns of their shorter periods */
  constructor(filings: readonly Filing[]) {
    this.#years = filings.flatMap((filing) =>
      filing.tier === "periodic" ? columnsOf(filing).filter(({ period }) => period.months === 12) : [],
    );
  }

  /**
   * True for a period of an annual report that has none of more than a quarter up to the same day, where no year of this
   * or an earlier report is a part of it. A sum since inception stands beside the year's figures, or follows other years.
   */
  isFirstYear(figure: LongFigure): boolean {
    return this.#isWholeReport(figure) && !this.#hasYear(figure);
  }

  /** True for a figure that is left out although the report has no other of that statement up to the same day. */
  isMissed(figure: LongFigure): boolean {
    const { series, filing, period } = figure;
    if (filing.tier !== "periodic" || this.isFirstYear(figure)) return false;
    const last = Math.max(...columnsOf(filing).map((column) => column.period.endDay));
    if (period.endDay < last - JITTER_DAYS) return false;
    if (this.#isWholeReport(figure)) return true;
    const isShown = series.cells.some(
      ({ column }) => column.filing === filing && isSameEnd(column.period, period),
    );
    return CASH_TOTALS.has(series.tag.id) && !isShown;
  }

  #isWholeReport({ filing, period }: LongFigure): boolean {
    return (
      isAnnualForm(filing.form) &&
      !columnsOf(filing).some(
        (other) =>
          isSameEnd(other.period, period) && isBetween(daysOf(other.period), QUARTER_DAYS_MAX, LONG_DAYS_MIN),
      )
    );
  }

  #hasYear({ filing, period: { startDay, endDay } }: LongFigure): boolean {
    return this.#years.some(
      ({ filing: other, period: year }) =>
        (other === filing || other.filedDay < filing.filedDay) &&
        year.endDay > (startDay ?? endDay) + JITTER_DAYS &&
        (year.startDay ?? endDay) < endDay - JITTER_DAYS,
    );
  }
}
