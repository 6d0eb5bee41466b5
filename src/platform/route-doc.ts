// How a route documents itself: one declaration gives its OpenAPI operation and what the edge must know of it.
import type { TSchema } from "@sinclair/typebox";
import type { OpenAPIV3 } from "openapi-types";
import type { ErrorStatus, ProblemCode } from "./problem-codes.ts";

export interface RouteDoc {
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** Body of the 200 answer. */
  readonly answer: TSchema;
  /** What the 200 answer is, in a few words. */
  readonly answerDescription: string;
  /** Statuses beside those every route has (server/openapi.ts); codes where others than the usual ones are met. */
  readonly errors?: readonly (ErrorStatus | ProblemCode)[];
  /** What a status of these means here, where the usual words do not say it. */
  readonly errorDescriptions?: Readonly<Partial<Record<ErrorStatus, string>>>;
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
  readonly outsideConcurrencyLimit?: boolean;
  /** Served without a client key. */
  readonly open?: boolean;
  /** Type of the answer when it is not JSON. */
  readonly contentType?: string;
  readonly successStatus?: number;
  /** What the `*` at the end of the route's path is called and takes. */
  readonly rest?: { readonly name: string; readonly schema: TSchema };
}

const header = (name: string) => [name, { $ref: `#/components/headers/${name}` }] as const;

const CACHE_HEADERS = ["X-Cache", "Age", "Cache-Control", "X-Stale"];

function successHeaders(doc: RouteDoc) {
  const text = (description: string) => ({ description, schema: { type: "string" as const } });
  const shared = ["X-Request-ID", ...(doc.cached ? CACHE_HEADERS : []), ...(doc.etag ? ["ETag"] : [])];
  return {
    ...Object.fromEntries(shared.map(header)),
    ...Object.fromEntries(
      Object.entries(doc.headers ?? {}).map(([name, description]) => [name, text(description)]),
    ),
  };
}

/** What a route's `detail` carries: its OpenAPI operation, and `x-` fields for the edge. */
export interface RouteDetail {
  tags: string[];
  summary: string;
  description: string;
  responses: OpenAPIV3.ResponsesObject;
  "x-errors": RouteDoc["errors"];
  "x-error-descriptions"?: RouteDoc["errorDescriptions"];
}

/** The `detail` of an Elysia route. */
export function documented(doc: RouteDoc): RouteDetail {
  const content: Record<string, object> = {
    [doc.contentType ?? "application/json"]: { schema: doc.answer },
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
  const responses: Record<string, object> = {
    [doc.successStatus ?? 200]: { description: doc.answerDescription, headers: successHeaders(doc), content },
  };
  if (doc.etag)
    responses[304] = {
      description: "The content is the one of If-None-Match.",
      headers: successHeaders(doc),
    };
  return {
    tags: [doc.tag],
    summary: doc.summary,
    description: doc.description,
    // TypeBox schemas are JSON schemas; the types of the two packages do not know each other.
    responses: responses as unknown as OpenAPIV3.ResponsesObject,
    "x-errors": doc.errors ?? [],
    ...(doc.errorDescriptions ? { "x-error-descriptions": doc.errorDescriptions } : {}),
    ...(doc.deadlineS === undefined ? {} : { "x-deadline-s": doc.deadlineS }),
    ...(doc.outsideConcurrencyLimit ? { "x-outside-concurrency-limit": true } : {}),
    ...(doc.open ? { "x-open": true } : {}),
    ...(doc.rest ? { "x-rest": doc.rest } : {}),
  };
}
