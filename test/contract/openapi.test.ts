// The OpenAPI document: it holds what docs/contract.md promises, and every real answer is as it says.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type ApiDocument, apiDocument, faultsOfAnswer, type Json } from "../support/api-document.ts";
import { OPENAPI_3_1 } from "../support/openapi-rules.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

let service: SampleService;
let document: ApiDocument;
beforeAll(async () => {
  // Two years of hourly bars are much to work out: a provider's ten seconds last longer than elsewhere.
  service = await openSampleService({ speed: 4 });
  document = await apiDocument(service);
});
afterAll(() => service.stop());

const P = "/api/v1/price";
const PERIODS = ["1d", "7d", "30d", "1m", "3m", "6m", "1y", "2y", "5y", "max"];

/** A field as the specification gives it: `!` needed, `=` its default, `in` values that must be accepted. */
interface Field {
  readonly type: "string" | "boolean" | "array";
  readonly needed?: true;
  readonly default?: unknown;
  readonly format?: "date";
  readonly in?: readonly string[];
}
const date: Field = { type: "string", format: "date" };
const ticker: Field = { type: "string", needed: true };
const flag = (preset: boolean): Field => ({ type: "boolean", default: preset });
const word = (values: readonly string[], preset?: string): Field => ({
  type: "string",
  in: values,
  ...(preset === undefined ? {} : { default: preset }),
});
const span = { period: word(PERIODS), start_date: date, end_date: date };
const quarters: Field = { type: "array" };

const ROUTES: readonly (readonly [
  method: string,
  path: string,
  wanted: Readonly<Record<"path" | "query" | "body", Readonly<Record<string, Field>>>>,
  statuses: readonly number[],
])[] = [
  ["GET", "/api/v1/health", { path: {}, query: {}, body: {} }, [200, 503]],
  ["GET", "/api/v1/health/live", { path: {}, query: {}, body: {} }, [200]],
  ["GET", "/api/v1/health/ready", { path: {}, query: {}, body: {} }, [200, 503]],
  ["GET", "/api/v1/metrics", { path: {}, query: {}, body: {} }, [200]],
  ["GET", "/api/v1/scheduler/jobs", { path: {}, query: {}, body: {} }, [200, 503]],
  [
    "POST",
    `${P}/data`,
    {
      path: {},
      query: {},
      body: {
        ticker,
        ...span,
        quarters,
        interval: word(["1d", "1w", "1m", "1h", "1mo"]),
        force_refresh: flag(false),
        as_of: { type: "string" },
      },
    },
    [200, 400, 404, 422, 429, 500, 503],
  ],
  [
    "GET",
    `${P}/data`,
    {
      path: {},
      query: {
        // Needed, but it may come under its other name: so neither is marked.
        tickers: { type: "string" },
        ticker: { type: "string" },
        start_date: { ...date, needed: true },
        end_date: { ...date, needed: true },
        interval: word(["1d", "1w", "1mo"], "1d"),
        force_refresh: flag(false),
        as_of: { type: "string" },
        format: word(["json", "ndjson", "csv", "parquet", "arrow", "records"]),
      },
      body: {},
    },
    [200, 400, 422, 429, 502, 503, 504],
  ],
  [
    "GET",
    `${P}/data/{ticker}`,
    {
      path: { ticker },
      query: {
        ...span,
        start: date,
        end: date,
        interval: word(["1d", "1w", "1m", "1h", "5d", "1mo"], "1d"),
        force_refresh: flag(false),
        as_of: { type: "string" },
        revisions: flag(false),
        format: word(["json", "ndjson", "csv", "parquet", "arrow", "records"]),
      },
      body: {},
    },
    [200, 400, 404, 422, 429, 502, 503, 504],
  ],
  [
    "POST",
    `${P}/data/bulk`,
    {
      path: {},
      query: {},
      body: {
        tickers: { type: "array", needed: true },
        ...span,
        quarters,
        interval: word(["1d", "1w", "1m", "1h", "1mo"]),
        force_refresh: flag(false),
      },
    },
    [200, 400, 422, 500, 503],
  ],
  ["GET", `${P}/latest/{ticker}`, { path: { ticker }, query: {}, body: {} }, [200, 404, 422, 429, 502, 504]],
  [
    "GET",
    `${P}/quote/{ticker}`,
    { path: { ticker }, query: { use_prepost: flag(true) }, body: {} },
    [200, 404, 422, 429, 502, 504],
  ],
  [
    "GET",
    `${P}/intraday`,
    {
      path: {},
      query: {
        tickers: { type: "string", needed: true },
        interval: word(["1m", "5m", "15m", "30m", "1h"], "5m"),
        start_date: date,
        end_date: date,
        force_refresh: flag(false),
      },
      body: {},
    },
    [200, 400, 422, 429, 502, 503, 504],
  ],
  [
    "GET",
    `${P}/intraday/{ticker}`,
    {
      path: { ticker },
      query: {
        interval: word(["1m", "2m", "5m", "15m", "30m", "90m", "1h"], "1m"),
        period: word(PERIODS, "1d"),
      },
      body: {},
    },
    [200, 400, 404, 422, 429, 502, 503, 504],
  ],
  ["GET", `${P}/today/{ticker}`, { path: { ticker }, query: {}, body: {} }, [200, 404, 422, 429, 502, 504]],
];

