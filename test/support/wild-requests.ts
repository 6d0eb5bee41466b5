// Requests made of good and hostile values for whatever the OpenAPI document declares.
import fc from "fast-check";
import type { Json, Operation, Parameter } from "./api-document.ts";

/** One request, in a form that prints as a curl line. */
export interface WildRequest {
  readonly method: string;
  /** Path and query, as they go over the wire. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const HOSTILE = [
  "",
  " ",
  "\u0000",
  "ZORP\u0000",
  "é",
  "𝒵ORP",
  "\u202eZORP",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "ZORP\r\nX-Evil: 1",
  "\n",
  "../",
  "../../etc/passwd",
  "..",
  ".",
  "/",
  "%",
  "%2e%2e",
  "%2e%2e%2fsecret",
  "%00",
  "%zz",
  "a".repeat(10_000),
  "ZORP,".repeat(300),
  ",,,,",
  "1e309",
  "-1",
  "0",
  "NaN",
  "Infinity",
  "null",
  "undefined",
  "true",
  "[object Object]",
  "'; DROP TABLE bars_daily; --",
  '"',
  "$" + "{7*7}{{7*7}}",
  "<script>alert(1)</script>",
  "0000-00-00",
  "2026-02-30",
  "2026-02-29",
  "9999-12-31",
  "-000001-01-01",
  "+275760-09-13",
  "2026-09-04T25:61:61Z",
  "2026-09-04T15:30:00+99:99",
  "9999Q4",
  "0000Q1",
  "=SUM(A1)",
  "^",
  "===",
  "-",
];

const TICKERS = [
  "ZORP",
  "quib-b",
  "QUIB/B",
  "SMPLF",
  "PIPZ-WT",
  "MURQ",
  "HUSQ",
  "GLUMP",
  "OLDZQ",
  "NOSUCH",
  "constructor",
];
const DATES = [
  "2026-09-09",
  "2026-09-04",
  "2026-09-01",
  "2026-08-31",
  "2026-06-09",
  "2025-12-25",
  "2021-01-04",
  "1962-01-02",
  "1900-01-01",
  "2100-12-31",
];

const text = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...HOSTILE) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 20 }) },
  { weight: 1, arbitrary: fc.webPath() },
);

const ACCESSIONS = [
  "0009079327-26-500008",
  "0000320193-26-000010",
  "000032019326000010",
  "9999999999-99-999999",
];

/** Made for a field by its name, where the schema does not say enough. */
const BY_NAME: Readonly<Record<string, readonly unknown[]>> = {
  quarters: ["2026Q1", "2025Q4", "2026Q3", "1999Q1"],
  accession_number: ACCESSIONS,
  as_of: [...DATES, "2026-09-04T15:30:00Z", "2026-03-08T02:30:00-05:00"],
  start: [...DATES, "2026-09-04T15:30:00Z"],
  end: [...DATES, "2026-09-04T15:30:00Z"],
  at: ["2026-09-04T11:30:00", "2026-11-01T01:30:00", "2026-03-08T02:30:00"],
  job_id: ["latest", "1", "2", "999999999999999", "01J000000000000000000000"],
  id: [1, 2, 3, 9007199254740991],
  exhibit: ["EX-99.1", "8-K", "99.1"],
  series_id: ["FICGDP", "NOSUCHSERIES"],
  start_month: ["2026-07", "2026-08"],
  end_month: ["2026-08", "2026-07"],
};

/** Names of fields that take tickers, whatever else their schema says. */
const TICKER_NAMES = ["ticker", "tickers", "symbol", "symbols"];

/** Optional fields given at once: with all of them, most contradict one another. */
const FIELDS_MORE_MAX = 4;

const few = <T>(all: readonly T[]) =>
  fc.subarray([...all], { maxLength: Math.min(all.length, FIELDS_MORE_MAX) });

const list = (one: fc.Arbitrary<unknown>) => fc.array(one, { maxLength: 4 });

/** A format for any operation, also for those that only answer JSON. */
const formats = fc.constantFrom("json", "ndjson", "csv", "parquet", "records", "html", "xml", "");

function wholeNumber({ minimum, maximum }: Json): fc.Arbitrary<number> {
  const [min, max] = [Number(minimum ?? 0), Number(maximum ?? 1_000_000)];
  return fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min, max: Math.min(max, min + 100) }) },
    { weight: 1, arbitrary: fc.constantFrom(min, max, min - 1, max + 1) },
  );
}

