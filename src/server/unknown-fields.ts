// Parameters that a route does not know. A moment under a wrong name is refused, since an answer about now
// would be taken for one about then; others are ignored, and the answer names them.
import { distance } from "fastest-levenshtein";
import { type FieldError, InvalidFields } from "../platform/errors.ts";
import type { RequestSchemas } from "./field-errors.ts";

/** Names of a moment elsewhere, in lower case. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  asof: "as_of",
  "as-of": "as_of",
  as_of_time: "as_of",
  asof_date: "as_of",
  point_in_time: "as_of",
  // FRED's own vintages have names of their own, which are forwarded.
  vintage: "realtime_start",
  vintage_date: "realtime_start",
};
const NAMES = ["as_of", "as_of_date", "data_version", "start_date", "end_date"];
const MOMENTS: readonly string[] = ["as_of", "as_of_date"];
/** A shorter name is no misspelt one of these. */
// `as_off` is taken for as_of; `as_o`, of four letters, is only unknown.
const MISSPELT_CHARS_MIN = 5;
/** Cache busters of clients. */
const WITHOUT_WORD = new Set(["_", "format"]);
/** Names that a warning repeats, and how much of each. */
const NAMED_MAX = 10;
const NAME_CHARS_MAX = 60;

type Part = "query" | "body";

/** The name that a client meant; null where it is none of those that choose what an answer is about. */
function meantBy(name: string): string | null {
  const lower = name.toLowerCase();
  const other = OTHER_NAMES[lower];
  if (other !== undefined) return other;
  if (name.length < MISSPELT_CHARS_MIN) return null;
  return NAMES.find((each) => distance(lower, each) <= 1) ?? null;
}

/** Returns the name to write in place of one; undefined where the route ignores it without harm. */
function inPlaceOf(name: string, known: readonly string[]): string | null | undefined {
  const meant = meantBy(name);
  if (meant === null) return undefined;
  if (known.includes(meant)) return meant;
  // A vintage, and the older name of dividends' moment, are elsewhere the moment.
  if (known.includes("as_of") && (MOMENTS.includes(meant) || meant === "realtime_start")) return "as_of";
  // A route about now says so of the right name.
  if (name === meant || (!MOMENTS.includes(meant) && meant !== "realtime_start")) return undefined;
  return null;
}

/** The warning of a parameter that the route of an answer ignored. */
const ignored = (name: string) =>
  MOMENTS.includes(name)
    ? `This route has no ${name}: the parameter is ignored, and the answer is about now.`
    : `This route has no parameter ${name.slice(0, NAME_CHARS_MAX)}: it is ignored.`;

/**
 * Returns a warning for each parameter that a route does not know and ignores. Throws InvalidFields for a
 * moment under a wrong name.
 */
export function unknownFields(
  schemas: RequestSchemas,
  given: Readonly<Record<Part, object>>,
): readonly string[] {
  const known = [schemas.query, schemas.body].flatMap((schema) => Object.keys(schema?.properties ?? {}));
  const unknown = (["query", "body"] as const).flatMap((part) => {
    if (schemas[part]?.additionalProperties === true) return [];
    const own = Object.keys(schemas[part]?.properties ?? {});
    const names = Object.keys(given[part]);
    return names
      .filter((name) => !own.includes(name) && !WITHOUT_WORD.has(name))
      .map((name) => ({ part, name }));
  });
  const errors = unknown.flatMap(({ part, name }): FieldError[] => {
    const right = inPlaceOf(name, known);
    if (right === undefined) return [];
    const use = right === null ? "this route has none, its answers are about now" : `use ${right}`;
    const ctx = right === null ? {} : { ctx: { expected: right } };
    return [{ type: "extra_forbidden", loc: [part, name], msg: `Unknown parameter: ${use}`, ...ctx }];
  });
  if (errors.length > 0) throw new InvalidFields(errors);
  const warnings = unknown.slice(0, NAMED_MAX).map(({ name }) => ignored(name));
  const left = unknown.length - warnings.length;
  return left > 0 ? [...warnings, `${left} more are ignored.`] : warnings;
}
