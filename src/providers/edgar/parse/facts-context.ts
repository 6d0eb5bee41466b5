// Detects a figure that belongs to another period, such as the second quarter's figure in place of the six months'.
import type { Chosen } from "./facts-column.ts";
import type { Period } from "./facts-period.ts";
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

interface Span {
  readonly startDay: number;
  readonly endDay: number;
}
/** The number of a line for a span. */
interface Reading extends Span {
  readonly value: number;
}

function readingsOf(
  all: readonly { readonly period: Period; readonly value?: number | undefined }[],
): Reading[] {
  return all.flatMap(({ period: { startDay, endDay }, value }) =>
    startDay === null || value === undefined ? [] : [{ startDay, endDay, value }],
  );
}

const daysOf = ({ startDay, endDay }: Span): number => endDay - startDay + 1;

/** The part of the longer span outside the shorter one; null unless the two share a start or an end. */
function remainderOf(a: Span, b: Span): Span | null {
  if (a.endDay === b.endDay)
    return { startDay: Math.min(a.startDay, b.startDay), endDay: Math.max(a.startDay, b.startDay) - 1 };
  if (a.startDay === b.startDay)
    return { startDay: Math.min(a.endDay, b.endDay) + 1, endDay: Math.max(a.endDay, b.endDay) };
  return null;
}

const isAdditive = ({ spec, value }: Chosen): boolean => spec.kind === "flow" && value !== 0;

/** How a figure compares with the newest sound one of an earlier report for the same period. */
function statusOf({ value, past, filing }: Chosen): "new" | "confirmed" | "contradicted" {
  if (past.value === undefined) return "new";
  return agree(past.value, value, filing.rounding) ? "confirmed" : "contradicted";
}

/** True when another period of the line has the same number. Only then may the number belong to that period. */
const isRepeated = (figure: Chosen, own: readonly Chosen[]): boolean =>
  figure.past.line.numbers.has(figure.value) ||
  own.some((other) => other !== figure && other.value === figure.value);

/** Yields the additive figures of each line; the figures of one line stand together. */
function* byLine(figures: readonly Chosen[]): Generator<Chosen[]> {
  let own: Chosen[] = [];
  for (const figure of figures) {
    if (!isAdditive(figure)) continue;
    if (own.length > 0 && own[0]?.spec !== figure.spec) {
      yield own;
      own = [];
    }
    own.push(figure);
  }
  if (own.length > 0) yield own;
}

/** Returns the figures of one filing that cannot belong to their stated period. */
export function judgeContext(figures: readonly Chosen[]): ReadonlySet<Chosen> {
  const doubtful = new Set<Chosen>();
  for (const own of byLine(figures)) {
    const repeated = own.filter((figure) => statusOf(figure) !== "confirmed" && isRepeated(figure, own));
    if (repeated.length === 0) continue;
    const line = new LineReadings(own);
    for (const figure of repeated) if (line.contradicts(figure)) doubtful.add(figure);
  }
  return doubtful;
}

/** What one filing and the sound figures of earlier ones say about one line. */
class LineReadings {
  readonly #own: readonly Reading[];
  readonly #known: readonly Reading[];
  constructor(readonly figures: readonly Chosen[]) {
    this.#own = readingsOf(figures);
    this.#known = readingsOf(figures[0]?.past.line.known ?? []);
  }

  /** True when the figure cannot belong to its stated period. */
  contradicts(figure: Chosen): boolean {
    const [span] = readingsOf([figure]);
    if (!span) return false;
    if (this.#isLastYears(span, figure.filing.rounding)) return true;
    const twin = [...this.#own, ...this.#sharingEdge(span)].find(
      (other) =>
        this.#valueAt(other) === span.value &&
        this.#isBetween(remainderOf(span, other), 2 * figure.filing.rounding),
    );
    if (!twin || this.#isNearer(span, twin)) return false;
    const other = this.figures.find(
      ({ period }) => period.startDay === twin.startDay && period.endDay === twin.endDay,
    );
    // When two new numbers contradict each other, either may be wrong: both are doubtful.
    return statusOf(figure) === "contradicted" || !other || statusOf(other) !== "contradicted";
  }

  /** The number for a span: the filing's own, else the newest known one. */
  #valueAt(span: Span): number | undefined {
    const isSame = ({ startDay, endDay }: Span) => startDay === span.startDay && endDay === span.endDay;
    return (this.#own.find(isSame) ?? this.#known.find(isSame))?.value;
  }

  /** Known readings that start or end on the same day as `span`. */
  #sharingEdge(span: Span): Reading[] {
    return [
      ...this.#known.filter(({ startDay }) => startDay === span.startDay),
      ...this.#known.filter(({ endDay }) => endDay === span.endDay),
    ];
  }

  /** True when the time between two periods with the same number has a nonzero figure of its own. */
  #isBetween(rest: Span | null, slack: number): boolean {
    if (!rest || daysOf(rest) < REMAINDER_DAYS_MIN) return false;
    const between = this.#valueAt(rest);
    return between !== undefined && Math.abs(between) > slack;
  }

  /**
   * True when a number that stands for two spans is nearer to the line's usual size per day as the figure of `span` than
   * as that of `other`. Other numbers of the same filing count as well, so that a first filing can be judged.
   */
  #isNearer(span: Reading, other: Span): boolean {
    const size = (value: number, of: Span) => Math.abs(value) / daysOf(of);
    const usable = [...this.#known, ...this.#own]
      .filter(({ value }) => value !== span.value)
      .map((reading) => size(reading.value, reading))
      .filter((one) => one > 0)
      .sort((a, b) => a - b);
    const median = usable[usable.length >> 1];
    if (median === undefined || usable.length < REFERENCES_MIN) return false;
    const distance = (one: Span) => Math.abs(Math.log10(size(span.value, one) / median));
    return distance(span) <= NEAR_MAX && distance(other) - distance(span) >= NEARER_MIN;
  }

  /**
   * True for a quarter that repeats the number of the quarter a year before although the year that ends with it, less the
   * nine months before it, gives another.
   */
  #isLastYears(span: Reading, rounding: number): boolean {
    const isYearBefore = (other: Reading) => {
      const apart = span.endDay - other.endDay;
      return (
        other.value === span.value &&
        apart >= YEAR_DAYS_MIN &&
        apart <= YEAR_DAYS_MAX &&
        Math.abs(daysOf(other) - daysOf(span)) <= 10
      );
    };
    if (!this.#own.some(isYearBefore) && !this.#known.some(isYearBefore)) return false;
    return [...this.#own, ...this.#known].some((year) => {
      const days = daysOf(year);
      if (year.endDay !== span.endDay || days < YEAR_DAYS_MIN || days > YEAR_DAYS_MAX) return false;
      const rest = remainderOf(year, span);
      const [whole, before] = [this.#valueAt(year), rest ? this.#valueAt(rest) : undefined];
      if (whole === undefined || before === undefined) return false;
      return Math.abs(whole - before - span.value) > 2 * rounding;
    });
  }
}
