// Reads EDGAR's answers field by field: what is of another shape than expected is named by its path and refused.
import { isDate } from "../../market/date.ts";
import { JsonPlace, jsonOf, shapeChangedBy } from "../../platform/upstream/json-place.ts";
import type { UpstreamAnswer } from "../../platform/upstream/policy.ts";

const UPSTREAM = "edgar";

/** The error for an answer of EDGAR's, JSON or not, that is not of the shape we read. */
export const shapeChanged = shapeChangedBy(UPSTREAM);

const DECIMAL = /^-?\d+(?:\.\d+)?$/;

/** One place in a JSON answer of EDGAR's. */
export class Wire extends JsonPlace {
  protected get upstream() {
    return UPSTREAM;
  }

  /** Also of EDGAR's other word for nothing, the empty text. */
  override get isMissing(): boolean {
    return super.isMissing || this.value === "";
  }

  /** A finite number, also one written as text; null when absent. */
  numberOrNull(): number | null {
    if (this.isMissing) return null;
    const number =
      typeof this.value === "string" && DECIMAL.test(this.value) ? Number(this.value) : this.value;
    if (typeof number !== "number" || !Number.isFinite(number)) throw this.wrong("a number");
    return number;
  }

  /** What `read` makes of a text or number; refused when it makes nothing of it. */
  as<T>(read: (value: string) => T | null, expected: string): T {
    if (typeof this.value !== "string" && typeof this.value !== "number") throw this.wrong(expected);
    const result = read(String(this.value));
    if (result === null) throw this.wrong(expected);
    return result;
  }
}

/** The body of an answer, parsed; UpstreamFailed when it is not whole JSON. */
export const readJson = (document: string, answer: UpstreamAnswer): Wire =>
  new Wire(document, document, jsonOf(UPSTREAM, document, answer));

/** `20260306` or `2026-03-06` as the latter; null when it is no date. */
export function readDay(text: string): string | null {
  const [, year, month, day] = /^(\d{4})-?(\d{2})-?(\d{2})$/.exec(text.trim()) ?? [];
  const date = `${year}-${month}-${day}`;
  return year && isDate(date) ? date : null;
}

/** EDGAR's fiscal year end `0926` as `09-26`; null when it is none (`0000`, empty). */
export function readMonthDay(text: string): string | null {
  const [, month, day] = /^(\d{2})(\d{2})$/.exec(text.trim()) ?? [];
  // 2000 has a 29 February.
  return month && day && isDate(`2000-${month}-${day}`) ? `${month}-${day}` : null;
}

/** `Item 5.02: …` lines or `2.02,9.01` as item numbers, in their order, each once. */
export function readItems(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text) => text.trim()).filter(Boolean))];
}
