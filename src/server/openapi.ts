// The OpenAPI document, made from the routes' own schemas and docs, finished where the generator leaves gaps.
import { toOpenAPISchema } from "@elysiajs/openapi/openapi";
import { type TSchema, Type } from "@sinclair/typebox";
import type { AnyElysia } from "elysia";
import { exampleNames } from "./example-names.ts";
import { type Guard, guardOf } from "./guards.ts";
import { ERROR_SCHEMAS, type ErrorFacts, errorResponses, problemExamples } from "./openapi-errors.ts";

/** What the answers of a route look like, by status; `body` and `sent` (fields of the query) are of the request. */
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

/** What the generator does not tell of a route. */
interface RouteFacts {
  /** It loses them, since we parse all bodies ourselves. */
  readonly body: TSchema | undefined;
  readonly guard: Guard | null;
}

/** By method and path, as the generator writes them. */
function factsOf(app: AnyElysia): Map<string, RouteFacts> {
  return new Map(
    app.routes.map(({ method, path, hooks }) => {
      const { body } = hooks as { body?: TSchema };
      const key = `${method.toLowerCase()} ${path.replace(/:(\w+)/g, "{$1}")}`;
      return [key, { body, guard: guardOf(hooks) }] as const;
    }),
  );
}

/** A path that ends in `*` is shown with the name that its route gives the rest of it. */
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

/** A value to try: the schema's own, else what is taken without it, else one of those allowed. */
const exampleOf = ({ examples, default: preset, enum: values, type }: TSchema): unknown =>
  examples?.[0] ?? preset ?? values?.[0] ?? (type === "boolean" ? true : undefined);

const IF_NONE_MATCH: Parameter = {
  name: "If-None-Match",
  in: "header",
  description: "The ETag of an answer you have: 304 without a body while it still holds.",
  schema: Type.String(),
  examples: { etag: { value: '"9c1f04e2a7b3d856-1a2b"', "x-disabled": true } },
};

const AS_OF_HEADER = {
  description: "Only where the as_of asked for lay ahead: the moment answered instead, RFC 3339 UTC.",
  schema: { type: "string" },
};

/** Responses of a good answer, with their examples; those the examples do not know stay without. */
function goodResponses(operation: Operation, example: Examples[string], dated: boolean) {
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
          headers: dated && !("X-As-Of" in headers) ? { ...headers, "X-As-Of": AS_OF_HEADER } : headers,
          ...(content ? { content: { ...shown, ...Object.fromEntries(others) } } : {}),
        },
      ];
    }),
  );
}

function finish(
  operation: Operation,
  { body, guard }: RouteFacts,
  example: Examples[string],
  named: ReturnType<typeof exampleNames>,
): void {
  const { parameters = [] } = operation;
  const { sent = [] } = example as { sent?: readonly string[] };
  for (const parameter of parameters) {
    const schema = parameter.schema ?? ({} as TSchema);
    if (schema.description !== undefined) parameter.description = schema.description;
    const value = named(exampleOf(schema));
    // Else the reference page would send it: all that is optional, at once.
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
  const dated = parameters.some(({ name }) => name === "as_of") || "as_of" in (body?.properties ?? {});
  const facts = {
    detail: operation as ErrorFacts["detail"],
    guard,
    hasParameters: parameters.length > 0,
    hasBody: body !== undefined,
  };
  operation.responses = { ...errorResponses(facts), ...goodResponses(operation, example, dated) };
  if ("304" in operation.responses) operation.parameters = [...parameters, IF_NONE_MATCH];
  delete operation["x-errors"];
  delete operation["x-error-descriptions"];
}

const header = (description: string, example: string) => ({
  description,
  schema: { type: "string" },
  example,
});

/** Headers that answers of many routes carry. */
const HEADERS = {
  "X-Request-ID": header(
    "Echo of the client's id, or a new UUID; the logs have it.",
    "0198f3a2-6f1e-4d0a-9c57-2b1d6a7e4c10",
  ),
  "X-Cache": header("HIT when answered from memory, MISS when made for this request.", "MISS"),
  Age: header("Seconds since it was made; only with HIT.", "12"),
  "Cache-Control": header(
    "For how many seconds it is served from memory: private, max-age=…",
    "private, max-age=48",
  ),
  "X-Stale": header("true where the provider failed and an older answer stands in; else absent.", "true"),
  ETag: header("Changes when the content does. Send it back as If-None-Match.", '"9c1f04e2a7b3d856-1a2b"'),
  "Retry-After": header("Seconds after which to try again; `retry_after` says the same.", "30"),
  "WWW-Authenticate": header("How to say who you are: Bearer.", "Bearer"),
};

/** The document for a composed app; `isSample` where it serves the sample market. Plain data. */
export function openapiDocument(
  app: AnyElysia,
  tags: readonly { name: string; description: string }[],
  examples: Examples = {},
  isSample = false,
) {
  const named = exampleNames(isSample);
  const { paths } = toOpenAPISchema(app, { paths: [/^\/(?!api\/v1)/] }) as unknown as {
    paths: Record<string, Record<string, Operation>>;
  };
  const facts = factsOf(app);
  const shown = Object.entries(paths).map(([path, methods]) => {
    const name = withRest(path, methods);
    for (const [method, operation] of Object.entries(methods)) {
      const known = facts.get(`${method} ${path}`) ?? { body: undefined, guard: null };
      finish(operation, known, examples[`${method.toUpperCase()} ${name}`] ?? {}, named);
    }
    return [name, methods] as const;
  });
  const sorted = Object.fromEntries(shown.sort(([a], [b]) => (a < b ? -1 : 1)));
  return JSON.parse(
    JSON.stringify({
      openapi: "3.1.0",
      info: {
        title: "Asof",
        version: "1.0.0",
        description:
          "Self-hosted US market data and regulatory filings. Every figure can be asked as of the moment it became known. " +
          "Numbers are only ever reported ones: null is unknown, 0 is a reported zero. Instants are RFC 3339 UTC, dates are New York sessions.\n\n" +
          "Units: amounts are whole units of the currency named beside them, never thousands; fields that end in `_percent` or `_pct` are percent points (1.5 is 1.5 %), in `_ratio` fractions (0.5 is a half).\n\n" +
          "Examples of answers are those of the sample market, its lists cut to one or two elements; its companies are fictional.\n\n" +
          "Every answer carries `X-Request-ID`: that of the request where it sent one (128 characters at most of A-Z a-z 0-9 . _ -), else a new one. `X-Data-Mode: sample` says that the data is not real. " +
          "Tabular routes answer csv, ndjson and parquet by `format` or by Accept. Errors are problems of RFC 9457; a request with bad fields is answered 422 with every fault.",
      },
      servers: [{ url: "/", description: "This server" }],
      tags,
      // An empty one: without API_KEYS nobody needs a key.
      security: [{}, { key: [] }, { bearer: [] }],
      paths: sorted,
      components: {
        schemas: ERROR_SCHEMAS,
        examples: problemExamples(),
        headers: HEADERS,
        securitySchemes: {
          key: {
            type: "apiKey",
            in: "header",
            name: "X-API-Key",
            description: "One of API_KEYS; needed where that is set.",
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
              "ADMIN_TOKEN; needed on admin routes where that is set (else they serve this machine only), and for /logs and /database once API_KEYS is set. It opens every other route too.",
          },
        },
      },
    }),
  );
}
