// Reads EDGAR's answers field by field: what is of another shape than expected is named by its path and refused.
import { isDate } from "../../market/date.ts";
import { type UpstreamFailed, UpstreamMisread } from "../../platform/errors.ts";
import type { UpstreamAnswer } from "../../platform/upstream-policy.ts";

/** The error for an answer that is not of the shape we read; nothing of such an answer is used. */
export function shapeChanged(document: string, path: string, expected: string): UpstreamFailed {
  return new UpstreamMisread(
    "edgar",
    `edgar changed the shape of ${document}: ${path} should be ${expected}`,
  );
}

const DECIMAL = /^-?\d+(?:\.\d+)?$/;

/** One place in a JSON answer. Only what is asked for is checked, all else is tolerated. */
export class Wire {
  constructor(
    readonly document: string,
    readonly path: string,
    readonly value: unknown,
  ) {}

  /** True when the field is absent, null or EDGAR's other word for nothing, the empty text. */
  get isMissing(): boolean {
    return this.value === undefined || this.value === null || this.value === "";
  }

  wrong(expected: string): UpstreamFailed {
    return shapeChanged(this.document, this.path, expected);
  }

  at(key: string): Wire {
    return new Wire(this.document, `${this.path}.${key}`, this.#object()[key]);
  }

  /** The values of an object, in their order. */
  values(): Wire[] {
    return Object.entries(this.#object()).map(([k, v]) => new Wire(this.document, `${this.path}.${k}`, v));
  }

  items(): Wire[] {
    if (!Array.isArray(this.value)) throw this.wrong("a list");
    return this.value.map((v, i) => new Wire(this.document, `${this.path}[${i}]`, v));
  }

  /** The items of a list; none when it is absent. */
  itemsOrNone(): Wire[] {
    return this.isMissing ? [] : this.items();
  }

  text(): string {
    if (typeof this.value !== "string" || this.value === "") throw this.wrong("text");
    return this.value;
  }

  /** Trimmed; null when absent or blank. */
  textOrNull(): string | null {
    if (this.isMissing) return null;
    return this.text().trim() || null;
  }

  /** A finite number, also one written as text; null when absent. */
  numberOrNull(): number | null {
    if (this.isMissing) return null;
    const number =
      typeof this.value === "string" && DECIMAL.test(this.value) ? Number(this.value) : this.value;
    if (typeof number !== "number" || !Number.isFinite(number)) throw this.wrong("a number");
    return number;
  }

  number(): number {
    const number = this.numberOrNull();
    if (number === null) throw this.wrong("a number");
    return number;
  }

  /** What `read` makes of a text or number; refused when it makes nothing of it. */
  as<T>(read: (value: string) => T | null, expected: string): T {
    if (typeof this.value !== "string" && typeof this.value !== "number") throw this.wrong(expected);
    const result = read(String(this.value));
    if (result === null) throw this.wrong(expected);
    return result;
  }

  #object(): Record<string, unknown> {
    const { value } = this;
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw this.wrong("an object");
    return value as Record<string, unknown>;
  }
}

/** The body of an answer, parsed; UpstreamFailed when it is not whole JSON. */
export function readJson(document: string, answer: UpstreamAnswer): Wire {
  try {
    return new Wire(document, document, JSON.parse(new TextDecoder().decode(answer.bytes)));
  } catch (cause) {
    throw new UpstreamMisread("edgar", `edgar sent a broken ${document}`, {
      upstreamStatus: answer.status,
      cause,
    });
  }
}

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
