// Reads Nasdaq's JSON field by field: what is of another shape than expected is named by its path and refused.
import { type UpstreamFailed, UpstreamMisread } from "../../platform/errors.ts";
import { dateOf, monthOf, numberOf } from "./parse/written.ts";

/** One place in an answer. Only what is asked for is checked, all else is tolerated. */
export class Wire {
  constructor(
    readonly document: string,
    readonly path: string,
    readonly value: unknown,
  ) {}

  get isMissing(): boolean {
    return this.value === undefined || this.value === null;
  }

  /** The error that this place is not what it should be; nothing of such an answer is used. */
  wrong(expected: string): UpstreamFailed {
    return new UpstreamMisread(
      "nasdaq",
      `nasdaq changed the shape of ${this.document}: ${this.path} should be ${expected}`,
    );
  }

  at(key: string): Wire {
    if (typeof this.value !== "object" || this.value === null || Array.isArray(this.value))
      throw this.wrong("an object");
    return new Wire(this.document, `${this.path}.${key}`, (this.value as Record<string, unknown>)[key]);
  }

  /** The items of a list; none when it is absent or null. */
  itemsOrNone(): Wire[] {
    if (this.isMissing) return [];
    if (!Array.isArray(this.value)) throw this.wrong("a list");
    return this.value.map((v, i) => new Wire(this.document, `${this.path}[${i}]`, v));
  }

  text(): string {
    const text = this.textOrNull();
    if (text === null) throw this.wrong("text");
    return text;
  }

  /** Trimmed; null when absent or blank. */
  textOrNull(): string | null {
    if (this.isMissing) return null;
    if (typeof this.value !== "string") throw this.wrong("text");
    return this.value.trim() || null;
  }

  /** A number, or one in words (`$1.74`, `($0.35)`, `8`); null for `N/A` and the like. */
  numberOrNull(): number | null {
    if (this.isMissing) return null;
    const number = numberOf(this.value);
    if (number === undefined) throw this.wrong("a number, an amount of money or N/A");
    return number;
  }

  /** `7/01/2024` as `2024-07-01`; null for `N/A` and the like. */
  dateOrNull(): string | null {
    const text = this.textOrNull();
    if (text === null) return null;
    const date = dateOf(text);
    if (date === undefined) throw this.wrong("a date written M/D/YYYY or N/A");
    return date;
  }

  /** `May/2024` or `Jul 2026` as `2024-05`; null for `N/A` and the like. */
  monthOrNull(): string | null {
    const text = this.textOrNull();
    if (text === null) return null;
    const month = monthOf(text);
    if (month === undefined) throw this.wrong("a month and a year or N/A");
    return month;
  }
}
