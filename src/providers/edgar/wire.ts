// Reads EDGAR's answers field by field. A field of an unexpected shape is refused with its path.
import { isDate } from "../../market/date.ts";
import { JsonPlace, jsonOf, shapeChangedBy } from "../../platform/upstream/json-place.ts";
import type { UpstreamAnswer } from "../../platform/upstream/policy.ts";
import { boundedText } from "./parse/bounded-text.ts";

const UPSTREAM = "edgar";

/** Makes the error for an answer, JSON or not, of an unexpected shape. */
export const shapeChanged = shapeChangedBy(UPSTREAM);

const DECIMAL = /^-?\d+(?:\.\d+)?$/;

/** One place in a JSON answer from EDGAR. */
export class Wire extends JsonPlace {
  protected get upstream() {
    return UPSTREAM;
  }

  /** True also for an empty text, which EDGAR uses for a missing value. */
  override get isMissing(): boolean {
    return super.isMissing || this.value === "";
  }

  /** Trimmed and bounded; null when absent or blank. */
  override textOrNull(): string | null {
    const text = super.textOrNull();
    return text === null ? null : boundedText(text);
  }

  /** A finite number, also one written as text; null when missing. */
  numberOrNull(): number | null {
    if (this.isMissing) return null;
    const number =
      typeof this.value === "string" && DECIMAL.test(this.value) ? Number(this.value) : this.value;
    if (typeof number !== "number" || !Number.isFinite(number)) throw this.wrong("a number");
    return number;
  }

  /** Converts a text or number with `read`; throws when `read` returns null. */
  as<T>(read: (value: string) => T | null, expected: string): T {
    if (typeof this.value !== "string" && typeof this.value !== "number") throw this.wrong(expected);
    const result = read(String(this.value));
    if (result === null) throw this.wrong(expected);
    return result;
  }
}

/** Parses the body of an answer. Throws UpstreamFailed when it is not complete JSON. */
export const readJson = (document: string, answer: UpstreamAnswer): Wire =>
  new Wire(document, document, jsonOf(UPSTREAM, document, answer));

/** Converts `20260306` or `2026-03-06` to `2026-03-06`; null when it is not a date. */
export function readDay(text: string): string | null {
  const [, year, month, day] = /^(\d{4})-?(\d{2})-?(\d{2})$/.exec(text.trim()) ?? [];
  const date = `${year}-${month}-${day}`;
  return year && isDate(date) ? date : null;
}

/** Converts EDGAR's fiscal year end `0926` to `09-26`; null for `0000` and empty text. */
export function readMonthDay(text: string): string | null {
  const [, month, day] = /^(\d{2})(\d{2})$/.exec(text.trim()) ?? [];
  // 2000 has a 29 February.
  return month && day && isDate(`2000-${month}-${day}`) ? `${month}-${day}` : null;
}

/** Trims texts and returns each non-empty one once, in order. */
export function readItems(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text) => text.trim()).filter(Boolean))];
}
