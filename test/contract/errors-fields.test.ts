// Fields of the wrong form on every price route: 422, each with its place and Pydantic's words for it
// (docs/contract.md).
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { ALL, faultsOf, LONG, P, ROUTES, type Route, requestOf } from "../support/price-requests.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

let service: SampleService;
beforeAll(async () => {
  service = await openSampleService();
});
afterAll(() => service.stop());

const quoted = (values: readonly string[]) => {
  const shown = values.map((v) => `'${v}'`);
  return `${shown.slice(0, -1).join(", ")} or ${shown.at(-1)}`;
};
const literal = (...values: string[]) => ({
  type: "literal_error",
  msg: `Input should be ${quoted(values)}`,
  ctx: { expected: quoted(values) },
});
const MISSING = { type: "missing", msg: "Field required" };
const BAD_DATE = {
  type: "date_from_datetime_parsing",
  msg: "Input should be a valid date or datetime, expected an existing day as YYYY-MM-DD",
};
const BAD_BOOL = { type: "bool_parsing", msg: "Input should be a valid boolean, unable to interpret input" };
const NO_TEXT = { type: "string_type", msg: "Input should be a valid string" };
const PATTERN = "^[A-Za-z0-9.\\-/^=]{1,15}$";
const mismatch = (pattern: string) => ({
  type: "string_pattern_mismatch",
  msg: `String should match pattern '${pattern}'`,
  ctx: { pattern },
});
const tooLong = (max: number, actual: number) => ({
  type: "too_long",
  msg: `List should have at most ${max} items after validation, not ${actual}`,
  ctx: { field_type: "List", max_length: max, actual_length: actual },
});

const PERIODS = ["1d", "7d", "30d", "1m", "3m", "6m", "1y", "2y", "5y", "max"];
const HISTORY = ["1d", "5d", "1w", "1wk", "1m", "1mo", "1h"];
const INTRADAY = ["1m", "1min", "5m", "5min", "15m", "15min", "30m", "30min", "1h", "60m", "60min", "1hour"];
const INTERVALS: Readonly<Record<string, readonly string[]>> = {
  [ROUTES.one.name]: HISTORY,
  [ROUTES.post.name]: HISTORY,
  [ROUTES.bulk.name]: HISTORY,
  [ROUTES.many.name]: ["1d", "1w", "1mo"],
  [ROUTES.intradayMany.name]: INTRADAY,
  [ROUTES.intraday.name]: [...INTRADAY, "2m", "90m"],
};
const BAD_DATES = [
  "2026-02-30",
  "2025-02-29",
  "2026-13-01",
  "0000-00-00",
  "2026-9-4",
  "20260904",
  "tomorrow",
  "1e309",
];

/** Wrong values of one field by its name: as text for queries, as JSON for bodies. */
function wrongValues(route: Route, field: string): [value: unknown, fault: object][] {
  const inBody = route.method === "POST";
  const typed = (error: object) =>
    inBody
      ? ([
          [17, error],
          [{ a: 1 }, error],
        ] as [unknown, object][])
      : [];
  if (/^(start|end)(_date)?$/.test(field))
    return [...BAD_DATES.map((d) => [d, BAD_DATE] as [unknown, object]), ...typed(NO_TEXT)];
  if (field === "period")
    return [["1M", literal(...PERIODS)], ["9y", literal(...PERIODS)], ...typed(literal(...PERIODS))];
  if (field === "interval") {
    const error = literal(...(INTERVALS[route.name] ?? []));
    return [["1D", error], ["7m", error], ["1d,1w", error], ...typed(error)];
  }
  if (field === "format")
    return ["xml", "CSV"].map((v) => [v, literal("json", "ndjson", "csv", "parquet", "arrow", "records")]);
  if (["force_refresh", "revisions", "use_prepost"].includes(field))
    return inBody
      ? [
          ["maybe", BAD_BOOL],
          [2, { type: "bool_type", msg: "Input should be a valid boolean" }],
        ]
      : [
          ["maybe", BAD_BOOL],
          ["2", BAD_BOOL],
          ["truefalse", BAD_BOOL],
        ];
  if (field === "as_of")
    return [
      ["soon", { type: "value_error", msg: expect.stringMatching(/^Value error, as_of /) }],
      ["2026-09-04T15:30:00", { type: "value_error", msg: expect.stringContaining("zone") }],
      ["2026-02-30", { type: "value_error", msg: expect.stringMatching(/^Value error, as_of /) }],
    ];
  if (field === "quarters")
    return [
      ["2026Q1", { type: "list_type", msg: "Input should be a valid list" }],
      [
        [],
        {
          type: "too_short",
          msg: "List should have at least 1 item after validation, not 0",
          ctx: { field_type: "List", min_length: 1, actual_length: 0 },
        },
      ],
      [Array(81).fill("2026Q1"), tooLong(80, 81)],
    ];
  const wrongForm = {
    type: "value_error",
    msg: `Value error, 1 of the tickers are not of the form ${PATTERN}`,
  };
  if (inBody && field === "tickers")
    return [
      ["ZORP", { type: "list_type", msg: "Input should be a valid list" }],
      [
        [],
        {
          type: "too_short",
          msg: "List should have at least 1 item after validation, not 0",
          ctx: { field_type: "List", min_length: 1, actual_length: 0 },
        },
      ],
      [["ZORP", 1], NO_TEXT],
      [["ZORP", "a b"], wrongForm],
      [LONG.slice(0, 101), tooLong(100, 101)],
    ];
  if (field === "tickers" || (field === "ticker" && !inBody))
    return [
      ["ZORP,a b", wrongForm],
      ["ZORP,<script>", wrongForm],
      [LONG.join(","), tooLong(500, 501)],
    ];
  return [
    ["", mismatch(PATTERN)],
    ["WAYTOOLONGTICKER", mismatch(PATTERN)],
    ["A\u0000", mismatch(PATTERN)],
    ["..", mismatch(PATTERN)],
    ...typed(NO_TEXT),
  ];
}

