// Maps errors to what the client sees: one table of statuses and one response format (RFC 9457).

import { PRICE_PROVIDER, PRICE_RATE_LIMIT_RETRY_S, SERVER_BUSY_RETRY_S } from "../limits.ts";
import {
  AsofError,
  Busy,
  Forbidden,
  InvalidFields,
  InvalidRequest,
  NotConfigured,
  NotFound,
  NotRead,
  StorageUnavailable,
  UpstreamFailed,
  UpstreamRateLimited,
  UpstreamRefused,
  UpstreamTimeout,
} from "../platform/errors.ts";
import type { CodeDoc } from "../platform/problem-codes.ts";
import { withoutSecrets } from "../platform/redact.ts";

/** The body of an error response, without the fields that only the edge knows. */
export interface Problem extends CodeDoc {
  readonly type: "about:blank";
  readonly title: string;
  readonly code: string;
  readonly upstream_error_code?: number;
}

export const TITLES: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  409: "Conflict",
  410: "Gone",
  413: "Content Too Large",
  414: "URI Too Long",
  415: "Unsupported Media Type",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};

/** Codes whose status differs from that of their error class. */
const STATUS_OF_CODE: Record<string, number> = {
  unauthorized: 401,
  slot_wait_timeout: 429,
  daily_limit_reached: 429,
  request_timeout: 408,
  payload_too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  method_not_allowed: 405,
  exhibit_too_large: 413,
  already_running: 409,
  name_taken: 409,
  version_expired: 410,
  other_lineage: 410,
  upstream_rate_limited: 429,
};

function statusOf(error: AsofError): number {
  const special = STATUS_OF_CODE[error.code];
  if (special) return special;
  if (error instanceof InvalidRequest) return 400;
  if (error instanceof Forbidden) return 403;
  if (error instanceof NotFound) return 404;
  if (error instanceof Busy || error instanceof NotConfigured || error instanceof StorageUnavailable)
    return 503;
  if (error instanceof UpstreamRateLimited) return 429;
  if (error instanceof UpstreamTimeout) return 504;
  if (error instanceof UpstreamFailed || error instanceof UpstreamRefused) return 502;
  return 500;
}

function retryAfterOf(error: AsofError): number | undefined {
  const { retryAfterS, upstream } = error.facts;
  if (error instanceof UpstreamRateLimited) {
    // The price provider never says how long, and clients rely on one number there (docs/contract.md).
    const isPriceProvider = upstream?.startsWith(PRICE_PROVIDER) ?? false;
    return isPriceProvider ? PRICE_RATE_LIMIT_RETRY_S : (retryAfterS ?? PRICE_RATE_LIMIT_RETRY_S);
  }
  if (error instanceof Busy) return retryAfterS ?? SERVER_BUSY_RETRY_S;
  return retryAfterS;
}

const INTERNAL: Problem = {
  type: "about:blank",
  title: "Internal Server Error",
  status: 500,
  detail: "The service failed unexpectedly. The log has an entry with the request id.",
  code: "internal_error",
};

/** The text as a whole sentence, so that a client can show detail and hint one after the other. */
const sentence = (text: string): string => (/[.!?]["')]?$/.test(text) ? text : `${text}.`);

/** The problem of an error. An unexpected error does not reveal its cause, which goes to the log. */
export function problemOf(error: unknown): Problem {
  if (!(error instanceof AsofError)) return INTERNAL;
  const status = statusOf(error);
  const { hint, ticker, upstream, upstreamErrorCode } = error.facts;
  const retryAfter = retryAfterOf(error);
  return {
    type: "about:blank",
    title: TITLES[status] ?? "Error",
    status,
    detail: sentence(error.message),
    code: error.code,
    ...(error.code === "no_data"
      ? { absence: error instanceof NotRead ? ("not_read" as const) : ("nothing_there" as const) }
      : {}),
    ...(hint ? { hint: sentence(hint) } : {}),
    ...(ticker ? { ticker } : {}),
    ...(upstream ? { upstream } : {}),
    ...(upstreamErrorCode === undefined ? {} : { upstream_error_code: upstreamErrorCode }),
    ...(retryAfter === undefined ? {} : { retry_after: Math.max(1, Math.ceil(retryAfter)) }),
  };
}

/** The edge's facts about the request that failed. */
export interface ErrorContext {
  readonly requestId: string;
  readonly path: string;
  /** Texts to remove from the response, whether they come from a provider or from the client's path. */
  readonly secrets?: readonly string[];
}

/** The response for an error: status, headers and body. */
export function errorResponse(error: unknown, { requestId, path, secrets = [] }: ErrorContext): Response {
  if (error instanceof InvalidFields)
    return new Response(JSON.stringify({ detail: error.faults, request_id: requestId }), {
      status: 422,
      headers: { "content-type": "application/json" },
    });
  const problem = problemOf(error);
  const headers = new Headers({ "content-type": "application/problem+json" });
  if (problem.retry_after !== undefined) headers.set("retry-after", String(problem.retry_after));
  if (problem.status === 401) headers.set("www-authenticate", "Bearer");
  const body = {
    ...problem,
    detail: withoutSecrets(problem.detail, secrets),
    ...(problem.hint === undefined ? {} : { hint: withoutSecrets(problem.hint, secrets) }),
    ...(problem.ticker === undefined ? {} : { ticker: withoutSecrets(problem.ticker, secrets) }),
    request_id: requestId,
    instance: withoutSecrets(path, secrets),
  };
  return new Response(JSON.stringify(body), {
    status: problem.status,
    headers,
  });
}
