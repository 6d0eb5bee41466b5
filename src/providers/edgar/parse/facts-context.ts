// Recognises the number of one period standing in for another: six months that hold the second quarter's figure.
import type { Chosen } from "./facts-choose.ts";
import type { Period } from "./facts-period.ts";
import type { StatementLine } from "./facts-records.ts";
import { agree } from "./facts-vintage.ts";

/** Shorter remainders (a stub, days by which quarters were moved) prove nothing. */
const REMAINDER_DAYS_MIN = 60;
const DAYS_SPAN = 2 ** 20;
const spanKey = (startDay: number, endDay: number): number => startDay * DAYS_SPAN + endDay;

interface Span {
  readonly startDay: number;
  readonly endDay: number;
}
const spanOf = ({ startDay, endDay }: Period): Span | null =>
  startDay === null ? null : { startDay, endDay };

/** What the longer of two spans has beyond the shorter; null unless they share one end. */
function remainderOf(a: Span, b: Span): Span | null {
  if (a.endDay === b.endDay)
    return { startDay: Math.min(a.startDay, b.startDay), endDay: Math.max(a.startDay, b.startDay) - 1 };
  if (a.startDay === b.startDay)
    return { startDay: Math.min(a.endDay, b.endDay) + 1, endDay: Math.max(a.endDay, b.endDay) };
  return null;
}

/** The sound figures of one line, newest report first come first replaced. */
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

  /** Known spans that begin or end with `span`. */
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

  /** Takes in what was found sound. */
  learn(figures: readonly Chosen[]): void {
    for (const { spec, period, value } of figures) {
      const span = spanOf(period);
      if (spec.kind === "flow" && span) this.#history(spec.line).learn(span, value);
    }
  }

  /** Figures of one filing that cannot be what their period says. */
  judge(figures: readonly Chosen[]): ReadonlySet<Chosen> {
    const byLine = Map.groupBy(figures.filter(isAdditive), ({ spec }) => spec.line);
    const doubtful = new Set<Chosen>();
    for (const [line, own] of byLine) this.#judgeLine(this.#history(line), own, doubtful);
    return doubtful;
  }

  #judgeLine(history: LineHistory, own: readonly Chosen[], doubtful: Set<Chosen>): void {
    const mine = new Map<number, Chosen>();
    for (const figure of own) {
      const span = spanOf(figure.period);
      if (span) mine.set(spanKey(span.startDay, span.endDay), figure);
    }
    const valueAt = (span: Span) =>
      mine.get(spanKey(span.startDay, span.endDay))?.value ?? history.valueOf(span);
    /** By the earlier report of the same period: confirmed, contradicted, or new. */
    const standing = (figure: Chosen, span: Span) => {
      const earlier = history.valueOf(span);
      if (earlier === undefined) return "new";
      return agree(earlier, figure.value, figure.filing.rounding) ? "confirmed" : "contradicted";
    };
    for (const figure of own) {
      const span = spanOf(figure.period);
      if (!span) continue;
      const status = standing(figure, span);
      if (status === "confirmed") continue;
      const ownSpans = own.map(({ period }) => spanOf(period)).filter((other) => other !== null);
      const twin = [...ownSpans, ...history.sharingEdge(span)].find((other) => {
        if (valueAt(other) !== figure.value) return false;
        return isContradiction(remainderOf(span, other), valueAt, 2 * figure.filing.rounding);
      });
      if (!twin) continue;
      const other = mine.get(spanKey(twin.startDay, twin.endDay));
      // Of two new numbers that contradict each other neither is known to be right.
      if (status === "contradicted" || !other || standing(other, twin) !== "contradicted")
        doubtful.add(figure);
    }
  }
}

/** Two periods have one number, yet what lies between them is not nothing. */
function isContradiction(
  rest: Span | null,
  valueAt: (span: Span) => number | undefined,
  slack: number,
): boolean {
  if (!rest || rest.endDay - rest.startDay + 1 < REMAINDER_DAYS_MIN) return false;
  const between = valueAt(rest);
  return between !== undefined && Math.abs(between) > slack;
}