describe("a field of the wrong form is 422 with its place and its reason", () => {
  for (const route of ALL)
    for (const field of route.fields)
      test(`${route.name} ${field}`, async () => {
        for (const [value, error] of wrongValues(route, field)) {
          const [path, init] = requestOf(route, { ...route.good, [field]: value });
          const faults = await faultsOf(await service.fetch(path, init));
          expect(faults).toEqual([{ loc: [route.method === "GET" ? "query" : "body", field], ...error }]);
        }
      });

  for (const route of ALL.filter((r) => r.path.endsWith("/ZORP")))
    test(`${route.name} ticker in the path`, async () => {
      for (const ticker of [
        "WAYTOOLONGTICKER",
        "a%20b",
        "%00",
        "A%0D%0AX",
        "%E2%82%AC",
        "'--",
        "..%2f..",
        "$",
      ]) {
        const response = await service.fetch(route.path.replace("ZORP", ticker));
        expect(await faultsOf(response)).toEqual([{ loc: ["path", "ticker"], ...mismatch(PATTERN) }]);
      }
      for (const ticker of ["%zz", "%E0%A4", "%"]) {
        const response = await service.fetch(route.path.replace("ZORP", ticker));
        expect(await faultsOf(response)).toEqual([{ loc: ["path", "ticker"], ...NO_TEXT }]);
      }
    });

  test("a quarter of the wrong form is named by its place in the list", async () => {
    for (const route of [ROUTES.post, ROUTES.bulk]) {
      const [path, init] = requestOf(route, { ...route.good, quarters: ["2026Q1", "2026Q5", 7] });
      expect(await faultsOf(await service.fetch(path, init))).toEqual([
        { loc: ["body", "quarters", 1], ...mismatch("^\\d{4}Q[1-4]$") },
        { loc: ["body", "quarters", 2], ...NO_TEXT },
      ]);
    }
  });

  test("reports every missing field under the first of its names", async () => {
    const missing = async (path: string, init?: RequestInit) =>
      (await faultsOf(await service.fetch(path, init))).map((f) => {
        expect(f).toMatchObject(MISSING);
        return (f.loc as string[]).join(".");
      });
    expect(await missing(`${P}/data`)).toEqual(["query.tickers", "query.start_date", "query.end_date"]);
    expect(await missing(`${P}/data?start_date=2026-09-01&end_date=2026-09-01`)).toEqual(["query.tickers"]);
    expect(await missing(`${P}/data?tickers[]=ZORP&start_date=2026-09-01`)).toEqual([
      "query.tickers",
      "query.end_date",
    ]);
    expect(await missing(`${P}/intraday`)).toEqual(["query.tickers"]);
    for (const route of [ROUTES.post, ROUTES.bulk]) {
      const empty = { method: "POST", headers: { "content-type": "application/json" } };
      expect(await missing(route.path, { ...empty, body: "{}" })).toEqual([
        `body.${Object.keys(route.good)[0]}`,
      ]);
      for (const body of ["", "null"])
        expect(await missing(route.path, { ...empty, body })).toEqual(["body"]);
      expect(await missing(route.path, { method: "POST" })).toEqual(["body"]);
    }
  });

  test("all faults of a request are listed, and the input is not echoed", async () => {
    const response = await service.fetch(
      `${P}/data/S3CRET-S3CRET-S3CRET?period=S3CRET&start_date=S3CRET&interval=S3CRET&force_refresh=S3CRET&as_of=S3CRET&format=S3CRET`,
    );
    const text = await response.clone().text();
    expect(text).not.toContain("S3CRET");
    expect((await faultsOf(response)).map((f) => f.loc)).toEqual([
      ["path", "ticker"],
      ["query", "period"],
      ["query", "start_date"],
      ["query", "interval"],
      ["query", "as_of"],
      ["query", "force_refresh"],
      ["query", "format"],
    ]);
  });

  test("a body that is no JSON, or no object", async () => {
    const said = async (body: string | Uint8Array<ArrayBuffer>) =>
      faultsOf(
        await service.fetch(`${P}/data`, {
          method: "POST",
          body,
          headers: { "content-type": "application/json" },
        }),
      );
    for (const body of ["{", "{'ticker':'ZORP'}", '{"ticker":"ZORP",}', "NaN", new Uint8Array([0xff, 0xfe])])
      expect(await said(body)).toEqual([
        { type: "json_invalid", loc: ["body"], msg: "JSON decode error: the body is not valid JSON" },
      ]);
    for (const body of ["[]", "3", '"ZORP"', "true", '[{"ticker":"ZORP"}]'])
      expect(await said(body)).toEqual([
        {
          type: "model_attributes_type",
          loc: ["body"],
          msg: "Input should be a valid dictionary or object to extract fields from",
        },
      ]);
  });

  test("a list of a hundred thousand wrong things is one fault", async () => {
    const [path, init] = requestOf(ROUTES.post, { ticker: "ZORP", quarters: Array(100_000).fill("x") });
    expect(await faultsOf(await service.fetch(path, init))).toEqual([
      { loc: ["body", "quarters"], ...tooLong(80, 100_000) },
    ]);
  });
});
