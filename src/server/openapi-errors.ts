// The errors in the OpenAPI document: the statuses and codes each route may answer with, and an example of
// each.
import { type TSchema, Type } from "@sinclair/typebox";
import { type ErrorStatus, PROBLEM_CODES, type ProblemCode } from "../platform/problem-codes.ts";
import type { RouteDetail } from "../platform/route-doc.ts";
import { TITLES } from "./errors.ts";
import type { Guard } from "./guards.ts";

const ErrorResponse = Type.Object(
  {
    type: Type.String({ description: "Always about:blank; `code` identifies the error." }),
    title: Type.String({ description: "The status in words." }),
    status: Type.Integer({ description: "The HTTP status of the answer." }),
    detail: Type.String({ description: "What went wrong, as text for people." }),
    code: Type.String({
      description:
        "What went wrong, as a stable code for programs. The examples of a status list the codes of the route.",
      examples: ["unknown_ticker"],
    }),
    request_id: Type.String({ description: "The X-Request-ID of the answer." }),
    instance: Type.String({ description: "Path of the request." }),
    absence: Type.Optional(
      Type.Union([Type.Literal("nothing_there"), Type.Literal("not_read")], {
        description:
          "Of `no_data`: nothing_there, the provider or the store says that there is nothing; not_read, this installation has not read it.",
      }),
    ),
    hint: Type.Optional(Type.String({ description: "What to do about it." })),
    ticker: Type.Optional(Type.String({ description: "The ticker concerned, as you sent it." })),
    upstream: Type.Optional(Type.String({ description: "The provider concerned." })),
    upstream_error_code: Type.Optional(
      Type.Integer({ description: "The provider's own error code, where it has one." }),
    ),
    retry_after: Type.Optional(
      Type.Integer({ description: "Seconds to wait before trying again; the same value as Retry-After." }),
    ),
  },
  { description: "RFC 9457 problem." },
);

const HTTPValidationError = Type.Object(
  {
    detail: Type.Array(
      Type.Object({
        type: Type.String({
          description: "Kind of error for programs, named as in Pydantic.",
          examples: ["missing", "int_parsing", "literal_error"],
        }),
        loc: Type.Array(Type.Union([Type.String(), Type.Integer()]), {
          description: "path, query, body or header, then the field, then the index in its list.",
        }),
        msg: Type.String({
          description: "The error as text for people. It does not repeat the value that was sent.",
        }),
        ctx: Type.Optional(
          Type.Record(Type.String(), Type.Unknown(), { description: "The limit that was exceeded." }),
        ),
      }),
      { description: "Every error of the request's fields." },
    ),
    request_id: Type.String({ description: "The X-Request-ID of the answer." }),
  },
  { description: "The errors of a request's fields." },
);

export const ERROR_SCHEMAS: Record<string, TSchema> = { ErrorResponse, HTTPValidationError };

const TEXTS = {
  400: "The request contradicts itself or breaks a rule; `code` states which.",
  401: "A key is required (only where API_KEYS is set).",
  403: "The request comes from a page of another site, or its Host name is not the server's.",
  404: "Not found: `code` states whether it is unknown or has no data.",
  408: "The body did not arrive in time.",
  409: "It is running already.",
  410: "The data version is older than the oldest that can be read, or of a line of history that was lost.",
  413: "The body or the requested data is too large.",
  414: "The URL is too long.",
  415: "The body is not application/json, or is compressed.",
  429: "A provider limits our request rate, or a limit of the route is reached; `Retry-After` states when to try again.",
  500: "The service failed unexpectedly; the log has an entry with the request id.",
  502: "The provider failed or could not be reached. Nothing was stored.",
  503: "The server is at its concurrency limit, a setting is missing, or the store cannot be used; `code` states which.",
  504: "The provider, or the whole request, took too long.",
} as const satisfies Readonly<Record<ErrorStatus, string>>;

/** The codes of a status for routes that do not list codes themselves. */
const USUAL: Readonly<Record<ErrorStatus, readonly ProblemCode[]>> = {
  400: ["bad_request"],
  401: ["unauthorized"],
  403: ["cross_site"],
  404: ["unknown_ticker"],
  408: ["request_timeout"],
  409: ["already_running"],
  410: ["version_expired", "other_lineage"],
  413: ["payload_too_large"],
  414: ["uri_too_long"],
  415: ["unsupported_media_type"],
  429: ["upstream_rate_limited"],
  500: ["internal_error"],
  502: ["upstream_error"],
  503: ["server_busy", "database_unavailable", "damaged"],
  504: ["upstream_timeout"],
};

