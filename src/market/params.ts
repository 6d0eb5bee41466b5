// The request fields that routes share, as TypeBox: one declaration gives the check, the type and the
// documentation.
import { Kind, type StaticDecode, type TSchema, Type, TypeRegistry } from "@sinclair/typebox";
import { type FieldError, InvalidRequest } from "../platform/errors.ts";
import { isDataVersion } from "./data-version.ts";
import { isRealDay, YEAR_MAX, YEAR_MIN } from "./date.ts";
import { parseAsOf } from "./known-at.ts";
import { parseMoment } from "./moment.ts";
import { isTicker, parseTickers, TICKER_PATTERN } from "./ticker.ts";
import { isDate, PERIODS } from "./time-span.ts";

type ValueError = Omit<FieldError, "loc">;
/** Checks a value of a kind that TypeBox does not know: gives what is wrong with it, or null. */
type Describe = (schema: Record<string, unknown>, value: unknown) => ValueError | null;

const describers = new Map<string, Describe>();

function kind(name: string, describe: Describe): string {
  describers.set(name, describe);
  TypeRegistry.Set<Record<string, unknown>>(name, (schema, value) => describe(schema, value) === null);
  return name;
}

/** Returns the error of a value whose kind is declared here; null for kinds that TypeBox checks itself. */
export function describeKind(schema: TSchema, value: unknown): ValueError | null {
  return describers.get(schema[Kind])?.(schema, value) ?? null;
}