/** Values a field is made for. */
function goodValue(name: string, schema: Json): fc.Arbitrary<unknown> {
  const named = BY_NAME[name];
  if (schema.type === "array") return list(goodValue(name, schema.items as Json));
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as string[]));
  if (schema.type === "boolean") return fc.boolean();
  if (schema.format === "date") return fc.constantFrom(...DATES);
  if (named) return fc.constantFrom(...named);
  if (TICKER_NAMES.includes(name)) {
    const ticker = fc.constantFrom(...TICKERS);
    return schema.list ? list(ticker).map((some) => some.join(",")) : ticker;
  }
  if (Array.isArray(schema.words))
    return list(fc.constantFrom(...(schema.words as string[]))).map((some) => some.join(","));
  if (schema.type === "integer") return wholeNumber(schema);
  if (schema.type === "number") return fc.oneof(fc.double(), fc.integer({ min: 0, max: 1_000_000 }));
  if (schema.type === "object") return record(schema, goodValue);
  const examples = (schema.examples ?? []) as unknown[];
  return examples.length > 0 ? fc.constantFrom(...examples) : text;
}

/** An object with all it needs and a few of the other things it may have. */
function record(schema: Json, value: (name: string, schema: Json) => fc.Arbitrary<unknown>) {
  const properties = (schema.properties ?? {}) as Record<string, Json>;
  const required = (schema.required ?? []) as string[];
  const others = Object.keys(properties).filter((name) => !required.includes(name));
  return few(others).chain((some) =>
    fc.record(
      Object.fromEntries([...required, ...some].map((name) => [name, value(name, properties[name] ?? {})])),
    ),
  );
}

const good = ({ name, schema }: Parameter) => goodValue(name, schema).map(String);
const goodOrHostile = (parameter: Parameter) =>
  fc.oneof({ weight: 3, arbitrary: good(parameter) }, { weight: 1, arbitrary: text });

