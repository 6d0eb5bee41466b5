// The OpenAPI document, made from the routes' own schemas and docs, finished where the generator leaves gaps.
import { toOpenAPISchema } from "@elysiajs/openapi/openapi";
import { type TSchema, Type } from "@sinclair/typebox";
import type { AnyElysia } from "elysia";

const ErrorResponse = Type.Object(
  {
    type: Type.String({ description: "Always about:blank: `code` tells the kind." }),
    title: Type.String({ description: "The status in words." }),
    status: Type.Integer(),
    detail: Type.String({ description: "What went wrong, for a person." }),
    code: Type.String({
      description: "What went wrong, for a program; stable.",
      examples: ["unknown_ticker"],
    }),
    request_id: Type.String(),
    instance: Type.String({ description: "Path of the request." }),
    hint: Type.Optional(Type.String({ description: "What to do about it." })),
    ticker: Type.Optional(Type.String()),
    upstream: Type.Optional(Type.String({ description: "The provider concerned." })),
    upstream_error_code: Type.Optional(
      Type.Integer({ description: "The provider's own code of the error, where it has one." }),
    ),
    retry_after: Type.Optional(Type.Integer({ description: "Seconds after which to try again." })),
  },
  { description: "RFC 9457 problem." },
);

const HTTPValidationError = Type.Object({
  detail: Type.Array(
    Type.Object({
      type: Type.String({ examples: ["missing", "int_parsing", "literal_error"] }),
      loc: Type.Array(Type.Union([Type.String(), Type.Integer()]), {
        description: "path, query, body or header, then the field.",
      }),
      msg: Type.String(),
      ctx: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    }),
    { description: "Every fault of the request." },
  ),
  request_id: Type.String(),
});

interface Parameter {
  name: string;
  in: string;
  description?: string;
  required?: boolean;
  schema?: { description?: string; examples?: unknown[] };
  example?: unknown;
}

interface Operation {
  operationId?: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, unknown> };
  responses?: Record<string, unknown>;
  [extension: string]: unknown;
}

const problem = (description: string) => ({
  description,
  content: { "application/problem+json": { schema: { $ref: "#/components/schemas/ErrorResponse" } } },
});

const VALIDATION = {
  description: "A parameter or field is missing or malformed; every fault is listed.",
  content: { "application/json": { schema: { $ref: "#/components/schemas/HTTPValidationError" } } },
};

/** What the edge may answer before a route is reached. */
const EDGE_TEXTS = {
  401: "A key is needed (only where API_KEYS is set).",
  403: "A request from a foreign page, or for a Host name that is not the server's.",
  413: "The body is too large.",
  414: "The URL is too long.",
  415: "The body is not application/json.",
} as const;

function edgeStatuses(operation: Operation): (keyof typeof EDGE_TEXTS)[] {
  return [
    ...(operation["x-open"] ? [] : ([401] as const)),
    403,
    ...(operation.requestBody ? ([413, 415] as const) : []),
    ...(operation.parameters?.length ? ([414] as const) : []),
  ];
}

/** Bodies of routes by method and path; the generator loses them, since we parse all bodies ourselves. */
function bodiesOf(app: AnyElysia): Map<string, TSchema> {
  return new Map(
    app.routes.flatMap(({ method, path, hooks }) => {
      const { body } = hooks as { body?: TSchema };
      return body ? [[`${method.toLowerCase()} ${path.replace(/:(\w+)/g, "{$1}")}`, body] as const] : [];
    }),
  );
}

/** A path that ends in `*` is shown with the name that its route gives the rest of it. */
function named(path: string, methods: Record<string, Operation>): string {
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

function finish(operation: Operation, body: TSchema | undefined): void {
  for (const parameter of operation.parameters ?? []) {
    const { description, examples } = parameter.schema ?? {};
    if (description !== undefined) parameter.description = description;
    if (examples?.[0] !== undefined) parameter.example = examples[0];
  }
  if (operation["x-open"]) operation.security = [];
  if (body)
    operation.requestBody = {
      required: (body.required ?? []).length > 0,
      content: { "application/json": { schema: body } },
    };
  const fromEdge = edgeStatuses(operation).map((status) => [status, problem(EDGE_TEXTS[status])] as const);
  operation.responses = {
    ...Object.fromEntries(fromEdge),
    ...operation.responses,
    ...(operation.parameters?.length || body ? { 422: VALIDATION } : {}),
  };
}

/** The document for a composed app. Plain data. */
export function openapiDocument(app: AnyElysia, tags: readonly { name: string; description: string }[]) {
  const { paths } = toOpenAPISchema(app, { paths: [/^\/(?!api\/v1)/] }) as unknown as {
    paths: Record<string, Record<string, Operation>>;
  };
  const bodies = bodiesOf(app);
  const shown = Object.entries(paths).map(([path, methods]) => [named(path, methods), methods] as const);
  for (const [path, methods] of Object.entries(paths))
    for (const [method, operation] of Object.entries(methods))
      finish(operation, bodies.get(`${method} ${path}`));
  const sorted = Object.fromEntries(shown.sort(([a], [b]) => (a < b ? -1 : 1)));
  const schemas: Record<string, TSchema> = { ErrorResponse, HTTPValidationError };
  return JSON.parse(
    JSON.stringify({
      openapi: "3.1.0",
      info: {
        title: "Asof",
        version: "1.0.0",
        description:
          "Self-hosted US market data and regulatory filings. Every figure can be asked as of the moment it became known. " +
          "Numbers are only ever reported ones: null is unknown, 0 is a reported zero. Instants are RFC 3339 UTC, dates are New York sessions.",
      },
      servers: [{ url: "/", description: "This server" }],
      tags,
      // An empty one: without API_KEYS nobody needs a key.
      security: [{}, { key: [] }, { bearer: [] }],
      paths: sorted,
      components: {
        schemas,
        securitySchemes: {
          key: {
            type: "apiKey",
            in: "header",
            name: "X-API-Key",
            description: "Needed when API_KEYS is set.",
          },
          bearer: { type: "http", scheme: "bearer", description: "The same key, as a bearer token." },
          admin: {
            type: "apiKey",
            in: "header",
            name: "X-Admin-Token",
            description: "Needed on admin routes when ADMIN_TOKEN is set.",
          },
        },
      },
    }),
  );
}
