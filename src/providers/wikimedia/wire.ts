// Reads Wikimedia's JSON; a body of another shape is rejected as a whole.
import { type UpstreamFailed, UpstreamMisread } from "../../platform/errors.ts";
import { type Fields, isFields, jsonOf } from "../../platform/upstream/json-place.ts";
import type { UpstreamAnswer } from "../../platform/upstream/policy.ts";

export const changed = (document: string, expected: string): UpstreamFailed =>
  new UpstreamMisread("wikimedia", `wikimedia changed the shape of ${document}: ${expected}`);

/** The JSON object of an answer. Throws UpstreamFailed. */
export function bodyOf(answer: UpstreamAnswer, document: string): Fields {
  const body = jsonOf("wikimedia", document, answer);
  if (!isFields(body)) throw changed(document, "it should be an object");
  return body;
}

/** A list whose items are objects. */
export function listOf(value: unknown, document: string, path: string): readonly Fields[] {
  if (!Array.isArray(value) || !value.every(isFields))
    throw changed(document, `${path} should be a list of objects`);
  return value;
}

export function requiredText(value: unknown, document: string, path: string): string {
  if (typeof value !== "string" || value === "") throw changed(document, `${path} should be text`);
  return value;
}

export const textOrNull = (value: unknown): string | null =>
  typeof value === "string" && value !== "" ? value : null;

export const countOrNull = (value: unknown): number | null =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;

/** An article's title as part of a URL path. */
export const pathOf = (title: string): string => encodeURIComponent(title.replaceAll(" ", "_"));
