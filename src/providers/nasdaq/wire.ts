// Reads Nasdaq's JSON field by field; an unexpected shape is an error that names the path.
import { JsonPlace } from "../../platform/upstream/json-place.ts";
import { dateOf, monthOf, numberOf } from "./parse/written.ts";

export const UPSTREAM = "nasdaq";

/** One place in an answer of Nasdaq. */
export class Wire extends JsonPlace {
  protected get upstream() {
    return UPSTREAM;
  }

  /** A number, plain or as text (`$1.74`, `($0.35)`, `8`); null for `N/A` and the like. */
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