/** Descriptions of 401 and 403 for guarded routes. */
const GUARDED_TEXTS: Readonly<Record<Guard, Readonly<Partial<Record<ErrorStatus, string>>>>> = {
  admin: {
    401: "The admin token is required (where ADMIN_TOKEN is set).",
    403: `The admin token is wrong, or none is set and the request comes from another machine. Or: ${TEXTS[403]}`,
  },
  operator: {
    401: "The admin token is required (where API_KEYS and ADMIN_TOKEN are set).",
    403: `Where API_KEYS is set: the admin token is wrong, or none is set and the request comes from another machine. Or: ${TEXTS[403]}`,
  },
};

const REQUEST_ID = "0198f3a2-6f1e-4d0a-9c57-2b1d6a7e4c10";

/** An example problem for each code. */
export const problemExamples = () =>
  Object.fromEntries(
    Object.entries(PROBLEM_CODES).map(([code, { status, detail, ...facts }]) => {
      const common = { type: "about:blank", title: TITLES[status], status, detail, code };
      const value = { ...common, ...facts, request_id: REQUEST_ID, instance: "/api/v1/…" };
      return [code, { summary: code, value }] as const;
    }),
  );

const FIELD_ERRORS = [
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
  description: "A parameter or field is missing or malformed; every error is listed.",
  headers: headers(["X-Request-ID"]),
  content: {
    "application/json": {
      schema: { $ref: "#/components/schemas/HTTPValidationError" },
      example: { detail: FIELD_ERRORS, request_id: REQUEST_ID },
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
    description,
    headers: headers(["X-Request-ID", ...(special[status] ? [special[status]] : [])]),
    content: {
      "application/problem+json": {
        schema: { $ref: "#/components/schemas/ErrorResponse" },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

/** The conditions that decide which errors an operation may answer with. */
export interface ErrorConditions {
  readonly detail: Partial<RouteDetail> & {
    readonly "x-open"?: boolean;
    readonly "x-outside-concurrency-limit"?: boolean;
  };
  readonly guard: Guard | null;
  readonly hasBody: boolean;
  /** Whether it takes days, of which some are out of range. */
  readonly hasDays: boolean;
  /** Whether the operation answers from earlier versions of the store. */
  readonly isReplayable: boolean;
}

/**
 * The error responses of an operation by status: its own, those of the edge and its guard, and of invalid
 * fields (any route may be asked for a format it does not have).
 */
export function errorResponses({
  detail,
  guard,
  hasBody,
  hasDays,
  isReplayable,
}: ErrorConditions): Record<string, object> {
  const own = detail["x-errors"] ?? [];
  const entries: readonly (ErrorStatus | ProblemCode)[] = [
    ...(detail["x-open"] && guard === null ? [] : ([401] as const)),
    403,
    ...(guard === null ? [] : (["forbidden", "admin_not_configured"] as const)),
    ...(hasBody ? ([408, 413, 415] as const) : []),
    ...(hasDays ? (["invalid_date_range"] as const) : []),
    // Any route: a query may have unknown parameters, and they count towards the length of the URL.
    414,
    500,
    // Any route: one that answers from the newest version only refuses `data_version`.
    "not_replayable",
    ...(isReplayable ? (["bad_request", "unknown_version", 410] as const) : []),
    ...(detail["x-outside-concurrency-limit"] ? [] : ([503, 504] as const)),
    // A route that calls a provider may find its queue full.
    ...(own.includes(502) ? (["upstream_busy"] as const) : []),
    ...own,
  ];
  const codes = new Set(entries.flatMap((each) => (typeof each === "number" ? USUAL[each] : [each])));
  const byStatus = Map.groupBy(codes, (code): ErrorStatus => PROBLEM_CODES[code].status);
  const problems = [...byStatus].map(([status, of]) => {
    const guarded = guard === null ? undefined : GUARDED_TEXTS[guard][status];
    return [
      status,
      problem(status, detail["x-error-descriptions"]?.[status] ?? guarded ?? TEXTS[status], of),
    ] as const;
  });
  return { ...Object.fromEntries(problems), 422: VALIDATION };
}
