// The OpenAPI document: generated from the schemas and docs of the routes, then completed where the generator
// leaves gaps.
import { toOpenAPISchema } from "@elysiajs/openapi/openapi";
import { type TSchema, Type } from "@sinclair/typebox";
import type { AnyElysia } from "elysia";
import { dataVersionField, dayFieldsOf, isDayField } from "../market/params.ts";
import { exampleNames } from "./example-names.ts";
import { type Guard, guardOf } from "./guards.ts";
import { ERROR_SCHEMAS, type ErrorConditions, errorResponses, problemExamples } from "./openapi-errors.ts";

/**
 * Examples of a route: answers by status, and of its request `body` and `sent` (names of the query fields to
 * send).
 */
export type Examples = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

interface Parameter {
  name: string;
  in: string;
  description?: string;
  required?: boolean;
  schema?: TSchema;
  example?: unknown;
  examples?: Readonly<Record<string, { readonly value: unknown; readonly "x-disabled": true }>>;
}

interface GoodResponse {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, object>>;
}

interface Operation {
  operationId?: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, unknown> };
  responses?: Record<string, unknown>;
  [extension: string]: unknown;
}

/** The parts of a route that the generator leaves out. */
interface RouteExtras {
  /** The generator loses it, because we parse all bodies ourselves. */
  readonly body: TSchema | undefined;
  readonly guard: Guard | null;
}

/** The extras of each route, by method and path as the generator writes them. */
function routeExtrasOf(app: AnyElysia): Map<string, RouteExtras> {
  return new Map(
    app.routes.map(({ method, path, hooks }) => {
      const { body } = hooks as { body?: TSchema };
      const key = `${method.toLowerCase()} ${path.replace(/:(\w+)/g, "{$1}")}`;
      return [key, { body, guard: guardOf(hooks) }] as const;
    }),
  );
}

/** Replaces the `*` at the end of a path by the parameter name that its route declares in `x-rest`. */
function withRest(path: string, methods: Record<string, Operation>): string {
  let shown = path;
  for (const operation of Object.values(methods)) {
    const rest = operation["x-rest"] as { name: string; schema: TSchema } | undefined;
    delete operation["x-rest"];
    if (!rest || !path.endsWith("/*")) continue;
    shown = `${path.slice(0, -1)}{${rest.name}}`;
    operation.operationId =
      operation.operationId?.replace("*", `By${rest.name.charAt(0).toUpperCase()}${rest.name.slice(1)}`) ??
      shown;
    operation.parameters?.unshift({ name: rest.name, in: "path", required: true, schema: rest.schema });
  }
  return shown;
}

/** An example value: that of the schema, else its default, else the first allowed value. */
const exampleOf = ({ examples, default: preset, enum: values, type }: TSchema): unknown =>
  examples?.[0] ?? preset ?? values?.[0] ?? (type === "boolean" ? true : undefined);

const IF_NONE_MATCH: Parameter = {
  name: "If-None-Match",
  in: "header",
  description: "The ETag of an answer you have. The answer is 304 without a body while it is unchanged.",
  schema: Type.String(),
  examples: { etag: { value: '"9c1f04e2a7b3d856-1a2b"', "x-disabled": true } },
};

const AS_OF_HEADER = {
  description: "Only when the requested as_of was in the future: the instant used instead, RFC 3339 UTC.",
  schema: { type: "string" },
};

