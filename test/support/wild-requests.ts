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

/** Values a field is made for. */
function goodValue(name: string, schema: Json): fc.Arbitrary<unknown> {
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as string[]));
  if (schema.type === "boolean") return fc.boolean();
  if (schema.type === "integer") return fc.integer({ min: 0, max: 100 });
  if (schema.type === "number") return fc.double();
  if (schema.format === "date" || name === "as_of") return fc.constantFrom(...DATES);
  if (name === "quarters")
    return fc.array(fc.constantFrom("2026Q1", "2025Q4", "2026Q3", "1999Q1"), { minLength: 1, maxLength: 4 });
  const ticker = fc.constantFrom(...TICKERS);
  if (schema.type === "array") return fc.array(ticker, { minLength: 1, maxLength: 4 });
  return name === "tickers"
    ? fc.array(ticker, { minLength: 1, maxLength: 4 }).map((list) => list.join(","))
    : ticker;
}

const queryValue = ({ name, schema }: Parameter) =>
  fc.oneof({ weight: 3, arbitrary: goodValue(name, schema).map(String) }, { weight: 1, arbitrary: text });

/** Escaped as a client should, or just as it stands where it can be. */
const written = (value: string, raw: boolean) =>
  raw ? value.replace(/[\p{Cc} #?&]/gu, "+") : encodeURIComponent(value.toWellFormed());

const wildJson = fc.oneof(
  text,
  fc.jsonValue({ maxDepth: 3 }),
  fc.array(text, { maxLength: 5 }),
  fc.constantFrom(null, -0, 1e308, [], {}, [[]], [null], true),
);

function bodyOf(schema: Json): fc.Arbitrary<string> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>);
  const required = (schema.required ?? []) as string[];
  const fields = Object.fromEntries(
    properties.map(([name, field]) => [
      name,
      fc.oneof({ weight: 4, arbitrary: goodValue(name, field) }, { weight: 1, arbitrary: wildJson }),
    ]),
  );
  const whole = fc.record(fields, { requiredKeys: required });
  const extra = fc.dictionary(text, wildJson, { maxKeys: 2 });
  return fc.oneof(
    { weight: 8, arbitrary: whole.map((body) => JSON.stringify(body)) },
    {
      weight: 2,
      arbitrary: fc.tuple(extra, whole).map(([more, body]) => JSON.stringify({ ...more, ...body })),
    },
    { weight: 1, arbitrary: wildJson.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
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
  )
  .map((all) => Object.assign({}, ...all) as Record<string, string>);

/** Any request to an operation: each parameter given, left out or given twice, well or badly. */
export function wildRequest({ method, path, parameters, requestBody }: Operation): fc.Arbitrary<WildRequest> {
  const schema = requestBody?.content["application/json"]?.schema;
  const inPath = parameters.filter((p) => p.in === "path");
  const inQuery = parameters.filter((p) => p.in === "query");
  const query = fc.tuple(
    ...inQuery.map((p) =>
      fc
        .oneof(
          { weight: p.required ? 1 : 5, arbitrary: fc.constant([] as string[]) },
          { weight: 5, arbitrary: queryValue(p).map((v) => [v]) },
          { weight: 1, arbitrary: fc.array(queryValue(p), { minLength: 2, maxLength: 3 }) },
        )
        .map((values) => values.map((value) => [p.name, value] as const)),
    ),
  );
  const more = fc.array(fc.tuple(text, text), { maxLength: 1 });
  return fc
    .record({
      names: fc.tuple(...inPath.map((p) => queryValue(p))),
      query,
      more,
      raw: fc.boolean(),
      headers,
      body: schema ? bodyOf(schema) : fc.constant(undefined),
    })
    .map(({ names, query, more, raw, headers, body }) => {
      let filled = path;
      for (const [i, { name }] of inPath.entries())
        filled = filled.replace(`{${name}}`, () => written(names[i] ?? "", raw));
      const pairs = [...query.flat(), ...more].map(([k, v]) => `${written(k, false)}=${written(v, raw)}`);
      return {
        method,
        url: pairs.length === 0 ? filled : `${filled}?${pairs.join("&")}`,
        headers: body === undefined ? headers : { ...headers, "content-type": "application/json" },
        ...(body === undefined ? {} : { body }),
      };
    });
}

/** Requests that aim at nothing in particular. */
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
