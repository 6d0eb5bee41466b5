// Detects a figure that belongs to another period, such as the second quarter's figure in place of the six months'.
import type { Chosen } from "./facts-choose.ts";
import type { Period } from "./facts-period.ts";
import type { StatementLine } from "./facts-records.ts";
import { agree } from "./facts-vintage.ts";

/** Shorter remainders (a stub, a quarter's end that moved by days) are no evidence. */
const REMAINDER_DAYS_MIN = 60;
/** Fewer spans of a line do not show its usual size. */
const REFERENCES_MIN = 3;
/** One of two readings is the right one when it is nearer to the line's usual size by this much, in powers of ten. */
const NEARER_MIN = 0.2;
/** A reading farther from the usual size than this, in powers of ten, is not the right one. */
const NEAR_MAX = 0.3;
/** Spans a year apart, of 52 or 53 weeks. */
const [YEAR_DAYS_MIN, YEAR_DAYS_MAX] = [350, 380];
const DAYS_SPAN = 2 ** 20;
const spanKey = (startDay: number, endDay: number): number => startDay * DAYS_SPAN + endDay;

interface Span {
  readonly startDay: number;
  readonly endDay: number;
}
const spanOf = ({ startDay, endDay }: Period): Span | null =>
  startDay === null ? null : { startDay, endDay };

/** The part of the longer span outside the shorter one; null unless the two share a start or an end. */
function remainderOf(a: Span, b: Span): Span | null {
  if (a.endDay === b.endDay)
    return { startDay: Math.min(a.startDay, b.startDay), endDay: Math.max(a.startDay, b.startDay) - 1 };
  if (a.startDay === b.startDay)
    return { startDay: Math.min(a.endDay, b.endDay) + 1, endDay: Math.max(a.endDay, b.endDay) };
  return null;
}

/** The sound figures of one line by their span. The newest report replaces earlier ones. */
class LineHistory {
  readonly #values = new Map<number, number>();
  readonly #byEdge = new Map<number, Span[]>();

  valueOf(span: Span): number | undefined {
    return this.#values.get(spanKey(span.startDay, span.endDay));
  }

