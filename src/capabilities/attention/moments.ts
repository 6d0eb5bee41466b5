// The moment whose knowledge is asked for.
import { parseAsOf } from "../../market/known-at.ts";
import { InvalidRequest } from "../../platform/errors.ts";

/** `as_of` as an instant in UTC, null for now; its form was checked with the request. */
export function momentOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  const parsed = parseAsOf(text);
  if (!parsed.ok) throw new InvalidRequest("bad_request", parsed.detail);
  return parsed.at.toString();
}
