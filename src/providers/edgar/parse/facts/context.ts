// Detects a figure that belongs to another period, such as the second quarter's figure in place of the six
// months'.
import type { Chosen } from "./column.ts";
import { agree } from "./vintage.ts";

/** Shorter remainders (a stub, a quarter's end that moved by days) are no evidence. */
const REMAINDER_DAYS_MIN = 60;
/** Fewer spans of a line do not show its usual size. */
const REFERENCES_MIN = 3;
/**
 * One of two readings is the right one when it is nearer to the line's usual size by this much, in powers of
 * ten.
 */
const NEARER_MIN = 0.2;
/** A reading farther from the usual size than this, in powers of ten, is not the right one. */
const NEAR_MAX = 0.3;
/** Spans a year apart, of 52 or 53 weeks. */
const [YEAR_DAYS_MIN, YEAR_DAYS_MAX] = [350, 380];

interface Span {
  readonly startDay: number | null;
  readonly endDay: number;
}
/** The number of a line for a span; figures and what earlier reports gave are such. */
interface Reading {
  readonly period: Span;
  readonly value: number | undefined;
}

const firstOf = ({ startDay, endDay }: Span): number => startDay ?? endDay;
const isSame = (a: Span, b: Span): boolean => a.startDay === b.startDay && a.endDay === b.endDay;
const daysOf = (span: Span): number => span.endDay - firstOf(span) + 1;

/** The part of the longer span outside the shorter one; null unless the two share a start or an end. */
function remainderOf(a: Span, b: Span): Span | null {
  const [one, other] = [firstOf(a), firstOf(b)];
  if (a.endDay === b.endDay) return { startDay: Math.min(one, other), endDay: Math.max(one, other) - 1 };
  if (one === other)
    return { startDay: Math.min(a.endDay, b.endDay) + 1, endDay: Math.max(a.endDay, b.endDay) };
  return null;
}

const isAdditive = ({ spec, value }: Chosen): boolean => spec.kind === "flow" && value !== 0;

/** How a figure compares with the newest sound one of an earlier report for the same period. */
function statusOf(figure: Chosen): "new" | "confirmed" | "contradicted" {
  const { value, past } = figure;
  if (past.value === undefined) return "new";
  return past.value === value || agree(past.value, value, figure.filing.rounding)
    ? "confirmed"
    : "contradicted";
}

/**
 * True when another period of the line has the same number. Only then may the number belong to that period.
 */
function isRepeated(figure: Chosen, own: readonly Chosen[]): boolean {
  if (figure.past.line.numbers.has(figure.value)) return true;
  for (const other of own) if (other !== figure && other.value === figure.value) return true;
  return false;
}

/**
 * Returns the figures of one filing that cannot belong to their stated period. `figures` stand in the order
 * of their lines.
 */
export function judgeContext(figures: readonly Chosen[]): ReadonlySet<Chosen> {
  const doubtful = new Set<Chosen>();
  const own: Chosen[] = [];
  for (const figure of figures) {
    if (!isAdditive(figure)) continue;
    if (own[0] && own[0].spec !== figure.spec) {
      judgeLine(own, doubtful);
      own.length = 0;
    }
    own.push(figure);
  }
  judgeLine(own, doubtful);
  return doubtful;
}

function judgeLine(own: readonly Chosen[], doubtful: Set<Chosen>): void {
  for (const figure of own)
    if (
      statusOf(figure) !== "confirmed" &&
      isRepeated(figure, own) &&
      new LineReadings(own).contradicts(figure)
    )
      doubtful.add(figure);
}

/** The readings of one line: the filing's own, and the sound ones of earlier filings. */
class LineReadings {
  readonly #known: readonly Reading[];
  constructor(readonly own: readonly Chosen[]) {
    this.#known = own[0]?.past.line.known ?? [];
  }

  /** True when the figure cannot belong to its stated period. */
  contradicts(figure: Chosen): boolean {
    if (this.#isLastYears(figure)) return true;
    const twin = this.#twinOf(figure);
    if (!twin || this.#isNearer(figure, twin)) return false;
    const other = this.own.find(({ period }) => isSame(period, twin));
    // When two new numbers contradict each other, either may be wrong: both are doubtful.
    return statusOf(figure) === "contradicted" || !other || statusOf(other) !== "contradicted";
  }

  /** The number for a span: the filing's own, else the known one. */
  #valueAt(span: Span): number | undefined {
    const isOfSpan = ({ period }: Reading) => isSame(period, span);
    return (this.own.find(isOfSpan) ?? this.#known.find(isOfSpan))?.value;
  }

  /**
   * A period with the same number that another figure shows to be another one's: one of the filing, else a
   * known one.
   */
  #twinOf({ period: span, value, filing }: Chosen): Span | undefined {
    const isTwin = ({ period }: Reading) =>
      this.#valueAt(period) === value && this.#isBetween(remainderOf(span, period), 2 * filing.rounding);
    const twin =
      this.own.find(isTwin) ??
      this.#known.find((reading) => reading.period.startDay === span.startDay && isTwin(reading)) ??
      this.#known.find((reading) => reading.period.endDay === span.endDay && isTwin(reading));
    return twin?.period;
  }

  /** True when the time between two periods with the same number has a nonzero figure of its own. */
  #isBetween(rest: Span | null, slack: number): boolean {
    if (!rest || daysOf(rest) < REMAINDER_DAYS_MIN) return false;
    const between = this.#valueAt(rest);
    return between !== undefined && Math.abs(between) > slack;
  }

  /**
   * True when a number that stands for two spans is nearer to the line's usual size per day as the figure of
   * its own than as that of `other`. Other numbers of the same filing count as well, so that a first filing
   * can be judged.
   */
  #isNearer(figure: Chosen, other: Span): boolean {
    const size = (value: number, of: Span) => Math.abs(value) / daysOf(of);
    const usable = [...this.#known, ...this.own]
      .filter(({ value }) => value !== figure.value)
      .map(({ value, period }) => size(value ?? 0, period))
      .filter((one) => one > 0)
      .sort((a, b) => a - b);
    const median = usable[usable.length >> 1];
    if (median === undefined || usable.length < REFERENCES_MIN) return false;
    const distance = (one: Span) => Math.abs(Math.log10(size(figure.value, one) / median));
    const own = distance(figure.period);
    return own <= NEAR_MAX && distance(other) - own >= NEARER_MIN;
  }

  /**
   * True for a quarter that repeats the number of the quarter a year before although the year that ends with
   * it, less the nine months before it, gives another.
   */
  #isLastYears({ period: span, value, filing }: Chosen): boolean {
    const isYearBefore = (other: Reading) => {
      const apart = span.endDay - other.period.endDay;
      return (
        other.value === value &&
        apart >= YEAR_DAYS_MIN &&
        apart <= YEAR_DAYS_MAX &&
        Math.abs(daysOf(other.period) - daysOf(span)) <= 10
      );
    };
    if (!this.own.some(isYearBefore) && !this.#known.some(isYearBefore)) return false;
    const disproves = ({ period: year }: Reading) => {
      if (year.endDay !== span.endDay) return false;
      const days = daysOf(year);
      if (days < YEAR_DAYS_MIN || days > YEAR_DAYS_MAX) return false;
      const rest = remainderOf(year, span);
      const [whole, before] = [this.#valueAt(year), rest ? this.#valueAt(rest) : undefined];
      if (whole === undefined || before === undefined) return false;
      return Math.abs(whole - before - value) > 2 * filing.rounding;
    };
    return this.own.some(disproves) || this.#known.some(disproves);
  }
}