const VERSION_HEADERS = Object.fromEntries(
  ["X-Data-Version", "X-Store"].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

/**
 * Whether a field is `data_version` of market/params.ts, and not a version that a route has as its subject.
 */
const isVersion = (schema: TSchema | undefined): boolean =>
  schema?.description === dataVersionField.description;

/** The success responses of an operation, with their examples where there are any. */
function goodResponses(
  operation: Operation,
  example: Examples[string],
  own: Readonly<Record<string, object>>,
) {
  const responses = Object.entries((operation.responses ?? {}) as Record<string, GoodResponse>);
  return Object.fromEntries(
    responses.map(([status, { headers, content, ...rest }]) => {
      const [[type, media] = [], ...others] = Object.entries(content ?? {});
      const shown =
        type === undefined
          ? {}
          : { [type]: { ...media, ...(status in example ? { example: example[status] } : {}) } };
      return [
        status,
        {
          ...rest,
          headers: { ...own, ...headers },
          ...(content ? { content: { ...shown, ...Object.fromEntries(others) } } : {}),
        },
      ];
    }),
  );
}

/** Completes an operation: parameter examples, security, request body and responses. */
function complete(
  operation: Operation,
  { body, guard }: RouteExtras,
  example: Examples[string],
  named: ReturnType<typeof exampleNames>,
): void {
  const { parameters = [] } = operation;
  const { sent = [] } = example as { sent?: readonly string[] };
  for (const parameter of parameters) {
    const schema = parameter.schema ?? ({} as TSchema);
    if (schema.description !== undefined) parameter.description = schema.description;
    const value = named(exampleOf(schema));
    // With an enabled example, the reference page would send every optional parameter at once.
    if (parameter.required || sent.includes(parameter.name)) parameter.example = value;
    else parameter.examples = { [parameter.name]: { value, "x-disabled": true } };
  }
  if (operation["x-open"]) operation.security = [];
  if (guard !== null) operation.security = [{}, { admin: [] }, { bearer: [] }];
  if (body)
    operation.requestBody = {
      required: (body.required ?? []).length > 0,
      content: {
        "application/json": { schema: body, ...("body" in example ? { example: named(example.body) } : {}) },
      },
    };
  const isReplayable =
    parameters.some(({ name, schema }) => name === "data_version" && isVersion(schema)) ||
    isVersion(body?.properties?.data_version);
  const dated = parameters.some(({ name }) => name === "as_of") || "as_of" in (body?.properties ?? {});
  const conditions = {
    detail: operation as ErrorConditions["detail"],
    guard,
    hasBody: body !== undefined,
    hasDays: parameters.some(({ schema }) => isDayField(schema)) || dayFieldsOf(body).length > 0,
    isReplayable,
  };
  const own = { ...(dated ? { "X-As-Of": AS_OF_HEADER } : {}), ...(isReplayable ? VERSION_HEADERS : {}) };
  operation.responses = { ...errorResponses(conditions), ...goodResponses(operation, example, own) };
  if ("304" in operation.responses) operation.parameters = [...parameters, IF_NONE_MATCH];
  delete operation["x-errors"];
  delete operation["x-error-descriptions"];
  delete operation["x-tabular"];
  delete operation["x-rows"];
}

const header = (description: string, example: string) => ({
  description,
  schema: { type: "string" },
  example,
});

/** Headers that many routes answer with. */
const HEADERS = {
  "X-Request-ID": header(
    "The id the client sent, or a new UUID; the logs contain it.",
    "0198f3a2-6f1e-4d0a-9c57-2b1d6a7e4c10",
  ),
  "X-Data-Version": header(
    "The version of the store that the answer was read from: with it as data_version, the same request gives the same rows. Absent where other rows were stored between two reads of the answer: ask again.",
    "4127",
  ),
  "X-Store": header(
    "The line of history that this version is of, on every answer. It changes where a backup is restored or the store is forked: the pair names the same rows for good.",
    "0f6b2c1e-7a55-4d0a-9c57-2b1d6a7e4c10",
  ),
  "X-Cache": header("HIT when answered from the cache, MISS when computed for this request.", "MISS"),
  Age: header("Seconds since the answer was computed; only with HIT.", "12"),
  "Cache-Control": header(
    "How many seconds the answer is served from the cache: private, max-age=…",
    "private, max-age=48",
  ),
  "X-Stale": header(
    "true when the provider failed and an older answer is served instead; otherwise absent.",
    "true",
  ),
  ETag: header("Changes with the content. Send it back as If-None-Match.", '"9c1f04e2a7b3d856-1a2b"'),
  "X-Total-Count": header(
    "Rows that match; in ndjson, csv, parquet, arrow and records, and on lists without a body field for it.",
    "97",
  ),
  Link: header(
    'In ndjson, csv, parquet, arrow and records while rows follow: the address of the next page, with rel="next".',
    '</api/v1/news?format=csv&offset=50>; rel="next"',
  ),
  "X-Warnings": header(
    "In ndjson, csv, parquet, arrow and records, where there are any: the warnings of the answer as a JSON list, cut at 4,000 characters.",
    '["No price was known before 2026-08-03."]',
  ),
  "X-Errors": header(
    "In ndjson, csv, parquet, arrow and records, where there are any: what failed and has no rows, as a JSON object by ticker or part, cut at 4,000 characters.",
    '{"NOSUCH":"The price provider knows no ticker NOSUCH."}',
  ),
  "Retry-After": header("Seconds to wait before trying again; the same value as `retry_after`.", "30"),
  "WWW-Authenticate": header("The authentication scheme: Bearer.", "Bearer"),
};

const INFO = {
  title: "Asof",
  // The version of the interface below /api/v1 stays; that of the release moves, and /health says it.
  version: "1.0.0",
  description: [
    "Self-hosted US market data and regulatory filings. Every value can be requested as of the time it became known. " +
      "Values are only ever reported ones: null is unknown, 0 is a reported zero. Instants are RFC 3339 UTC, dates are New York sessions.",
    "Units: amounts are whole units of the currency named beside them, never thousands. Fields ending in `_percent` or `_pct` are percentage points (1.5 is 1.5 %), fields ending in `_ratio` are fractions (0.5 is a half).",
    "Example answers come from the sample market, with lists cut to one or two elements; its companies are fictional.",
    "Every answer has an `X-Request-ID`: the one the request sent (at most 128 characters of A-Z a-z 0-9 . _ -), else a new one. `X-Data-Mode: sample` means that the data is not real. " +
      "Tabular routes answer with csv, ndjson, parquet, arrow (a stream of Arrow IPC) and records by `format`; all but the last also by Accept. Errors are RFC 9457 problems; a request with invalid fields is answered with 422 and lists every error.",
  ].join("\n\n"),
};

const SECURITY_SCHEMES = {
  key: {
    type: "apiKey",
    in: "header",
    name: "X-API-Key",
    description: "One of API_KEYS; required where that is set.",
  },
  bearer: {
    type: "http",
    scheme: "bearer",
    description: "The same key, or the admin token, as a bearer token.",
  },
  admin: {
    type: "apiKey",
    in: "header",
    name: "X-Admin-Token",
    description:
      "ADMIN_TOKEN. Required on admin routes where it is set; otherwise they serve this machine only. Required for /logs and /database once API_KEYS is set. It is accepted on every other route too.",
  },
};

/** The operations of the app by path, completed and sorted. */
function pathsOf(app: AnyElysia, examples: Examples, isSample: boolean) {
  const named = exampleNames(isSample);
  const { paths } = toOpenAPISchema(app, { paths: [/^\/(?!api\/v1)/] }) as unknown as {
    paths: Record<string, Record<string, Operation>>;
  };
  const extras = routeExtrasOf(app);
  const completed = Object.entries(paths).map(([path, methods]) => {
    const name = withRest(path, methods);
    for (const [method, operation] of Object.entries(methods)) {
      const known = extras.get(`${method} ${path}`) ?? { body: undefined, guard: null };
      complete(operation, known, examples[`${method.toUpperCase()} ${name}`] ?? {}, named);
    }
    return [name, methods] as const;
  });
  return Object.fromEntries(completed.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The document of a composed app as plain data; `isSample` when it serves the sample market. */
export function openapiDocument(
  app: AnyElysia,
  tags: readonly { name: string; description: string }[],
  examples: Examples = {},
  isSample = false,
) {
  return JSON.parse(
    JSON.stringify({
      openapi: "3.1.0",
      info: INFO,
      servers: [{ url: "/", description: "This server" }],
      tags,
      // The empty alternative is for servers without API_KEYS, which require no key.
      security: [{}, { key: [] }, { bearer: [] }],
      paths: pathsOf(app, examples, isSample),
      components: {
        schemas: ERROR_SCHEMAS,
        examples: problemExamples(),
        headers: HEADERS,
        securitySchemes: SECURITY_SCHEMES,
      },
    }),
  );
}
