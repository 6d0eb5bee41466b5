// Lists every field error of a request in the wording of Pydantic v2, from the TypeBox schemas of its route.
import type { TSchema } from "@sinclair/typebox";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import { Value } from "@sinclair/typebox/value";
import { describeKind } from "../market/params.ts";
import type { FieldError } from "../platform/errors.ts";

/** The parts of a request that a route declares schemas for. */
export interface RequestSchemas {
  readonly params?: TSchema | undefined;
  readonly query?: TSchema | undefined;
  readonly body?: TSchema | undefined;
}

type Section = keyof RequestSchemas;
type UnlocatedError = Omit<FieldError, "loc">;

const PREFIX: Record<Section, string> = { params: "path", query: "query", body: "body" };

/** Errors examined per section, so that a list of a hundred thousand wrong items is not walked to its end. */
const ERRORS_EXAMINED_MAX = 1_000;

/** The error of a value that should be an object. */
export const NOT_AN_OBJECT = {
  type: "model_attributes_type",
  msg: "Input should be a valid dictionary or object to extract fields from",
} as const;

const TRUE = new Set(["true", "1", "yes", "on", "t", "y"]);
const FALSE = new Set(["false", "0", "no", "off", "f", "n"]);

/**
 * Converts a query or path value to the type of its schema; returns it unchanged when that fails, for
 * validation.
 */
function coerce(schema: TSchema | undefined, value: unknown): unknown {
  if (typeof value !== "string" || !schema) return value;
  if (schema.type === "boolean") {
    const text = value.trim().toLowerCase();
    return TRUE.has(text) ? true : FALSE.has(text) ? false : value;
  }
  if (schema.type === "integer" || schema.type === "number") {
    const pattern =
      schema.type === "integer" ? /^[+-]?\d{1,15}(\.0+)?$/ : /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
    return pattern.test(value.trim()) ? Number(value) : value;
  }
  return value;
}

/**
 * Converts query strings to the types of their schema, in place. An empty optional value counts as absent.
 */
export function coerceStrings(schema: TSchema | undefined, values: Record<string, unknown>): void {
  const properties: Record<string, TSchema> | undefined = schema?.properties;
  if (!properties) return;
  for (const name of Object.keys(properties)) {
    const value = values[name];
    if (value === undefined) continue;
    const property = properties[name];
    if (value === "" && !schema?.required?.includes(name) && property?.list !== true) delete values[name];
    else values[name] = coerce(property, value);
  }
}

const number = (value: unknown) => Number(value);

function boundError(error: ValueError): UnlocatedError | null {
  const { schema, type } = error;
  switch (type) {
    case ValueErrorType.IntegerMinimum:
    case ValueErrorType.NumberMinimum:
      return {
        type: "greater_than_equal",
        msg: `Input should be greater than or equal to ${schema.minimum}`,
        ctx: { ge: number(schema.minimum) },
      };
    case ValueErrorType.IntegerMaximum:
    case ValueErrorType.NumberMaximum:
      return {
        type: "less_than_equal",
        msg: `Input should be less than or equal to ${schema.maximum}`,
        ctx: { le: number(schema.maximum) },
      };
    case ValueErrorType.ArrayMaxItems: {
      const actual = Array.isArray(error.value) ? error.value.length : 0;
      return {
        type: "too_long",
        msg: `List should have at most ${schema.maxItems} items after validation, not ${actual}`,
        ctx: { field_type: "List", max_length: schema.maxItems, actual_length: actual },
      };
    }
    case ValueErrorType.ArrayMinItems: {
      const actual = Array.isArray(error.value) ? error.value.length : 0;
      return {
        type: "too_short",
        msg: `List should have at least ${schema.minItems} item${schema.minItems === 1 ? "" : "s"} after validation, not ${actual}`,
        ctx: { field_type: "List", min_length: schema.minItems, actual_length: actual },
      };
    }
    case ValueErrorType.StringMaxLength:
      return {
        type: "string_too_long",
        msg: `String should have at most ${schema.maxLength} characters`,
        ctx: { max_length: schema.maxLength },
      };
    case ValueErrorType.StringMinLength:
      return {
        type: "string_too_short",
        msg: `String should have at least ${schema.minLength} character${schema.minLength === 1 ? "" : "s"}`,
        ctx: { min_length: schema.minLength },
      };
    case ValueErrorType.StringPattern:
      return {
        type: "string_pattern_mismatch",
        msg: `String should match pattern '${schema.pattern}'`,
        ctx: { pattern: schema.pattern },
      };
    default:
      return null;
  }
}

function typeError(error: ValueError): UnlocatedError {
  const text = typeof error.value === "string";
  switch (error.schema.type) {
    case "integer":
      return text
        ? {
            type: "int_parsing",
            msg: "Input should be a valid integer, unable to parse string as an integer",
          }
        : { type: "int_type", msg: "Input should be a valid integer" };
    case "number":
      return text
        ? { type: "float_parsing", msg: "Input should be a valid number, unable to parse string as a number" }
        : { type: "float_type", msg: "Input should be a valid number" };
    case "array":
      return { type: "list_type", msg: "Input should be a valid list" };
    case "object":
      return NOT_AN_OBJECT;
    default:
      return { type: "string_type", msg: "Input should be a valid string" };
  }
}

function fieldErrorOf(error: ValueError): UnlocatedError {
  // For our custom kinds TypeBox first reports a missing field as a value that does not match.
  if (error.type === ValueErrorType.ObjectRequiredProperty || error.value === undefined)
    return { type: "missing", msg: "Field required" };
  return describeKind(error.schema, error.value) ?? boundError(error) ?? typeError(error);
}

/**
 * The name to report when none of the alternatives in `needsOneOf` of a schema is given: the first; else
 * null.
 */
function missingName(schema: TSchema, value: unknown): string | null {
  const names: readonly string[] = schema.needsOneOf ?? [];
  const given = Object(value) as Record<string, unknown>;
  return names.length === 0 || names.some((name) => given[name] !== undefined) ? null : (names[0] ?? null);
}

/** Lists the field errors of a request: the first of each field, since one error often causes others. */
export function listFieldErrors(schemas: RequestSchemas, values: Record<Section, unknown>): FieldError[] {
  const errors: FieldError[] = [];
  for (const section of ["params", "query", "body"] as const) {
    const schema = schemas[section];
    if (!schema) continue;
    const seen = new Set<string>();
    const value = values[section] ?? (section === "body" ? undefined : {});
    const missing = missingName(schema, value);
    if (missing !== null)
      errors.push({ type: "missing", loc: [PREFIX[section], missing], msg: "Field required" });
    let examined = 0;
    for (const error of Value.Errors(schema, value)) {
      if (++examined > ERRORS_EXAMINED_MAX) break;
      const path = error.path.split("/").slice(1);
      const parent = path.slice(0, -1).join("/");
      if (seen.has(error.path) || (path.length > 1 && seen.has(`/${parent}`))) continue;
      seen.add(error.path);
      const loc = path.map((p) =>
        /^\d+$/.test(p) ? Number(p) : p.replaceAll("~1", "/").replaceAll("~0", "~"),
      );
      if (path.length === 0 && value === undefined)
        errors.push({ type: "missing", loc: [PREFIX[section]], msg: "Field required" });
      else errors.push({ loc: [PREFIX[section], ...loc], ...fieldErrorOf(error) });
    }
  }
  return errors;
}