/** Escaped as a client should, or just as it stands where it can be. */
const written = (value: string, raw: boolean) =>
  raw ? value.replace(/[\p{Cc} #?&]/gu, "+") : encodeURIComponent(value.toWellFormed());

/** Nested as deep as a body may be, and deeper. */
const deepJson = fc
  .integer({ min: 60, max: 400 })
  .map((levels) => JSON.parse("[".repeat(levels) + "]".repeat(levels)) as unknown);

const wildJson = fc.oneof(
  deepJson,
  text,
  fc.jsonValue({ maxDepth: 3 }),
  fc.array(text, { maxLength: 5 }),
  fc.constantFrom(null, -0, 1e308, [], {}, [[]], [null], true),
);

function bodyOf(schema: Json, bounds: Bounds): fc.Arbitrary<string> {
  const known = (schema.properties ?? {}) as Record<string, Json>;
  const required = [...new Set([...((schema.required ?? []) as string[]), ...Object.keys(bounds)])];
  const good = (name: string, inner: Json): fc.Arbitrary<unknown> => {
    const bound = bounds[name];
    return bound ? fc.constantFrom(...bound) : goodValue(name, inner);
  };
  const wild = (name: string, inner: Json): fc.Arbitrary<unknown> =>
    fc.oneof({ weight: 4, arbitrary: good(name, inner) }, { weight: 1, arbitrary: wildJson });
  const whole = record({ properties: known, required }, wild);
  const right = record({ properties: known, required }, good);
  const extra = fc.dictionary(text, wildJson, { maxKeys: 2 });
  return fc.oneof(
    { weight: 7, arbitrary: right.map((body) => JSON.stringify(body)) },
    { weight: 5, arbitrary: whole.map((body) => JSON.stringify(body)) },
    {
      weight: 2,
      arbitrary: fc.tuple(extra, whole).map(([more, body]) => JSON.stringify({ ...more, ...body })),
    },
    // Without a field the bounds need, an expensive run would cover everything.
    ...(Object.keys(bounds).length > 0
      ? []
      : [{ weight: 1, arbitrary: wildJson.map((value) => JSON.stringify(value)) }]),
    { weight: 1, arbitrary: fc.string({ unit: "binary", minLength: 1 }) },
    { weight: 1, arbitrary: whole.map((body) => `\ufeff${JSON.stringify(body)}`) },
    { weight: 1, arbitrary: whole.map((body) => JSON.stringify(body).slice(0, -2)) },
    { weight: 1, arbitrary: fc.constant(`{"__proto__":{"ticker":"ZORP"},"ticker":"ZORP","period":"7d"}`) },
  );
}

const header = <T extends string>(name: string, values: readonly T[]) =>
  fc
    .option(fc.constantFrom(...values), { nil: undefined, freq: 4 })
    .map((v) => (v === undefined ? {} : { [name]: v }));

const headers = fc
  .tuple(
    header("accept", ["*/*", "text/csv", "application/x-ndjson", "text/html;q=0.9, */*;q=0", ";;;"]),
    header("accept-encoding", ["gzip", "zstd", "gzip;q=0", "br, *;q=0.1"]),
    header("x-request-id", ["abc", "a b", "x".repeat(200)]),
    header("if-none-match", ["*", '"x"']),
    header("x-api-key", ["anything"]),
    header("authorization", ["Bearer anything", "Bearer ", "Basic e30=", "\u00e9"]),
    header("sec-fetch-site", ["same-origin", "none"]),
  )
  .map((all) => Object.assign({}, ...all) as Record<string, string>);

/** How a body says what it is; most say it rightly. */
const bodyHeaders = fc.oneof(
  { weight: 12, arbitrary: fc.constant({ "content-type": "application/json" }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Record<string, string>>(
      {},
      { "content-type": "application/json; charset=utf-16" },
      { "content-type": 'APPLICATION/JSON ; charset="utf-8"' },
      { "content-type": "application/problem+json" },
      { "content-type": "text/plain" },
      { "content-type": "application/x-www-form-urlencoded" },
      { "content-type": "multipart/form-data; boundary=x" },
      { "content-type": ";;;" },
      { "content-type": "application/json", "content-encoding": "gzip" },
      { "content-type": "application/json", "content-encoding": "nonsense" },
    ),
  },
);

/** Fields of a body that are always given, and the values they are made for: keeps an expensive run small. */
export type Bounds = Readonly<Record<string, readonly unknown[]>>;

/** Names in the path and pairs in the query, and whether they go out just as they stand. */
interface Target {
  readonly names: readonly string[];
  readonly pairs: readonly (readonly [string, string])[];
  readonly raw: boolean;
}

/** Each parameter given, left out or given twice, well or badly. */
function wildTarget(inPath: readonly Parameter[], inQuery: readonly Parameter[]): fc.Arbitrary<Target> {
  const given = inQuery.map((p) =>
    fc
      .oneof(
        { weight: p.required ? 1 : 5, arbitrary: fc.constant([] as string[]) },
        { weight: 5, arbitrary: goodOrHostile(p).map((v) => [v]) },
        { weight: 1, arbitrary: fc.array(goodOrHostile(p), { minLength: 2, maxLength: 3 }) },
      )
      .map((values) => values.map((value) => [p.name, value] as const)),
  );
  const more = fc.array(fc.oneof(fc.tuple(text, text), fc.tuple(fc.constant("format"), formats)), {
    maxLength: 1,
  });
  return fc.record({
    names: fc.tuple(...inPath.map(goodOrHostile)),
    pairs: fc.tuple(fc.tuple(...given), more).map(([known, others]) => [...known.flat(), ...others]),
    raw: fc.boolean(),
  });
}

/** Returns the required parameters and a few more, all with values they are made for. */
function goodTarget(inPath: readonly Parameter[], inQuery: readonly Parameter[]): fc.Arbitrary<Target> {
  const needed = inQuery.filter((p) => p.required);
  const others = inQuery.filter((p) => !p.required);
  const pair = (p: Parameter) => good(p).map((value) => [p.name, value] as const);
  return fc.record({
    names: fc.tuple(...inPath.map(good)),
    pairs: few(others).chain((some) => fc.tuple(...[...needed, ...some].map(pair))),
    raw: fc.constant(false),
  });
}

/** Any request to an operation. */
export function wildRequest(operation: Operation, bounds: Bounds = {}): fc.Arbitrary<WildRequest> {
  const { method, path, parameters, requestBody } = operation;
  const schema = requestBody?.content["application/json"]?.schema;
  const inPath = parameters.filter((p) => p.in === "path");
  const inQuery = parameters.filter((p) => p.in === "query");
  const url = ({ names, pairs, raw }: Target) => {
    let filled = path;
    for (const [i, { name }] of inPath.entries())
      filled = filled.replace(`{${name}}`, () => written(names[i] ?? "", raw));
    const query = pairs.map(([name, value]) => `${written(name, false)}=${written(value, raw)}`);
    return query.length === 0 ? filled : `${filled}?${query.join("&")}`;
  };
  return fc
    .record({
      target: fc.oneof(wildTarget(inPath, inQuery), goodTarget(inPath, inQuery)),
      headers,
      bodyHeaders,
      body: schema ? bodyOf(schema, bounds) : fc.constant(undefined),
    })
    .map(({ target, headers, bodyHeaders, body }) => ({
      method,
      url: url(target),
      headers: body === undefined ? headers : { ...headers, ...bodyHeaders },
      ...(body === undefined ? {} : { body }),
    }));
}

/** Requests that aim at nothing in particular. */
/** The request that the document shows: what the reference page sends as it is opened. */
export function shownRequest({ method, path, parameters, requestBody }: Operation): WildRequest {
  const shown = parameters.filter((p) => p.example !== undefined);
  const url = shown
    .filter((p) => p.in === "path")
    .reduce((filled, p) => filled.replace(`{${p.name}}`, encodeURIComponent(String(p.example))), path);
  const query = new URLSearchParams(
    shown.filter((p) => p.in === "query").map((p) => [p.name, String(p.example)]),
  );
  const body = requestBody?.content["application/json"]?.example;
  return {
    method,
    url: query.size === 0 ? url : `${url}?${query}`,
    headers: body === undefined ? {} : { "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

export const strayRequest: fc.Arbitrary<WildRequest> = fc
  .record({
    method: fc.constantFrom("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"),
    parts: fc.array(
      fc.oneof(text, fc.constantFrom("api", "v1", "price", "data", "latest", "health", "docs", "metrics")),
      { maxLength: 6 },
    ),
    query: fc.option(text, { nil: "" }),
    raw: fc.boolean(),
    headers,
    body: fc.option(fc.string({ unit: "binary" }), { nil: undefined }),
  })
  .map(({ method, parts, query, raw, headers, body }) => ({
    method,
    url: `/${parts.map((p) => written(p, raw)).join("/")}${query ? `?${written(query, true)}` : ""}`,
    headers,
    ...(body === undefined || method === "GET" || method === "HEAD" ? {} : { body }),
  }));

const shell = (value: string) =>
  `$'${value.replace(/[\\']/g, "\\$&").replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`)}'`;

/** The request as a line for a shell, against a server at `base`. */
export const curlLine = ({ method, url, headers, body }: WildRequest, base = "http://127.0.0.1:8000") =>
  [
    `curl -gi -X ${method} ${shell(base + url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${shell(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-binary ${shell(body)}`]),
  ].join(" ");
