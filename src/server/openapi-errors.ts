// The error side of the OpenAPI document: which statuses and codes a route may answer, with an example of each.
import { type TSchema, Type } from "@sinclair/typebox";
import { type ErrorStatus, PROBLEM_CODES, type ProblemCode } from "../platform/problem-codes.ts";
import type { RouteDetail } from "../platform/route-doc.ts";
import { TITLES } from "./errors.ts";
import type { Guard } from "./guards.ts";

const ErrorResponse = Type.Object(
  {
    type: Type.String({ description: "Always about:blank: `code` tells the kind." }),
    title: Type.String({ description: "The status in words." }),
    status: Type.Integer({ description: "The HTTP status of the answer." }),
    detail: Type.String({ description: "What went wrong, for a person." }),
    code: Type.String({
      description:
        "What went wrong, for a program; stable. The examples of a status list those of the route.",
      examples: ["unknown_ticker"],
    }),
    request_id: Type.String({ description: "The X-Request-ID of the answer." }),
    instance: Type.String({ description: "Path of the request." }),
    hint: Type.Optional(Type.String({ description: "What to do about it." })),
    ticker: Type.Optional(Type.String({ description: "The ticker concerned, as you sent it." })),
    upstream: Type.Optional(Type.String({ description: "The provider concerned." })),
    upstream_error_code: Type.Optional(
      Type.Integer({ description: "The provider's own code of the error, where it has one." }),
    ),
    retry_after: Type.Optional(
      Type.Integer({ description: "Seconds after which to try again; Retry-After says the same." }),
    ),
  },
  { description: "RFC 9457 problem." },
);

const HTTPValidationError = Type.Object(
  {
    detail: Type.Array(
      Type.Object({
        type: Type.String({
          description: "Kind of fault, for a program, as Pydantic names it.",
          examples: ["missing", "int_parsing", "literal_error"],
        }),
        loc: Type.Array(Type.Union([Type.String(), Type.Integer()]), {
          description: "path, query, body or header, then the field, then the place in its list.",
        }),
        msg: Type.String({ description: "The fault, for a person. What was sent is not repeated." }),
        ctx: Type.Optional(
          Type.Record(Type.String(), Type.Unknown(), { description: "The bound that was crossed." }),
        ),
      }),
      { description: "Every fault of the request." },
    ),
    request_id: Type.String({ description: "The X-Request-ID of the answer." }),
  },
  { description: "The faults of a request's fields." },
);

export const ERROR_SCHEMAS: Record<string, TSchema> = { ErrorResponse, HTTPValidationError };

const TEXTS = {
  400: "The request contradicts itself or a rule; `code` says which.",
  401: "A key is needed (only where API_KEYS is set).",
  403: "A page of another site asks, or the Host name is not the server's.",
  404: "Not found: `code` says whether nobody knows it, or there is no data of it.",
  408: "The body did not arrive in time.",
  409: "It is running already.",
  413: "Too large: the body, or what was asked for.",
  414: "The URL is too long.",
  415: "The body is not application/json, or is compressed.",
  429: "A provider limits our rate, or a limit of the route is reached; `Retry-After` says when to try again.",
  500: "The service failed in a way it did not foresee; the request id leads to the log entry.",
  502: "The provider failed or could not be reached. Nothing was stored.",
  503: "All seats are taken, a setting is missing, or the store cannot be used; `code` says which.",
  504: "The provider, or the whole request, took too long.",
} as const satisfies Readonly<Record<ErrorStatus, string>>;

/** What a status is answered for where a route names no codes of it. */
const USUAL: Readonly<Record<ErrorStatus, readonly ProblemCode[]>> = {
  400: ["bad_request"],
  401: ["unauthorized"],
  403: ["cross_site"],
  404: ["unknown_ticker"],
  408: ["request_timeout"],
  409: ["already_running"],
  413: ["payload_too_large"],
  414: ["uri_too_long"],
  415: ["unsupported_media_type"],
  429: ["upstream_rate_limited"],
  500: ["internal_error"],
  502: ["upstream_error"],
  503: ["server_busy", "database_unavailable"],
  504: ["upstream_timeout"],
};

