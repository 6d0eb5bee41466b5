// The outer edge: everything that happens to a request before it meets its route and after it was answered.
import type { Config } from "../config.ts";
import {
  CONCURRENT_REQUESTS_MAX,
  REQUEST_BODY_BYTES_MAX,
  REQUEST_DEADLINE_S,
  REQUEST_URL_BYTES_MAX,
  SERVER_BUSY_RETRY_S,
} from "../limits.ts";
import type { Clock } from "../platform/clock.ts";
import { Busy, InvalidRequest, NotFound, UpstreamTimeout } from "../platform/errors.ts";
import { corsHeaders, refuseForeign, requireKey } from "./auth.ts";
import { compress } from "./compress.ts";
import { deadlines } from "./deadlines.ts";
import { errorResponse } from "./errors.ts";
import { bodyReader, ClientGone } from "./request-body.ts";
import { connectionSignal, openRequestContext, type RequestContext } from "./request-context.ts";
import type { RouteEntry, RouteTable } from "./route-table.ts";

/** One answered request, for the request log and the metrics. */
export interface RequestRecord {
  readonly requestId: string;
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly method: string;
  readonly path: string;
  /** The route's pattern, for metrics: bounded in number. */
  readonly route: string;
  readonly query: string;
  readonly status: number;
  readonly peer: string;
  readonly userAgent: string | null;
  readonly cache: string | null;
  readonly errorCode: string | null;
}

export interface EdgeDeps {
  readonly config: Config;
  readonly clock: Clock;
  readonly table: RouteTable;
  /** Hidden in answers that tell an error. */
  readonly secrets?: readonly string[];
  /** The composed app. */
  handle(request: Request): Promise<Response> | Response;
  /** Told of each answered request; must not block. */
  record(record: RequestRecord): void;
  /** Told of requests that ended in an error, for the error log. */
  failed?(status: number, facts: RequestContext): void;
  /** Told of errors nobody foresaw, for the log. */
  unforeseen(error: unknown, facts: RequestContext): void;
}

export interface Edge {
  fetch(request: Request, peer: string): Promise<Response>;
  /** Requests under way, seats taken. */
  active(): number;
  /** Resolves when no request is under way, or after the time given. */
  drained(ms: number): Promise<boolean>;
}

/** What the log calls a request whose client went before the answer. */
const CLIENT_GONE = 499;
const CLIENT_ID = /^[A-Za-z0-9._-]{1,128}$/;

const SAFE_HEADERS: readonly (readonly [string, string])[] = [
  ["x-content-type-options", "nosniff"],
  ["referrer-policy", "no-referrer"],
  ["x-frame-options", "DENY"],
];

function checkShape(request: Request, path: string, table: RouteTable): RouteEntry {
  if (request.url.length > REQUEST_URL_BYTES_MAX)
    throw new InvalidRequest(
      "uri_too_long",
      `The URL is longer than ${REQUEST_URL_BYTES_MAX} characters; ask for less at once.`,
    );
  const method = request.method === "HEAD" ? "GET" : request.method;
  const route = table.find(method, path);
  if (!route) {
    const others = table.methodsAt(path);
    if (others.length === 0)
      throw new NotFound("route_not_found", "There is no such route; /api/v1/openapi.json lists them all.");
    throw new InvalidRequest("method_not_allowed", `This route takes ${others.join(", ")}.`);
  }
  if (route.schemas.body && request.body !== null) {
    const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
    if (type !== undefined && !/^application\/([\w.+-]+\+)?json$/.test(type))
      throw new InvalidRequest("unsupported_media_type", "The body must be application/json.");
    const coding = request.headers.get("content-encoding")?.trim().toLowerCase() ?? "";
    if (coding !== "" && coding !== "identity")
      throw new InvalidRequest("unsupported_media_type", "The body must not be compressed.");
  }
  if (Number(request.headers.get("content-length") ?? 0) > REQUEST_BODY_BYTES_MAX)
    throw new InvalidRequest("payload_too_large", `The body is larger than ${REQUEST_BODY_BYTES_MAX} bytes.`);
  return route;
}

/** What is allowed where these methods have routes. */
const allowed = (methods: readonly string[]) =>
  [...methods.flatMap((m) => (m === "GET" ? ["GET", "HEAD"] : [m])), "OPTIONS"].join(", ");

/** The path and the raw query of an absolute URL, without parsing the rest. */
function splitUrl(url: string): { path: string; query: string } {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  const rest = start < 0 ? "/" : url.slice(start);
  const mark = rest.indexOf("?");
  return mark < 0 ? { path: rest, query: "" } : { path: rest.slice(0, mark), query: rest.slice(mark + 1) };
}

/** What a request gets whose route had too little time. */
const tooLate = (seconds: number) =>
  new UpstreamTimeout("service", `The answer took longer than the ${seconds} s this route has.`, {
    hint: "What was collected so far is kept: ask again, or ask for less at once.",
  });

/** Keeps the seat of a streamed answer until its last byte is read or the client goes. */
function holdWhileStreaming(response: Response, release: () => void): Response {
  const reader = response.body?.getReader();
  if (!reader) {
    release();
    return response;
  }
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        release();
        controller.close();
      } catch (error) {
        release();
        controller.error(error);
      }
    },
    async cancel(reason) {
      release();
      await reader.cancel(reason);
    },
  });
  return new Response(body, { status: response.status, headers: response.headers });
}