const quoted = (values: readonly unknown[]) => {
  const shown = values.map((v) => `'${v}'`);
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} or ${shown.at(-1)}`;
};

const notAString: ValueError = { type: "string_type", msg: "Input should be a valid string" };
const valueError = (text: string): ValueError => ({ type: "value_error", msg: `Value error, ${text}` });

/** The one of `names` that `given` is, in any case; undefined when it is none of them. */
export const nameIn = <T extends string>(names: readonly T[], given: string): T | undefined =>
  names.find((name) => name.toLowerCase() === given.trim().toLowerCase());

const ENUM = kind("AsofEnum", (schema, value) => {
  const allowed = schema.enum as readonly string[];
  if (allowed.includes(value as string)) return null;
  if (schema.anyCase === true && typeof value === "string" && nameIn(allowed, value)) return null;
  const expected = quoted(allowed);
  return { type: "literal_error", msg: `Input should be ${expected}`, ctx: { expected } };
});

/** Not TypeBox's own boolean, for which the router would decode the whole query on every request. */
const FLAG = kind("AsofFlag", (_schema, value) => {
  if (typeof value === "boolean") return null;
  return typeof value === "string"
    ? { type: "bool_parsing", msg: "Input should be a valid boolean, unable to interpret input" }
    : { type: "bool_type", msg: "Input should be a valid boolean" };
});

const realDay: Describe = (_schema, value) => {
  if (typeof value !== "string") return notAString;
  if (isRealDay(value)) return null;
  return {
    type: "date_from_datetime_parsing",
    msg: "Input should be a valid date or datetime, expected an existing day as YYYY-MM-DD",
  };
};

/** A day of any year: one outside of YEAR_MIN to YEAR_MAX exists, and is refused by `outOfRange`. */
const DATE = kind("AsofDate", realDay);

const AS_OF = kind("AsofAsOf", (_schema, value) => {
  if (typeof value !== "string") return notAString;
  const parsed = parseAsOf(value);
  return parsed.ok || isOutOfRange(value.slice(0, 10)) ? null : valueError(parsed.detail);
});

const VERSION = kind("AsofDataVersion", (_schema, value) => {
  // A body may write the number as a number.
  if (typeof value !== "string" && typeof value !== "number") return notAString;
  if (isDataVersion(String(value))) return null;
  return valueError(
    "data_version must be a number, such as 4127, or the name of a version, such as q3-paper.",
  );
});

const MOMENT = kind("AsofMoment", (_schema, value) => {
  if (typeof value !== "string") return notAString;
  const parsed = parseMoment(value);
  return parsed.ok ? null : valueError(parsed.detail);
});

/** The words of a comma list or an array: trimmed, in lower case, each once. */
export const wordsOf = (given: string | readonly string[]): string[] => [
  ...new Set(
    (typeof given === "string" ? [given] : given)
      .flatMap((part) => part.split(","))
      .map((word) => word.trim().toLowerCase())
      .filter(Boolean),
  ),
];

const isWords = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((word) => typeof word === "string");

const WORDS = kind("AsofWords", (schema, value) => {
  if (schema.type === "array" && !Array.isArray(value))
    return { type: "list_type", msg: "Input should be a valid list" };
  if (schema.type === "string" ? typeof value !== "string" : !isWords(value)) return notAString;
  const least = (schema.minItems as number | undefined) ?? 0;
  if (Array.isArray(value) && value.length < least)
    return {
      type: "too_short",
      msg: `List should have at least ${least} item after validation, not ${value.length}`,
      ctx: { field_type: "List", min_length: least, actual_length: value.length },
    };
  const allowed = schema.words as readonly string[];
  if (wordsOf(value as string | readonly string[]).every((word) => allowed.includes(word))) return null;
  const expected = quoted(allowed);
  return { type: "literal_error", msg: `Input should be ${expected}`, ctx: { expected } };
});

const TICKER = kind("AsofTicker", (_schema, value) => {
  if (typeof value !== "string") return notAString;
  if (isTicker(value.trim())) return null;
  return {
    type: "string_pattern_mismatch",
    msg: `String should match pattern '${TICKER_PATTERN.source}'`,
    ctx: { pattern: TICKER_PATTERN.source },
  };
});

function checkTickers(schema: Record<string, unknown>, raw: string | readonly string[]): ValueError | null {
  const { tickers, invalid } = parseTickers(raw);
  const max = Number(schema.maxTickers);
  if (invalid.length > 0)
    return valueError(`${invalid.length} of the tickers are not of the form ${TICKER_PATTERN.source}`);
  if (tickers.length <= max) return null;
  return {
    type: "too_long",
    msg: `List should have at most ${max} items after validation, not ${tickers.length}`,
    ctx: { field_type: "List", max_length: max, actual_length: tickers.length },
  };
}

const TICKER_LIST = kind("AsofTickerList", (schema, value) =>
  typeof value === "string" ? checkTickers(schema, value) : notAString,
);

const TICKER_ARRAY = kind("AsofTickerArray", (schema, value) => {
  if (!Array.isArray(value)) return { type: "list_type", msg: "Input should be a valid list" };
  if (!value.every((v): v is string => typeof v === "string")) return notAString;
  if (value.length === 0)
    return {
      type: "too_short",
      msg: "List should have at least 1 item after validation, not 0",
      ctx: { field_type: "List", min_length: 1, actual_length: 0 },
    };
  return checkTickers(schema, value);
});

const unsafe = <T>(name: string, schema: Record<string, unknown>) =>
  Type.Unsafe<T>({ [Kind]: name, ...schema });

/** One of a fixed set of words. */
export const oneOf = <const T extends string>(values: readonly T[], description: string, preset?: T) =>
  unsafe<T>(ENUM, { type: "string", enum: [...values], description, ...(preset ? { default: preset } : {}) });

/** One of a fixed set of names, in upper or lower case; read it with `nameIn`. */
export const nameOf = <const T extends string>(names: readonly T[], description: string, preset?: T) =>
  unsafe<string>(ENUM, {
    type: "string",
    enum: [...names],
    anyCase: true,
    description: `${description} Case does not matter.`,
    ...(preset ? { default: preset } : {}),
  });

/** Some of a fixed set of words, as a comma list in a query; read it with `wordsOf`. */
export const wordList = (words: readonly string[], description: string) =>
  unsafe<string>(WORDS, {
    type: "string",
    words,
    list: true,
    description: `${description} Comma-separated list of ${words.join(", ")}.`,
    examples: [words.slice(0, 2).join(",")],
  });

/**
 * Some of a fixed set of words, as an array in a body; `minItems: 1` where an empty list would ask for
 * nothing.
 */
export const wordArray = (words: readonly string[], description: string, bounds: { minItems?: 1 } = {}) =>
  unsafe<string[]>(WORDS, {
    type: "array",
    items: { type: "string", enum: [...words] },
    ...bounds,
    words,
    description,
    examples: [words.slice(0, 2)],
  });

/** A moment; read it with `parseMoment`. */
export const momentField = (description: string) =>
  unsafe<string>(MOMENT, {
    type: "string",
    description: `${description} ISO 8601. Without a zone it is New York time; a date alone means its end in New York.`,
    examples: ["2026-09-04T11:30:00", "2026-09-04T15:30:00Z"],
  });

/** A calendar day. */
export const dateField = (description: string, example = "2026-09-04") =>
  unsafe<string>(DATE, { type: "string", format: "date", description, examples: [example] });

const ANY_DATE = kind("AsofAnyDate", realDay);

/** A calendar day of any year: archives reach back before 1900, and 9999-12-31 means no end. */
export const anyDateField = (description: string, example: string) =>
  unsafe<string>(ANY_DATE, { type: "string", format: "date", description, examples: [example] });

/** One ticker, as the client writes it. */
export const tickerField = (
  description = "Symbol in any common spelling: BRK.B, BRK-B and BRK/B mean the same. Answers repeat your spelling.",
) =>
  unsafe<string>(TICKER, { type: "string", pattern: TICKER_PATTERN.source, description, examples: ["AAPL"] });

/** A comma-separated list of tickers in a query; duplicates count once. */
export const tickerList = (max: number, description: string) =>
  unsafe<string>(TICKER_LIST, {
    type: "string",
    maxTickers: max,
    list: true,
    description,
    examples: ["AAPL,MSFT,BRK-B"],
  });

/** A warning for each ticker that a list of a request gives in two spellings: it is answered once. */
// "ZORP,zorp" is answered as ZORP; "ZORP,ZORP" is a repetition, which needs no word.
export function spellingsIn(schema: TSchema | undefined, values: object): string[] {
  const lists = Object.entries<TSchema>(schema?.properties ?? {}).filter(([, property]) =>
    [TICKER_LIST, TICKER_ARRAY].includes(String(property[Kind])),
  );
  return lists.flatMap(([name]) => {
    const raw: unknown = Object(values)[name];
    if (typeof raw !== "string" && !isWords(raw)) return [];
    return parseTickers(raw).respelled.map(
      ({ ticker, other }) => `${other} is the same as ${ticker}: it is answered once, as ${ticker}.`,
    );
  });
}

/** An array of tickers in a body; duplicates count once. */
export const tickerArray = (max: number) =>
  unsafe<string[]>(TICKER_ARRAY, {
    type: "array",
    minItems: 1,
    items: { type: "string", pattern: TICKER_PATTERN.source },
    maxTickers: max,
    description: `Symbols, at most ${max} after duplicates are removed.`,
    examples: [["AAPL", "MSFT"]],
  });

/** true/false, also 1/0, yes/no, on/off in a query. `preset` null: omitting the field means neither. */
export const flag = (description: string, preset: boolean | null = false) =>
  unsafe<boolean>(FLAG, { type: "boolean", description, ...(preset === null ? {} : { default: preset }) });

/** A whole number within bounds. */
export const wholeNumber = (
  description: string,
  bounds: { minimum?: number; maximum?: number; default?: number; examples?: number[] },
) => Type.Integer({ description, ...bounds });

/** A number of rows or days, from 1 to `maximum`, that may be left out. */
export const countField = (description: string, maximum: number, preset: number) =>
  Type.Optional(wholeNumber(description, { minimum: 1, maximum, default: preset }));

/** A number of rows to skip, up to `maximum`; none when it is left out. */
export const skipField = (description: string, maximum: number) =>
  Type.Optional(wholeNumber(description, { minimum: 0, maximum, default: 0 }));

export const forceRefresh = flag(
  "Ask the upstream provider again instead of answering from what is stored or cached.",
);

const AS_OF_TEXT =
  "Answer with what this service knew at that moment: a date (the end of that day in New York) or an RFC 3339 instant with zone. Nothing is fetched. A moment in the future means now, and the header X-As-Of shows it. Default: everything known.";
/** An `as_of` field; a description of its own says when a row counts as known. */
export const asOfField = (description = AS_OF_TEXT) =>
  unsafe<string>(AS_OF, {
    type: "string",
    description,
    examples: ["2026-09-04", "2026-09-04T15:30:00Z"],
  });

export const dataVersionField = unsafe<string>(VERSION, {
  type: "string",
  description:
    "Answer from the store as it was at this version: a number that X-Data-Version of an earlier answer gave, or a name (GET /versions). The same request gives the same rows and figures; no provider is asked, and nothing is stored. Without as_of, the time of the version's commit counts as now. Default: the newest state.",
  examples: ["4127", "q3-paper"],
});

/** The optional `as_of` and `data_version` of a route. */
export const asOfFields = (description?: string) => ({
  as_of: Type.Optional(asOfField(description)),
  data_version: Type.Optional(dataVersionField),
});

/** Whether a part of a request (query or body) has the field `data_version` as declared here. */
export const takesDataVersion = (schema: TSchema | undefined): boolean =>
  schema?.properties?.data_version?.[Kind] === VERSION;

/** Names of the fields that hold an `as_of`, in one part of a request (query or body). */
export const asOfFieldsOf = (schema: TSchema | undefined): string[] =>
  Object.entries<TSchema>(schema?.properties ?? {})
    .filter(([, property]) => property[Kind] === AS_OF)
    .map(([name]) => name);

/** Names of the fields whose day must lie within YEAR_MIN and YEAR_MAX, in one part of a request. */
export const dayFieldsOf = (schema: TSchema | undefined): string[] =>
  Object.entries<TSchema>(schema?.properties ?? {})
    .filter(([, property]) => isDayField(property))
    .map(([name]) => name);

/** Whether a field holds a day or a moment of a bounded year. */
export const isDayField = (schema: TSchema | undefined): boolean =>
  schema?.[Kind] === DATE || schema?.[Kind] === AS_OF;

const isOutOfRange = (day: string) => isRealDay(day) && !isDate(day);

/** Throws `invalid_date_range` where a field has an existing day of a year that no request means. */
// 1800-01-01 and 9999-12-31 are such days; 2026-02-30 is none at all.
export function refuseOutOfRange(names: readonly string[], values: Readonly<Record<string, unknown>>): void {
  for (const name of names) {
    const day = String(values[name]).slice(0, 10);
    if (isOutOfRange(day))
      throw new InvalidRequest(
        "invalid_date_range",
        `${name} ${day} is out of range: days are from ${YEAR_MIN}-01-01 to ${YEAR_MAX}-12-31.`,
      );
  }
}

/** The optional `format`; a description of its own says what the rows are. */
export const formatField = (
  description = "Format of the answer; the others hold its rows and are streamed, ndjson and csv with one row per line; records is a JSON array of flat rows. The Accept header can select it too. Default: json.",
) => Type.Optional(oneOf(["json", "ndjson", "csv", "parquet", "arrow", "records"], description));

/** The query of a route whose only field is the format. */
export const FormatQuery = Type.Object({ format: formatField() });

const quarterPattern = "^\\d{4}Q[1-4]$";

/** The ways to select time in a GET: period or dates. */
export const spanQuery = {
  period: Type.Optional(
    oneOf(
      PERIODS,
      "Span counted back from as_of, or from today without it; cannot be combined with dates. 1m is one calendar month; max is all history.",
    ),
  ),
  start_date: Type.Optional(
    dateField("First day, inclusive. Without end_date: all days since.", "2026-08-03"),
  ),
  end_date: Type.Optional(
    dateField("Last day, inclusive; requires start_date. Default: today, or the day of as_of."),
  ),
};

/** The ways to select time in a POST: period, dates or quarters, exactly one of them. */
export const spanBody = {
  ...spanQuery,
  quarters: Type.Optional(
    Type.Array(Type.String({ pattern: quarterPattern }), {
      minItems: 1,
      maxItems: 80,
      description: "Calendar quarters such as 2026Q1.",
      examples: [["2026Q1", "2026Q2"]],
    }),
  ),
};

export type Decoded<T extends TSchema> = StaticDecode<T>;