  learn(span: Span, value: number): void {
    const key = spanKey(span.startDay, span.endDay);
    if (!this.#values.has(key))
      for (const edge of [span.startDay, -span.endDay])
        this.#byEdge.getOrInsertComputed(edge, () => []).push(span);
    this.#values.set(key, value);
  }

  /** Every known span with its value. */
  *entries(): Generator<readonly [Span, number]> {
    const seen = new Set<Span>();
    for (const spans of this.#byEdge.values())
      for (const span of spans) {
        if (seen.has(span)) continue;
        seen.add(span);
        yield [span, this.valueOf(span) ?? 0];
      }
  }

  /** Known spans that start or end on the same day as `span`. */
  sharingEdge(span: Span): Span[] {
    return [...(this.#byEdge.get(span.startDay) ?? []), ...(this.#byEdge.get(-span.endDay) ?? [])];
  }
}

const isAdditive = ({ spec, period, value }: Chosen): boolean =>
  spec.kind === "flow" && period.startDay !== null && value !== 0;

export class ContextDetector {
  readonly #lines = new Map<StatementLine, LineHistory>();

  #history(line: StatementLine): LineHistory {
    return this.#lines.getOrInsertComputed(line, () => new LineHistory());
  }

  /** Adds figures that were found sound. */
  learn(figures: readonly Chosen[]): void {
    for (const { spec, period, value } of figures) {
      const span = spanOf(period);
      if (spec.kind === "flow" && span) this.#history(spec.line).learn(span, value);
    }
  }

  /** Returns the figures of one filing that cannot belong to their stated period. */
  judge(figures: readonly Chosen[]): ReadonlySet<Chosen> {
    const byLine = Map.groupBy(figures.filter(isAdditive), ({ spec }) => spec.line);
    const doubtful = new Set<Chosen>();
    for (const [line, own] of byLine) this.#judgeLine(this.#history(line), own, doubtful);
    return doubtful;
  }

  /**
   * True when a number that stands for two spans is nearer to the line's usual size per day as the figure of `span` than
   * as that of `other`. Other numbers of the same filing count as well, so that a first filing can be judged.
   */
  #isNearer(history: LineHistory, own: readonly Chosen[], figure: Chosen, span: Span, other: Span): boolean {
    const size = (value: number, { startDay, endDay }: Span) => Math.abs(value) / (endDay - startDay + 1);
    const sizes: number[] = [];
    for (const [known, value] of history.entries())
      if (value !== figure.value) sizes.push(size(value, known));
    for (const { value, period } of own) {
      const known = spanOf(period);
      if (known && value !== figure.value) sizes.push(size(value, known));
    }
    const usable = sizes.filter((one) => one > 0).sort((a, b) => a - b);
    const median = usable[usable.length >> 1];
    if (median === undefined || usable.length < REFERENCES_MIN) return false;
    const distance = (one: Span) => Math.abs(Math.log10(size(figure.value, one) / median));
    return distance(span) <= NEAR_MAX && distance(other) - distance(span) >= NEARER_MIN;
  }

  #judgeLine(history: LineHistory, own: readonly Chosen[], doubtful: Set<Chosen>): void {
    const mine = new Map<number, Chosen>();
    for (const figure of own) {
      const span = spanOf(figure.period);
      if (span) mine.set(spanKey(span.startDay, span.endDay), figure);
    }
    const valueAt = (span: Span) =>
      mine.get(spanKey(span.startDay, span.endDay))?.value ?? history.valueOf(span);
    /** Compares with the earlier report of the same period. */
    const statusOf = (figure: Chosen, span: Span) => {
      const earlier = history.valueOf(span);
      if (earlier === undefined) return "new";
      return agree(earlier, figure.value, figure.filing.rounding) ? "confirmed" : "contradicted";
    };
    for (const figure of own) {
      const span = spanOf(figure.period);
      if (!span) continue;
      const status = statusOf(figure, span);
      if (status === "confirmed") continue;
      if (isLastYears(figure, span, valueAt, own, history)) {
        doubtful.add(figure);
        continue;
      }
      const ownSpans = own.map(({ period }) => spanOf(period)).filter((other) => other !== null);
      const twin = [...ownSpans, ...history.sharingEdge(span)].find((other) => {
        if (valueAt(other) !== figure.value) return false;
        return isContradiction(remainderOf(span, other), valueAt, 2 * figure.filing.rounding);
      });
      if (!twin || this.#isNearer(history, own, figure, span, twin)) continue;
      const other = mine.get(spanKey(twin.startDay, twin.endDay));
      // When two new numbers contradict each other, either may be wrong: both are doubtful.
      if (status === "contradicted" || !other || statusOf(other, twin) !== "contradicted")
        doubtful.add(figure);
    }
  }
}

/** True when two periods have the same number although the time between them has a nonzero figure of its own. */
function isContradiction(
  rest: Span | null,
  valueAt: (span: Span) => number | undefined,
  slack: number,
): boolean {
  if (!rest || rest.endDay - rest.startDay + 1 < REMAINDER_DAYS_MIN) return false;
  const between = valueAt(rest);
  return between !== undefined && Math.abs(between) > slack;
}

/**
 * True for a quarter that repeats the number of the quarter a year before although the year that ends with it, less the
 * nine months before it, gives another.
 */
function isLastYears(
  { value, filing }: Chosen,
  span: Span,
  valueAt: (span: Span) => number | undefined,
  own: readonly Chosen[],
  history: LineHistory,
): boolean {
  const known = [...own.flatMap(({ period }) => spanOf(period) ?? []), ...history.sharingEdge(span)];
  const years = known.filter(({ startDay, endDay }) => {
    const days = endDay - startDay + 1;
    return endDay === span.endDay && days >= YEAR_DAYS_MIN && days <= YEAR_DAYS_MAX;
  });
  const isContradicted = years.some((year) => {
    const rest = remainderOf(year, span);
    const [whole, before] = [valueAt(year), rest ? valueAt(rest) : undefined];
    if (whole === undefined || before === undefined) return false;
    return Math.abs(whole - before - value) > 2 * filing.rounding;
  });
  if (!isContradicted) return false;
  const days = span.endDay - span.startDay + 1;
  const isYearBefore = ({ startDay, endDay }: Span) => {
    const apart = span.endDay - endDay;
    return apart >= YEAR_DAYS_MIN && apart <= YEAR_DAYS_MAX && Math.abs(endDay - startDay + 1 - days) <= 10;
  };
  const inFiling = own.some(({ period, value: other }) => {
    const otherSpan = spanOf(period);
    return otherSpan !== null && other === value && isYearBefore(otherSpan);
  });
  return inFiling || history.entries().some(([other, earlier]) => earlier === value && isYearBefore(other));
}