/** Builds the edge around a composed app. */
export function edge(deps: EdgeDeps): Edge {
  const { config, clock, table, secrets = [] } = deps;
  const bodyOf = bodyReader();
  const startDeadline = deadlines();
  let seats = 0;
  let running = 0;
  let idle: (() => void)[] = [];

  const leave = () => {
    running -= 1;
    if (running > 0) return;
    for (const wake of idle) wake();
    idle = [];
  };

  /** Rejects when the route's deadline passes; the work's signal is aborted then, and when the client goes. */
  const handle = (request: Request, facts: RequestContext, seconds: number) =>
    new Promise<Response>((resolve, reject) => {
      const end = startDeadline(seconds, () => {
        const error = tooLate(seconds);
        facts.abort(error);
        reject(error);
      });
      Promise.resolve(deps.handle(request)).then(
        (response) => {
          end();
          resolve(response);
        },
        (error: unknown) => {
          end();
          reject(error);
        },
      );
    });

  const answer = async (request: Request, facts: RequestContext, path: string): Promise<Response> => {
    // Without a Host the URL is a bare path, which the router would begin to read in its middle.
    if (request.url.startsWith("/")) throw new InvalidRequest("bad_request", "The Host header is missing.");
    refuseForeign(config, request.headers);
    if (request.method === "OPTIONS") {
      const methods = table.methodsAt(path);
      if (methods.length === 0) throw new NotFound("route_not_found", "There is no such route.");
      return new Response(null, { status: 204, headers: { allow: allowed(methods) } });
    }
    const route = checkShape(request, path, table);
    facts.route = route.path;
    if (!route.open) requireKey(config, request.headers);
    facts.body = await bodyOf(request);
    if (!route.outsideConcurrencyLimit) {
      if (seats >= CONCURRENT_REQUESTS_MAX)
        throw new Busy(
          "server_busy",
          `The server works on ${CONCURRENT_REQUESTS_MAX} requests at once and has no seat free.`,
          {
            retryAfterS: SERVER_BUSY_RETRY_S,
          },
        );
      seats += 1;
      facts.onEnd(() => {
        seats -= 1;
      });
    }
    return handle(request, facts, route.deadlineS ?? REQUEST_DEADLINE_S);
  };

  const finish = (response: Response, request: Request, facts: RequestContext, path: string): Response => {
    const { headers } = response;
    headers.set("x-request-id", facts.requestId);
    for (const [name, value] of SAFE_HEADERS) headers.set(name, value);
    if (config.dataMode !== null) headers.set("x-data-mode", config.dataMode);
    const cors = corsHeaders(config, request.headers.get("origin"));
    for (const name in cors) headers.append(name, cors[name] ?? "");
    if (response.status === 405) headers.set("allow", allowed(table.methodsAt(path)));
    return response;
  };

  return {
    active: () => running,
    drained: (ms) =>
      running === 0
        ? Promise.resolve(true)
        : new Promise((resolve) => {
            const timer = setTimeout(() => resolve(false), ms);
            idle.push(() => {
              clearTimeout(timer);
              resolve(true);
            });
          }),
    async fetch(request, peerAddress) {
      const startedAtMs = clock.nowMs();
      const started = performance.now();
      const { path, query } = splitUrl(request.url);
      const given = request.headers.get("x-request-id");
      // The last is what the proxy saw itself; the ones before it are whatever the client sent.
      const forwarded = config.trustProxy
        ? request.headers.get("x-forwarded-for")?.split(",").at(-1)?.trim() || undefined
        : undefined;
      const facts = openRequestContext(request, {
        requestId: given !== null && CLIENT_ID.test(given) ? given : crypto.randomUUID(),
        peer: forwarded ?? peerAddress,
        path,
      });
      running += 1;
      facts.onEnd(leave);
      let response: Response;
      try {
        response = await answer(request, facts, path);
      } catch (error) {
        facts.error(error);
        response = errorResponse(error, { requestId: facts.requestId, path, secrets });
      }
      const streamed = response.headers.has("content-disposition");
      try {
        response = await compress(response, request.headers.get("accept-encoding"), streamed);
        if (request.method === "HEAD") {
          // A file behind the stream is let go of.
          await response.body?.cancel();
          response = new Response(null, { status: response.status, headers: response.headers });
        }
        finish(response, request, facts, path);
      } finally {
        if (!streamed) facts.end();
      }
      const isGone = () => {
        const connection = connectionSignal(request);
        return connection.aborted && facts.cause === connection.reason;
      };
      if (facts.cause !== null && (facts.cause instanceof ClientGone || isGone())) {
        // Nobody is there to read it; it is no failure of ours, and the log should not say so.
        facts.errorCode = "client_gone";
        response = new Response(null, { status: CLIENT_GONE, headers: response.headers });
      }
      if (facts.errorCode === "internal_error") deps.unforeseen(facts.cause, facts);
      if (facts.errorCode !== null) deps.failed?.(response.status, facts);
      deps.record({
        requestId: facts.requestId,
        startedAtMs,
        durationMs: Math.round((performance.now() - started) * 100) / 100,
        method: request.method,
        path,
        route: facts.route,
        query,
        status: response.status,
        peer: facts.peer,
        userAgent: request.headers.get("user-agent"),
        cache: response.headers.get("x-cache"),
        errorCode: facts.errorCode,
      });
      return streamed ? holdWhileStreaming(response, () => facts.end()) : response;
    },
  };
}
