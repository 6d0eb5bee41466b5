// Reads the brokerage feed's JSON field by field; an unexpected shape is an error that names the field.
import { type UpstreamFailed, UpstreamMisread } from "../../platform/errors.ts";
import { type Fields, isFields, jsonOf } from "../../platform/upstream/json-place.ts";
import type { UpstreamAnswer } from "../../platform/upstream/policy.ts";

export const UPSTREAM = "marketfeed";

export function shapeChanged(path: string, expected: string): UpstreamFailed {
  return new UpstreamMisread(UPSTREAM, `The brokerage feed changed its shape: ${path} should be ${expected}`);
}

export function fieldsOf(value: unknown, path: string): Fields {
  if (!isFields(value)) throw shapeChanged(path, "an object");
  return value;
}

/** The items of a list; empty when it is absent or null. */
export function itemsOf(value: unknown, path: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw shapeChanged(path, "a list");
  return value;
}

/** A finite number; null when absent or null. */
export function numberOf(value: unknown, path: string): number | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== "number" || !Number.isFinite(value)) throw shapeChanged(path, "a finite number");
  return value;
}

/** A price; null when absent, null or 0, which the feed writes for "no price". */
export function priceOf(value: unknown, path: string): number | null {
  const price = numberOf(value, path);
  if (price !== null && price < 0) throw shapeChanged(path, "a price");
  return price === 0 ? null : price;
}

export function requiredText(value: unknown, path: string): string {
  if (typeof value !== "string" || value === "") throw shapeChanged(path, "text");
  return value;
}

const WHOLE_SECOND = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;

/** Parses RFC 3339 with up to nine decimals of a second, truncated to the millisecond. */
export function instantOf(value: unknown, path: string): Temporal.Instant {
  try {
    // The many bars start on whole seconds; Date.parse takes a tenth of the time.
    if (typeof value === "string" && WHOLE_SECOND.test(value))
      return Temporal.Instant.fromEpochMilliseconds(Date.parse(value));
    return Temporal.Instant.from(requiredText(value, path)).round({
      smallestUnit: "millisecond",
      roundingMode: "floor",
    });
  } catch {
    throw shapeChanged(path, "an instant");
  }
}

/** The JSON body of an answer. Throws UpstreamFailed when it is not complete JSON. */
export const readJson = (answer: UpstreamAnswer): unknown => jsonOf(UPSTREAM, "answer", answer);