/** Describes a field of a schema in the form of the table above. */
function described(schema: Json, needed: boolean, wanted: Field): Field {
  return {
    type: schema.type as Field["type"],
    ...(needed ? { needed: true as const } : {}),
    ...(wanted.default === undefined ? {} : { default: schema.default }),
    ...(wanted.format === undefined ? {} : { format: schema.format as "date" }),
    ...(wanted.in ? { in: wanted.in.filter((v) => ((schema.enum ?? []) as unknown[]).includes(v)) } : {}),
  };
}

describe("the routes of the specification", () => {
  test("the version is 1.0.0", () => {
    expect(document.json.info).toMatchObject({ version: "1.0.0" });
  });

  for (const [method, path, wanted, statuses] of ROUTES) {
    test(`${method} ${path} takes what it should`, () => {
      const operation = document.operation(method, path);
      for (const where of ["path", "query"] as const)
        for (const [name, field] of Object.entries(wanted[where])) {
          const parameter = operation.parameters.find((p) => p.in === where && p.name === name);
          if (!parameter) throw new Error(`${where} parameter ${name} is missing`);
          const { schema, required = false } = parameter;
          expect({ [name]: described(schema, required, field) }).toEqual({ [name]: field });
        }
      const body = operation.requestBody?.content["application/json"]?.schema;
      const properties = (body?.properties ?? {}) as Record<string, Json>;
      const required = (body?.required ?? []) as string[];
      for (const [name, field] of Object.entries(wanted.body))
        expect({ [name]: described(properties[name] ?? {}, required.includes(name), field) }).toEqual({
          [name]: field,
        });
      if (Object.keys(wanted.body).length > 0) expect(operation.requestBody?.required).toBe(true);
    });

    test(`${method} ${path} promises its statuses`, () => {
      const { responses } = document.operation(method, path);
      expect(statuses.filter((s) => responses[String(s)] === undefined)).toEqual([]);
      for (const [status, { content }] of Object.entries(responses)) {
        const refs = Object.entries(content ?? {}).map(
          ([type, { schema }]) => `${type} ${schema.$ref ?? ""}`,
        );
        if (status === "422")
          expect(refs).toEqual(["application/json #/components/schemas/HTTPValidationError"]);
        else if (Number(status) >= 400 && !path.endsWith("/health"))
          expect(refs).toEqual(["application/problem+json #/components/schemas/ErrorResponse"]);
      }
    });
  }

  test("bodies have the limits of the specification", () => {
    const bulk = document.operation("POST", `${P}/data/bulk`).requestBody?.content["application/json"]
      ?.schema;
    const { tickers, quarters } = (bulk?.properties ?? {}) as Record<string, Json>;
    expect(tickers?.maxItems ?? tickers?.maxTickers).toBe(100);
    expect(quarters).toMatchObject({ minItems: 1, maxItems: 80, items: { pattern: "^\\d{4}Q[1-4]$" } });
  });
});

