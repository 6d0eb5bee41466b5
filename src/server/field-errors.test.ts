import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import {
  dateField,
  flag,
  oneOf,
  tickerArray,
  tickerField,
  tickerList,
  wholeNumber,
} from "../market/params.ts";
import { coerceStrings, listFieldErrors } from "./field-errors.ts";

const query = Type.Object({
  interval: Type.Optional(oneOf(["1d", "1w", "1mo"], "")),
  limit: Type.Optional(wholeNumber("", { minimum: 1, maximum: 500 })),
  ratio: Type.Optional(Type.Number()),
  force: Type.Optional(flag("")),
  start_date: dateField(""),
  tickers: tickerList(3, ""),
});

function faultsOf(values: Record<string, unknown>) {
  const copy = { ...values };
  coerceStrings(query, copy);
  return listFieldErrors({ query }, { params: {}, query: copy, body: undefined });
}

describe("listFieldErrors", () => {
  test("a valid query has no errors, and its strings are converted", () => {
    const values: Record<string, unknown> = {
      start_date: "2024-02-29",
      tickers: "A,B,a",
      limit: "5",
      ratio: "1e3",
      force: "Yes",
    };
    coerceStrings(query, values);
    expect(values).toEqual({
      start_date: "2024-02-29",
      tickers: "A,B,a",
      limit: 5,
      ratio: 1000,
      force: true,
    });
    expect(listFieldErrors({ query }, { params: {}, query: values, body: undefined })).toEqual([]);
  });

  test("every error is listed at once, in the wording of Pydantic", () => {
    expect(
      faultsOf({
        interval: "2d",
        limit: "x",
        ratio: "y",
        force: "maybe",
        start_date: "2026-02-30",
        tickers: "A,B,C,D",
      }),
    ).toEqual([
      {
        type: "literal_error",
        loc: ["query", "interval"],
        msg: "Input should be '1d', '1w' or '1mo'",
        ctx: { expected: "'1d', '1w' or '1mo'" },
      },
      {
        type: "int_parsing",
        loc: ["query", "limit"],
        msg: "Input should be a valid integer, unable to parse string as an integer",
      },
      {
        type: "float_parsing",
        loc: ["query", "ratio"],
        msg: "Input should be a valid number, unable to parse string as a number",
      },
      {
        type: "bool_parsing",
        loc: ["query", "force"],
        msg: "Input should be a valid boolean, unable to interpret input",
      },
      {
        type: "date_from_datetime_parsing",
        loc: ["query", "start_date"],
        msg: "Input should be a valid date or datetime, expected an existing day as YYYY-MM-DD",
      },
      {
        type: "too_long",
        loc: ["query", "tickers"],
        msg: "List should have at most 3 items after validation, not 4",
        ctx: { field_type: "List", max_length: 3, actual_length: 4 },
      },
    ]);
  });

  test("missing fields and bounds", () => {
    expect(faultsOf({ limit: "0" })).toEqual([
      { type: "missing", loc: ["query", "start_date"], msg: "Field required" },
      { type: "missing", loc: ["query", "tickers"], msg: "Field required" },
      {
        type: "greater_than_equal",
        loc: ["query", "limit"],
        msg: "Input should be greater than or equal to 1",
        ctx: { ge: 1 },
      },
    ]);
    expect(faultsOf({ start_date: "2026-01-02", tickers: "A", limit: "501" })).toEqual([
      {
        type: "less_than_equal",
        loc: ["query", "limit"],
        msg: "Input should be less than or equal to 500",
        ctx: { le: 500 },
      },
    ]);
  });

  test.each(["1.5", "1e400", "0x10", "99999999999999999999", "--1", "NaN", "Infinity"])(
    "%s is no whole number",
    (limit) => {
      expect(faultsOf({ start_date: "2026-01-02", tickers: "A", limit }).map((f) => f.type)).toEqual([
        "int_parsing",
      ]);
    },
  );

  test("an empty optional value counts as absent; an empty required one does not", () => {
    expect(faultsOf({ start_date: "", tickers: "A", limit: "" }).map((f) => [f.type, f.loc[1]])).toEqual([
      ["date_from_datetime_parsing", "start_date"],
    ]);
  });

  test("errors of path and body are listed beside those of the query", () => {
    const params = Type.Object({ ticker: tickerField() });
    const body = Type.Object({ tickers: tickerArray(2), n: Type.Integer() });
    expect(
      listFieldErrors(
        { params, query, body },
        {
          params: { ticker: "a b" },
          query: { start_date: "x", tickers: "A" },
          body: { tickers: [1], n: "2" },
        },
      ),
    ).toEqual([
      expect.objectContaining({ type: "string_pattern_mismatch", loc: ["path", "ticker"] }),
      expect.objectContaining({ type: "date_from_datetime_parsing", loc: ["query", "start_date"] }),
      { type: "string_type", loc: ["body", "tickers"], msg: "Input should be a valid string" },
      {
        type: "int_parsing",
        loc: ["body", "n"],
        msg: "Input should be a valid integer, unable to parse string as an integer",
      },
    ]);
    expect(listFieldErrors({ body }, { params: {}, query: {}, body: undefined })).toEqual([
      { type: "missing", loc: ["body"], msg: "Field required" },
    ]);
    expect(listFieldErrors({ body }, { params: {}, query: {}, body: [1] }).map((f) => f.type)).toEqual([
      "model_attributes_type",
    ]);
  });

  test("no error repeats the input", () => {
    expect(
      JSON.stringify(
        faultsOf({ interval: "s3cret", limit: "s3cret", start_date: "s3cret", tickers: "s3cret!" }),
      ),
    ).not.toContain("s3cret");
  });
});
