// How a route documents itself: one declaration gives its OpenAPI operation and what the edge must know of it.
import type { TSchema } from "@sinclair/typebox";
import type { OpenAPIV3 } from "openapi-types";

/** Error statuses with what they mean on most routes; a route may word its own. */
const ERROR_TEXTS = {
  400: "The request contradicts itself or a rule; `code` says which.",
  401: "A key is needed.",
  403: "Not allowed: admin token wrong or missing, or a request from a foreign page.",
  404: "Not found: unknown ticker, or no data for it.",
  409: "Already running.",
  413: "Too large.",
  429: "The upstream provider limits our rate; `Retry-After` says when to try again.",
  500: "The service failed in a way it did not foresee; the request id leads to the log entry.",
  502: "The upstream provider failed or could not be reached. Nothing was stored.",
  503: "All seats are taken, a key is missing, or the store cannot be used; `code` says which.",
  504: "The upstream provider, or the whole request, took too long.",
} as const;

export type ErrorStatus = keyof typeof ERROR_TEXTS;

export interface RouteDoc {
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** Body of the 200 answer. */
  readonly answer: TSchema;
  /** What the 200 answer is, in a few words. */
  readonly answerSays: string;
  /** An example of the answer, shown in the documentation. */
  readonly example?: unknown;
  /** Statuses beside 200, 422 (where there are parameters), 500 and 503. */
  readonly errors?: readonly ErrorStatus[];
  /** Served as ndjson, csv and parquet too. */
  readonly tabular?: boolean;
  /** Carries X-Cache. */
  readonly cached?: boolean;
  /** Carries an ETag, and answers 304 to an If-None-Match that names it. */
  readonly etag?: boolean;
  /** Further headers of the answer: what each says, by name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Longest the route may take, seconds. */
  readonly deadlineS?: number;
  /** Served even when all seats are taken. */
  readonly outsideSeats?: boolean;
  /** Served without a client key. */
  readonly open?: boolean;
  /** Type of the answer when it is not JSON. */
  readonly contentType?: string;
  readonly successStatus?: number;
  /** What the `*` at the end of the route's path is called and takes. */
  readonly rest?: { readonly name: string; readonly schema: TSchema };
}

const problem = (text: string) => ({
  description: text,
  content: { "application/problem+json": { schema: { $ref: "#/components/schemas/ErrorResponse" } } },
});

function successHeaders(doc: RouteDoc) {
  const text = (description: string) => ({ description, schema: { type: "string" as const } });
  return {
    "X-Request-ID": text("Echo of the client's id, or a new UUID."),
    ...(doc.cached
      ? { "X-Cache": text("HIT when answered from memory, MISS when made for this request.") }
      : {}),
    ...(doc.etag ? { ETag: text("Changes when the content does. Send it back as If-None-Match.") } : {}),
    ...Object.fromEntries(Object.entries(doc.headers ?? {}).map(([name, says]) => [name, text(says)])),
  };
}

/** What a route's `detail` carries: its OpenAPI operation, and `x-` fields for the edge. */
export interface RouteDetail {
  tags: string[];
  summary: string;
  description: string;
  responses: OpenAPIV3.ResponsesObject;
}

/** The `detail` of an Elysia route. */
export function documented(doc: RouteDoc): RouteDetail {
  const content: Record<string, object> = {
    [doc.contentType ?? "application/json"]: {
      schema: doc.answer,
      ...(doc.example === undefined ? {} : { example: doc.example }),
    },
  };
  if (doc.tabular) {
    content["application/x-ndjson"] = {
      schema: { type: "string", description: "One JSON object per row and line." },
    };
    content["text/csv"] = {
      schema: { type: "string", description: "A header line, then one line per row." },
    };
    content["application/vnd.apache.parquet"] = { schema: { type: "string", format: "binary" } };
  }
  const statuses: ErrorStatus[] = [...(doc.errors ?? []), 500, ...(doc.outsideSeats ? [] : ([503] as const))];
  const responses: Record<string, object> = {
    [doc.successStatus ?? 200]: { description: doc.answerSays, headers: successHeaders(doc), content },
  };
  if (doc.etag)
    responses[304] = {
      description: "The content is the one of If-None-Match.",
      headers: successHeaders(doc),
    };
  for (const status of [...new Set(statuses)].sort()) responses[status] = problem(ERROR_TEXTS[status]);
  return {
    tags: [doc.tag],
    summary: doc.summary,
    description: doc.description,
    // TypeBox schemas are JSON schemas; the types of the two packages do not know each other.
    responses: responses as unknown as OpenAPIV3.ResponsesObject,
    ...(doc.deadlineS === undefined ? {} : { "x-deadline-s": doc.deadlineS }),
    ...(doc.outsideSeats ? { "x-outside-seats": true } : {}),
    ...(doc.open ? { "x-open": true } : {}),
    ...(doc.rest ? { "x-rest": doc.rest } : {}),
  };
}