describe("the document explains itself", () => {
  test("every operation has a summary, a description, an id of its own and a declared tag", () => {
    const ids = document.operations.map((o) => o.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const tags = (document.json.tags as { name: string; description: string }[]).map((t) => t.name);
    for (const { method, path, summary = "", description = "", tags: own = [] } of document.operations) {
      const wrong = [
        summary.length < 8 && "summary",
        description.length < 15 && "description",
        !own.every((t) => tags.includes(t)) && "tags",
        own.length !== 1 && "one tag",
      ].filter(Boolean);
      expect(`${method} ${path}: ${wrong}`).toBe(`${method} ${path}: `);
    }
  });
});

describe("the document is valid OpenAPI 3.1", () => {
  test("its objects have the form of the standard", () => {
    const validate = document.ajv.compile(OPENAPI_3_1);
    validate(document.json);
    expect((validate.errors ?? []).map((e) => `${e.instancePath} ${e.message}`)).toEqual([]);
  });

  test("its schemas are valid JSON Schema and refer to nothing that is not there", () => {
    for (const operation of document.operations) {
      const media = [
        ...Object.values(operation.requestBody?.content ?? {}),
        ...Object.values(operation.responses).flatMap((r) => Object.values(r.content ?? {})),
      ];
      for (const { schema } of [...operation.parameters, ...media]) {
        const { path } = operation;
        expect(`${path} ${document.ajv.validateSchema(schema)}`).toBe(`${path} true`);
        expect(() => document.validator(schema)).not.toThrow();
      }
    }
  });

  test("path parameters are declared, each once, and nothing else is", () => {
    for (const { path, parameters } of document.operations) {
      const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map((m) => m[1]);
      expect(parameters.filter((p) => p.in === "path").map((p) => p.name)).toEqual(inPath as string[]);
      const names = parameters.map((p) => `${p.in} ${p.name}`);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  test("what needs a key or the admin's token says so, health and docs need none", () => {
    const open = document.operations.filter((o) => o.security?.length === 0).map((o) => o.path);
    expect(open).toEqual(["/api/v1/health", "/api/v1/health/live", "/api/v1/health/ready"]);
    expect(document.json.security).toEqual([{}, { key: [] }, { bearer: [] }]);
    const guarded = document.operations.filter((o) => o.security?.some((way) => "admin" in way));
    const forAdmin = document.operations.filter((o) => /\/admin\/|\/v1\/(logs|database)\//.test(o.path));
    expect(guarded.map((o) => o.path)).toEqual(forAdmin.map((o) => o.path));
    for (const { path, responses } of guarded) {
      const codes = responses["403"]?.content?.["application/problem+json"]?.examples ?? {};
      expect([path, Object.keys(codes)]).toEqual([path, ["cross_site", "forbidden", "admin_not_configured"]]);
    }
  });
});

const RANGE = "start_date=2026-05-28&end_date=2026-06-12";
const json = (body: unknown): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

const RUN_JOB = "/api/v1/scheduler/admin/jobs/{name}/run";

/** Requests that lead to answers of every kind, on the sample market, an hour after a Wednesday's close. */
const CALLS: readonly (readonly [operation: string, path: string, status: number, init?: RequestInit])[] = [
  ["/api/v1/health", "/api/v1/health", 200],
  ["/api/v1/health/live", "/api/v1/health/live", 200],
  ["/api/v1/health/ready", "/api/v1/health/ready", 200],
  ["/api/v1/metrics", "/api/v1/metrics", 200],
  ["/api/v1/scheduler/jobs", "/api/v1/scheduler/jobs", 200],
  ["/api/v1/scheduler/jobs", "/api/v1/scheduler/jobs?format=csv", 200],
  ["/api/v1/scheduler/jobs", "/api/v1/scheduler/jobs?format=xml", 422],
  // Answers without a table refuse every format but JSON.
  ...["health", "health/live", "health/ready", "metrics"].map(
    (name) => [`/api/v1/${name}`, `/api/v1/${name}?format=csv`, 422] as const,
  ),
  ["/api/v1/scheduler/runs", "/api/v1/scheduler/runs?outcome=gap", 200],
  ["/api/v1/scheduler/runs", "/api/v1/scheduler/runs?outcome=lost", 422],
  [RUN_JOB, "/api/v1/scheduler/admin/jobs/lake-compaction/run", 202, json({})],
  [RUN_JOB, "/api/v1/scheduler/admin/jobs/lake-compaction/run", 400, json({ date: "2026-09-04" })],
  [RUN_JOB, "/api/v1/scheduler/admin/jobs/nothing/run", 404, json({})],
  [RUN_JOB, "/api/v1/scheduler/admin/jobs/lake-compaction/run", 422, json({ date: "now" })],
  // The run that the request above began: the first of the service.
  ["/api/v1/scheduler/runs/{id}", "/api/v1/scheduler/runs/1", 200],
  ["/api/v1/scheduler/runs/{id}", "/api/v1/scheduler/runs/987654", 404],
  ["/api/v1/scheduler/runs/{id}", "/api/v1/scheduler/runs/first", 422],
  [`${P}/data/{ticker}`, `${P}/data/ZORP?${RANGE}&revisions=true`, 200],
  [`${P}/data/{ticker}`, `${P}/data/ZORP`, 200],
  [`${P}/data/{ticker}`, `${P}/data/quib-b?period=1d`, 200],
  [`${P}/data/{ticker}`, `${P}/data/SMPLF?period=max&interval=1mo`, 200],
  [`${P}/data/{ticker}`, `${P}/data/ZORP?period=1m&interval=5d`, 200],
  [`${P}/data/{ticker}`, `${P}/data/ZORP?period=7d&interval=1h`, 200],
  [`${P}/data/{ticker}`, `${P}/data/PIPZ-WT?period=3m&interval=1w`, 200],
  [`${P}/data/{ticker}`, `${P}/data/ZORP?period=7d&format=csv`, 200],
  [`${P}/data/{ticker}`, `${P}/data/ZORP?period=7d&format=ndjson`, 200],
  [`${P}/data/{ticker}`, `${P}/data/ZORP?period=7d&format=parquet`, 200],
  [`${P}/data/{ticker}`, `${P}/data/ZORP?period=7d&as_of=2020-01-01`, 404],
  [`${P}/data/{ticker}`, `${P}/data/NOSUCH`, 404],
  [`${P}/data/{ticker}`, `${P}/data/ZORP?period=1m&start_date=2026-09-01`, 400],
  [`${P}/data/{ticker}`, `${P}/data/ZORP?period=9y&force_refresh=maybe`, 422],
  [`${P}/data`, `${P}/data`, 200, json({ ticker: "ZORP", quarters: ["2026Q2", "2025Q4"], interval: "1w" })],
  [`${P}/data`, `${P}/data`, 200, json({ ticker: "MURQ", period: "3m", as_of: null })],
  [`${P}/data`, `${P}/data`, 400, json({ ticker: "ZORP" })],
  [`${P}/data`, `${P}/data`, 404, json({ ticker: "NOSUCH", period: "1y" })],
  [`${P}/data`, `${P}/data?tickers=ZORP&start_date=2026-09-01&end_date=2026-09-04&data_version=987654`, 404],
  [`${P}/data/bulk`, `${P}/data/bulk`, 404, json({ tickers: ["ZORP"], period: "1y", data_version: 987654 })],
  [`${P}/data`, `${P}/data`, 422, json({ period: 7 })],
  [`${P}/data`, `${P}/data`, 415, { ...json({}), headers: { "content-type": "text/plain" } }],
  [`${P}/data`, `${P}/data?tickers=ZORP,NOSUCH,quib-b&${RANGE}`, 200],
  [`${P}/data`, `${P}/data?ticker=ZORP&${RANGE}&interval=1w`, 200],
  [`${P}/data`, `${P}/data?tickers=,&${RANGE}`, 400],
  [`${P}/data`, `${P}/data?tickers=ZORP`, 422],
  [`${P}/data/bulk`, `${P}/data/bulk`, 200, json({ tickers: ["ZORP", "NOSUCH", "smplf"], period: "1m" })],
  [`${P}/data/bulk`, `${P}/data/bulk`, 400, json({ tickers: ["ZORP"] })],
  [`${P}/data/bulk`, `${P}/data/bulk`, 422, json({ tickers: [] })],
  [`${P}/latest/{ticker}`, `${P}/latest/ZORP`, 200],
  [`${P}/latest/{ticker}`, `${P}/latest/HALTZ`, 200],
  [`${P}/latest/{ticker}`, `${P}/latest/NOSUCH`, 404],
  [`${P}/quote/{ticker}`, `${P}/quote/ZORP`, 200],
  [`${P}/quote/{ticker}`, `${P}/quote/PIPZ-WT?use_prepost=off`, 200],
  [`${P}/quote/{ticker}`, `${P}/quote/NOSUCH`, 404],
  [`${P}/intraday`, `${P}/intraday?tickers=ZORP,NOSUCH`, 200],
  [`${P}/intraday`, `${P}/intraday?tickers=ZORP&interval=1h&${RANGE}`, 200],
  [`${P}/intraday`, `${P}/intraday?tickers=ZORP&interval=1m&${RANGE}`, 400],
  [`${P}/intraday`, `${P}/intraday`, 422],
  [`${P}/intraday/{ticker}`, `${P}/intraday/ZORP`, 200],
  [`${P}/intraday/{ticker}`, `${P}/intraday/MURQ?interval=90m&period=7d`, 200],
  [`${P}/intraday/{ticker}`, `${P}/intraday/ZORP?interval=1h&period=2y`, 200],
  [`${P}/data/{ticker}`, `${P}/data/ZORP?interval=1h&period=2y`, 200],
  [`${P}/intraday`, `${P}/intraday?tickers=ZORP&start_date=2026-07-11&end_date=2026-07-13`, 200],
  [`${P}/intraday/{ticker}`, `${P}/intraday/NOSUCH`, 404],
  [`${P}/today/{ticker}`, `${P}/today/ZORP`, 200],
  [`${P}/today/{ticker}`, `${P}/today/MURQ`, 200],
  [`${P}/today/{ticker}`, `${P}/today/NOSUCH`, 404],
];

describe("every answer is as its schema says, without a field it does not name", () => {
  for (const [path, url, status, init] of CALLS)
    test(`${init?.method ?? "GET"} ${url} → ${status}`, async () => {
      const operation = document.operation(init?.method ?? "GET", path);
      const response = await service.fetch(url, init);
      expect(response.status).toBe(status);
      expect(await faultsOfAnswer(document, operation, response)).toEqual([]);
    });

  test("the calls meet every operation with each of its ordinary answers", () => {
    const met = new Set(CALLS.map(([path, , status, init]) => `${init?.method ?? "GET"} ${path} ${status}`));
    // Capabilities that keep a table of calls of their own are met there.
    const here = ["price", "health", "scheduler"];
    const unmet = document.operations
      .filter((o) => here.includes(o.tags?.[0] ?? ""))
      .flatMap((o) => [200, 404, 422].filter((s) => o.responses[s]).map((s) => `${o.method} ${o.path} ${s}`))
      .filter((key) => !met.has(key) && !/(latest|quote|intraday|today)\/\{ticker\} 422$/.test(key));
    expect(unmet).toEqual([]);
  });
});