/** The same where only the admin may ask. */
const GUARDED: Readonly<Record<Guard, Readonly<Partial<Record<ErrorStatus, string>>>>> = {
  admin: {
    401: "The admin token is needed (where ADMIN_TOKEN is set).",
    403: `The admin token is wrong, or none is set and the request comes from another machine. Or: ${TEXTS[403]}`,
  },
  operator: {
    401: "The admin token is needed (where API_KEYS and ADMIN_TOKEN are set).",
    403: `Where API_KEYS is set: the admin token is wrong, or none is set and the request comes from another machine. Or: ${TEXTS[403]}`,
  },
};

const REQUEST_ID = "0198f3a2-6f1e-4d0a-9c57-2b1d6a7e4c10";

/** A problem of each code, as a client gets it. */
export const problemExamples = () =>
  Object.fromEntries(
    Object.entries(PROBLEM_CODES).map(([code, { status, detail, ...facts }]) => {
      const common = { type: "about:blank", title: TITLES[status], status, detail, code };
      const value = { ...common, ...facts, request_id: REQUEST_ID, instance: "/api/v1/…" };
      return [code, { summary: code, value }] as const;
    }),
  );

const FAULTS = [
  { type: "missing", loc: ["query", "start_date"], msg: "Field required" },
  {
    type: "greater_than_equal",
    loc: ["query", "limit"],
    msg: "Input should be greater than or equal to 1",
    ctx: { ge: 1 },
  },
];

const headers = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }] as const));

const VALIDATION = {
  description: "A parameter or field is missing or malformed; every fault is listed.",
  headers: headers(["X-Request-ID"]),
  content: {
    "application/json": {
      schema: { $ref: "#/components/schemas/HTTPValidationError" },
      example: { detail: FAULTS, request_id: REQUEST_ID },
    },
  },
};

function problem(status: ErrorStatus, description: string, codes: readonly ProblemCode[]) {
  const special: Partial<Record<ErrorStatus, string>> = {
    401: "WWW-Authenticate",
    429: "Retry-After",
    503: "Retry-After",
  };
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }] as const);
  return {
    description: description,
    headers: headers(["X-Request-ID", ...(special[status] ? [special[status]] : [])]),
    content: {
      "application/problem+json": {
        schema: { $ref: "#/components/schemas/ErrorResponse" },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

/** What is known of an operation that decides which errors it may answer. */
export interface ErrorFacts {
  readonly detail: Partial<RouteDetail> & {
    readonly "x-open"?: boolean;
    readonly "x-outside-concurrency-limit"?: boolean;
  };
  readonly guard: Guard | null;
  readonly hasParameters: boolean;
  readonly hasBody: boolean;
}

/** The responses of an operation's errors, by status: its own, the edge's, its guard's, and those of bad fields. */
export function errorResponses({
  detail,
  guard,
  hasParameters,
  hasBody,
}: ErrorFacts): Record<string, object> {
  const own = detail["x-errors"] ?? [];
  const entries: readonly (ErrorStatus | ProblemCode)[] = [
    ...(detail["x-open"] && guard === null ? [] : ([401] as const)),
    403,
    ...(guard === null ? [] : (["forbidden", "admin_not_configured"] as const)),
    ...(hasBody ? ([408, 413, 415] as const) : []),
    // Of any route: what it does not know may stand behind it, and counts.
    414,
    500,
    ...(detail["x-outside-concurrency-limit"] ? [] : ([503, 504] as const)),
    // Whoever asks a provider may find its queue full.
    ...(own.includes(502) ? (["upstream_busy"] as const) : []),
    ...own,
  ];
  const codes = new Set(entries.flatMap((each) => (typeof each === "number" ? USUAL[each] : [each])));
  const byStatus = Map.groupBy(codes, (code): ErrorStatus => PROBLEM_CODES[code].status);
  const problems = [...byStatus].map(([status, of]) => {
    const guarded = guard === null ? undefined : GUARDED[guard][status];
    return [
      status,
      problem(status, detail["x-error-descriptions"]?.[status] ?? guarded ?? TEXTS[status], of),
    ] as const;
  });
  return { ...Object.fromEntries(problems), ...(hasParameters || hasBody ? { 422: VALIDATION } : {}) };
}
