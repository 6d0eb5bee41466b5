// Periods of more than 400 days. Most are sums since a company's inception, or of a programme over years;
// some are first fiscal years that begin months before the first whole one.
import type { Filing } from "./column.ts";
import { JITTER_DAYS, type Period, QUARTER_DAYS_MAX } from "./period.ts";
import type { Series } from "./units.ts";
import { isAnnualForm, isTransitionForm } from "./vintage.ts";

/** Periods of more days are taken only where they are a first fiscal year. */
const LONG_DAYS_MIN = 401;
/**
 * A report that shows a longer period beside later years shows a sum up to the end of a company's
 * development.
 */
const SHOWN_DAYS_MAX = 550;

/** A number of a long period in one report. */
export interface LongFigure {
  readonly series: Series;
  readonly filing: Filing;
  readonly period: Period;
  readonly value: number;
}

/**
 * A period that a report is about and whose figures are left out, though the report has no shorter one of
 * that statement.
 */
export interface LeftOutPeriod {
  readonly accession: string;
  readonly start: string | null;
  readonly end: string;
}

/** Tags that notes do not repeat for other periods: they show for which ones a report has a statement. */
const KINDS = {
  income: [
    "NetIncomeLoss",
    "ProfitLoss",
    "NetIncomeLossAvailableToCommonStockholdersBasic",
    "ifrs-full:ProfitLoss",
  ],
  cash: [
    "NetCashProvidedByUsedInOperatingActivities",
    "NetCashProvidedByUsedInOperatingActivitiesContinuingOperations",
    "NetCashProvidedByUsedInFinancingActivities",
    "ifrs-full:CashFlowsFromUsedInOperatingActivities",
  ],
  sheet: ["Assets", "LiabilitiesAndStockholdersEquity", "ifrs-full:Assets"],
} as const;
type Kind = keyof typeof KINDS;
const KIND_OF: ReadonlyMap<string, Kind> = new Map(
  (Object.keys(KINDS) as Kind[]).flatMap((kind) => KINDS[kind].map((tag) => [tag, kind] as const)),
);

/** A period for which a report has a statement. */
interface Stated {
  readonly filing: Filing;
  readonly kind: Kind;
  readonly period: Period;
}

const filingPeriodKey = (filing: Filing, period: Period): string => `${filing.index} ${period.index}`;
const daysOf = ({ startDay, endDay }: Period): number => (startDay === null ? 0 : endDay - startDay + 1);
export const isLong = (period: Period): boolean => daysOf(period) >= LONG_DAYS_MIN;
const isSameEnd = (a: Period, b: Period): boolean => Math.abs(a.endDay - b.endDay) <= JITTER_DAYS;
const startOf = ({ startDay, endDay }: Period): number => startDay ?? endDay;
/** True for periods that share more than a few days, and for a day within a period. */
const overlap = (a: Period, b: Period): boolean =>
  a.endDay > startOf(b) + JITTER_DAYS && startOf(a) < b.endDay - JITTER_DAYS;

/** Distinguishes the first fiscal years among the long periods of a file from sums. */
export class LongPeriods {
  readonly #stated: readonly Stated[];
  readonly #long: readonly Stated[];
  readonly #isFirst = new Map<string, boolean>();

  /**
   * @param all the figures of shorter periods and of days
   * @param knownMs when a filing became public
   */
  constructor(
    all: readonly Series[],
    long: readonly LongFigure[],
    readonly knownMs: (filing: Filing) => number,
  ) {
    this.#stated = all.flatMap(({ tag, cells }) => {
      const kind = KIND_OF.get(tag.id);
      return kind ? cells.map(({ column: { filing, period } }) => ({ filing, kind, period })) : [];
    });
    this.#long = long.flatMap(({ series, filing, period }) => {
      const kind = KIND_OF.get(series.tag.id);
      return kind ? [{ filing, kind, period }] : [];
    });
  }

  /**
   * True for a period of an annual report's statement that none of more than a quarter, and no balance sheet,
   * contradicts: a sum since inception stands beside its year, or after other years.
   */
  isFirstYear({ filing, period }: Pick<LongFigure, "filing" | "period">): boolean {
    return this.#isFirst.getOrInsertComputed(filingPeriodKey(filing, period), () =>
      this.#decide(filing, period),
    );
  }

  #decide(filing: Filing, period: Period): boolean {
    if (!isAnnualForm(filing.form) || isTransitionForm(filing.form)) return false;
    if (!this.#long.some((one) => one.filing === filing && one.period === period)) return false;
    if (!this.#isOwn(filing, period) && daysOf(period) > SHOWN_DAYS_MAX) return false;
    return !this.#stated.some((one) => this.#contradicts(one, filing, period));
  }

  /** The periods that a reader misses: those that reports are about and that are no first years. */
  leftOut(): LeftOutPeriod[] {
    const missed = this.#long.filter(
      ({ filing, kind, period }) =>
        filing.tier === "periodic" &&
        this.#isOwn(filing, period) &&
        !this.isFirstYear({ filing, period }) &&
        !this.#stated.some(
          (one) => one.filing === filing && one.kind === kind && isSameEnd(one.period, period),
        ),
    );
    const periods = new Map(missed.map((one) => [filingPeriodKey(one.filing, one.period), one]));
    return [...periods.values()].map(({ filing, period: { start, end } }) => ({
      accession: filing.accession,
      start,
      end,
    }));
  }

  /** True for a period up to the last day of which the report has a statement. */
  #isOwn(filing: Filing, { endDay }: Period): boolean {
    return this.#stated.every((one) => one.filing !== filing || one.period.endDay <= endDay + JITTER_DAYS);
  }

  /** Figures of a quarterly report within the year begin with the company, or are of a quarter. */
  #contradicts({ filing: other, kind, period: shorter }: Stated, filing: Filing, period: Period): boolean {
    if (other.tier !== "periodic" || !overlap(shorter, period)) return false;
    if (other !== filing && this.knownMs(other) > this.knownMs(filing)) return false;
    if (kind === "sheet") return isAnnualForm(other.form) || other === filing;
    if (daysOf(shorter) <= QUARTER_DAYS_MAX) return false;
    return isAnnualForm(other.form) || Math.abs(startOf(shorter) - startOf(period)) > JITTER_DAYS;
  }
}
