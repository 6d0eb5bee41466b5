// Documents a route: one declaration produces its OpenAPI operation and the settings the edge reads.
import type { TSchema } from "@sinclair/typebox";
import type { OpenAPIV3 } from "openapi-types";
import { EVENT_STREAM_TYPE } from "./event-stream.ts";
import type { ErrorStatus, ProblemCode } from "./problem-codes.ts";

export interface RouteDoc {
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** Body of the 200 answer. */
  readonly answer: TSchema;
  /** Description of the 200 answer. */
  readonly answerDescription: string;
  /**
   * Statuses besides those every route has (server/openapi.ts), or error codes where they differ from the
   * usual ones.
   */
  readonly errors?: readonly (ErrorStatus | ProblemCode)[];
  /** Descriptions of statuses that mean something special for this route. */
  readonly errorDescriptions?: Readonly<Partial<Record<ErrorStatus, string>>>;
  /** Also served as ndjson, csv, parquet, arrow and records, by the use case's own table. */
  readonly tabular?: boolean;
  /**
   * Also served as ndjson, csv, parquet, arrow and records: the field of the answer that lists the rows, or
   * null where the answer itself is the list. The server makes the table from the schema of a row.
   */
  readonly rows?: string | null;
  /** Also served as server-sent events: what an event holds. */
  readonly events?: string;
  /** Sends X-Cache. */
  readonly cached?: boolean;
  /** Sends an ETag, and answers 304 to a matching If-None-Match. */
  readonly etag?: boolean;
  /** Further headers of the answer: description by name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Deadline of the route, in seconds. */
  readonly deadlineS?: number;
  /** Served even when the limit of concurrent requests is reached. */
  readonly outsideConcurrencyLimit?: boolean;
  /** Reads or computes so much that few such requests run at once (`HEAVY_REQUESTS_MAX`). */
  readonly heavy?: boolean;
  /** Served without a client key. */
  readonly open?: boolean;
  /** Type of the answer when it is not JSON. */
  readonly contentType?: string;
  readonly successStatus?: number;
  /** Name and schema of the `*` at the end of the path. */
  readonly rest?: { readonly name: string; readonly schema: TSchema };
}

/** The rows of an answer as the server finds them. */
export interface RouteRows {
  /** The field that lists the rows; null where the answer is the list. */
  readonly field: string | null;
  readonly schema: TSchema;
}

function documentedRows({ rows, answer }: RouteDoc): RouteRows | undefined {
  if (rows === undefined) return undefined;
  const list = rows === null ? answer : answer.properties?.[rows];
  return { field: rows, schema: list.items };
}

const header = (name: string) => [name, { $ref: `#/components/headers/${name}` }] as const;

const CACHE_HEADERS = ["X-Cache", "Age", "Cache-Control", "X-Stale"];

/** The headers of row formats: rows beyond those of the answer, and what its rows cannot say. */
function rowHeaders({ answer }: RouteDoc): string[] {
  const { properties = {} } = answer;
  const isPaged = "offset" in properties || "page" in properties;
  return [
    ...("warnings" in properties ? ["X-Warnings"] : []),
    ...("errors" in properties ? ["X-Errors"] : []),
    ...(("total" in properties && "count" in properties) || "total_available" in properties
      ? ["X-Total-Count"]
      : []),
    ...(isPaged ? ["Link"] : []),
  ];
}

const isTabular = ({ tabular, rows }: RouteDoc) => tabular === true || rows !== undefined;

function successHeaders(doc: RouteDoc) {
  const text = (description: string) => ({ description, schema: { type: "string" as const } });
  const shared = [
    "X-Request-ID",
    ...(doc.cached ? CACHE_HEADERS : []),
    ...(doc.etag ? ["ETag"] : []),
    ...(isTabular(doc) ? rowHeaders(doc) : []),
  ];
  return {
    ...Object.fromEntries(shared.map(header)),
    ...Object.fromEntries(
      Object.entries(doc.headers ?? {}).map(([name, description]) => [name, text(description)]),
    ),
  };
}

/** The `detail` of a route: its OpenAPI operation, and `x-` fields for the edge. */
export interface RouteDetail {
  tags: string[];
  summary: string;
  description: string;
  responses: OpenAPIV3.ResponsesObject;
  "x-errors": RouteDoc["errors"];
  "x-error-descriptions"?: RouteDoc["errorDescriptions"];
  /** Whether the route answers in row formats too. */
  "x-tabular"?: true;
  "x-rows"?: RouteRows;
}

/** The `detail` of an Elysia route. */
export function documented(doc: RouteDoc): RouteDetail {
  const content: Record<string, object> = {
    [doc.contentType ?? "application/json"]: { schema: doc.answer },
  };
  if (isTabular(doc)) {
    content["application/x-ndjson"] = {
      schema: { type: "string", description: "One JSON object per row and line." },
    };
    content["text/csv"] = {
      schema: { type: "string", description: "A header line, then one line per row." },
    };
    for (const type of ["application/vnd.apache.parquet", "application/vnd.apache.arrow.stream"])
      content[type] = { schema: { type: "string", format: "binary" } };
  }
  if (doc.events !== undefined)
    content[EVENT_STREAM_TYPE] = { schema: { type: "string", description: doc.events } };
  const rows = documentedRows(doc);
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
    // TypeBox schemas are JSON schemas, but the types of the two packages are unrelated.
    responses: responses as unknown as OpenAPIV3.ResponsesObject,
    "x-errors": doc.errors ?? [],
    ...(doc.errorDescriptions ? { "x-error-descriptions": doc.errorDescriptions } : {}),
    ...(isTabular(doc) ? { "x-tabular": true as const } : {}),
    ...(rows ? { "x-rows": rows } : {}),
    ...(doc.deadlineS === undefined ? {} : { "x-deadline-s": doc.deadlineS }),
    ...(doc.outsideConcurrencyLimit ? { "x-outside-concurrency-limit": true } : {}),
    ...(doc.heavy ? { "x-heavy": true } : {}),
    ...(doc.open ? { "x-open": true } : {}),
    ...(doc.events === undefined ? {} : { "x-events": true }),
    ...(doc.rest ? { "x-rest": doc.rest } : {}),
  };
}
