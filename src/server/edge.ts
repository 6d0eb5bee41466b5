// The outer edge: what happens to a request before its route handles it, and to its answer afterwards.

import type { Config } from "../config.ts";
import {
  CONCURRENT_REQUESTS_MAX,
  EVENT_STREAMS_MAX,
  HEAVY_REQUESTS_MAX,
  HEAVY_TURN_S,
  PANEL_DEADLINE_S,
  REQUEST_DEADLINE_S,
  SEND_STALLED_S,
  SERVER_BUSY_RETRY_S,
} from "../limits.ts";
import { type Clock, systemClock, systemTimers, type Timers } from "../platform/clock.ts";
import { Busy, InvalidRequest, NotFound, UpstreamTimeout } from "../platform/errors.ts";
import { asksForEvents } from "../platform/event-stream.ts";
import { withFairnessKey } from "../platform/upstream/fairness.ts";
import { createSemaphore } from "../platform/upstream/semaphore.ts";
import { clientAddress, corsHeaders, refuseForeign, requireKey } from "./auth.ts";
import { allowHeader, checkRequest } from "./check-request.ts";
import { compress } from "./compress.ts";
import { withWarnings } from "./damage-warnings.ts";
import { deadlines } from "./deadlines.ts";
import { errorResponse } from "./errors.ts";
import { InFlightRequests } from "./in-flight.ts";
import { answerFromVersion, setVersionHeaders, type VersionStore } from "./replay.ts";
import { bodyReader, ClientGone } from "./request-body.ts";
import { connectionSignal, openRequestContext, type RequestContext } from "./request-context.ts";
import type { RouteEntry, RouteTable } from "./route-table.ts";
import { type SendStream, sendStream } from "./send-stream.ts";
import { takeStreamed } from "./streamed.ts";

/** One answered request, for the request log and the metrics. */
export interface RequestRecord {
  readonly requestId: string;
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly method: string;
  readonly path: string;
  /** The pattern of the route, for metrics: there are few of them. */
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
  /** The versions of the store; without them no answer names one. */
  readonly versions?: VersionStore;
  /** Counts the requests under way; one of its own unless the caller reads it too. */
  readonly inFlight?: InFlightRequests;
  /** Time limits of requests and of their clients; the machine's without it. */
  readonly timers?: Timers;
  /** Removed from error answers. */
  readonly secrets?: readonly string[];
  /** Answers a request for a path that no route has, in place of the error; null leaves the error. */
  missing?(request: Request, path: string): Promise<Response | null>;
  /** The composed app. */
  handle(request: Request): Promise<Response> | Response;
  /** Called with each answered request; must not block. */
  record(record: RequestRecord): void;
  /** Called with each request that ended in an error, for the error log. */
  failed?(status: number, context: RequestContext): void;
  /** Called with each streamed answer that was ended because its client stopped reading, for the log. */
  stalled?(context: RequestContext): void;
  /** Called with each unexpected error, for the log. */
  unforeseen(error: unknown, context: RequestContext): void;
}

export interface Edge {
  fetch(request: Request, peer: string): Promise<Response>;
  /** The number of requests under way. */
  active(): number;
  /** Resolves with true when no request is under way, or with false after `ms`. */
  drained(ms: number): Promise<boolean>;
}

/** Status in the log of a request whose client disconnected before the answer. */
const CLIENT_GONE = 499;
const CLIENT_ID = /^[A-Za-z0-9._-]{1,128}$/;

const SAFE_HEADERS: readonly (readonly [string, string])[] = [
  ["x-content-type-options", "nosniff"],
  ["referrer-policy", "no-referrer"],
  ["x-frame-options", "DENY"],
];

/** Splits an absolute URL into its path and raw query, without parsing the rest. */
function splitUrl(url: string): { path: string; query: string } {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  const rest = start < 0 ? "/" : url.slice(start);
  const mark = rest.indexOf("?");
  return mark < 0 ? { path: rest, query: "" } : { path: rest.slice(0, mark), query: rest.slice(mark + 1) };
}

/** The error of a request that exceeded the deadline of its route. */
const deadlinePassed = (seconds: number) =>
  new UpstreamTimeout("service", `The answer took longer than the ${seconds} s this route has.`, {
    hint: "The data fetched so far is stored: try again, or request less at once.",
  });

/** A streamed answer, sent in turns with other work; its request ends when the stream does. */
function inTurns(response: Response, context: RequestContext, send: Omit<SendStream, "release">): Response {
  const { body, status, headers } = response;
  const release = () => context.end();
  if (body) {
    const sent = sendStream(body, { ...send, release });
    return new Response(sent, { status, headers });
  }
  release();
  return response;
}

/** Limits what is worked on at once. A request above the limit is refused and does not wait. */
function concurrencyLimit(max: number, what = "requests") {
  let active = 0;
  return {
    /** Returns the function that ends the request. Throws Busy at the limit. */
    acquire(): () => void {
      if (active >= max)
        throw new Busy(
          "server_busy",
          `The server is already working on ${max} ${what}, the most it handles at once.`,
          { retryAfterS: SERVER_BUSY_RETRY_S },
        );
      active += 1;
      return () => {
        active -= 1;
      };
    },
  };
}

/**
 * Gives each request a place until it ends. A stream may stay for days, so streams take no place of other
 * requests.
 */
function admission() {
  const limit = concurrencyLimit(CONCURRENT_REQUESTS_MAX);
  const streams = concurrencyLimit(EVENT_STREAMS_MAX, "streams of events");
  return (request: Request, route: RouteEntry, context: RequestContext): void => {
    if (route.events && asksForEvents(request)) context.onEnd(streams.acquire());
    else if (!route.outsideConcurrencyLimit) context.onEnd(limit.acquire());
  };
}

type StartDeadline = ReturnType<typeof deadlines>;

/** Handles requests within their deadlines, and heavy ones in turns, which their routes have by turns. */
// Behind ten requests for the ledger that wait, the only one for statements is second.
function handling({ handle }: Pick<EdgeDeps, "handle">, startDeadline: StartDeadline) {
  // A waiter leaves at the deadline of its own request, no later than this.
  const waits = { slots: HEAVY_REQUESTS_MAX, waitMsMax: PANEL_DEADLINE_S * 1_000 };
  const turns = createSemaphore(waits, systemClock);
  const inTurn = async (request: Request, route: RouteEntry): Promise<Response> => {
    let next = () => {};
    await new Promise<void>((begin, refuse) => {
      const turn = () =>
        new Promise<void>((end) => {
          next = end;
          begin();
        });
      withFairnessKey(() => turns.run(request.signal, turn), route).catch(refuse);
    });
    const stop = startDeadline(HEAVY_TURN_S, next);
    try {
      return await handle(request);
    } finally {
      stop();
      next();
    }
  };
  /**
   * Rejects when the route's deadline passes; the request's signal aborts then, and when the client
   * disconnects.
   */
  return (request: Request, context: RequestContext, route: RouteEntry) =>
    new Promise<Response>((resolve, reject) => {
      const seconds = route.deadlineS ?? REQUEST_DEADLINE_S;
      const end = startDeadline(seconds, () => {
        const error = deadlinePassed(seconds);
        context.abort(error);
        reject(error);
      });
      Promise.resolve(route.heavy ? inTurn(request, route) : handle(request))
        .finally(end)
        .then(resolve, reject);
    });
}

/** Starts the context of a request: its id, client address and path. */
function contextFor(request: Request, path: string, peerAddress: string, config: Config): RequestContext {
  const clientId = request.headers.get("x-request-id");
  return openRequestContext(request, {
    requestId: clientId !== null && CLIENT_ID.test(clientId) ? clientId : crypto.randomUUID(),
    peer: clientAddress(config, request.headers, peerAddress),
    path,
  });
}

/** Whether the request failed because its client disconnected. */
function isClientGone(request: Request, { cause }: RequestContext): boolean {
  if (cause === null) return false;
  const connection = connectionSignal(request);
  return cause instanceof ClientGone || (connection.aborted && cause === connection.reason);
}

/** How a streamed answer is sent, and what is reported of one that ends early. */
const sending = (
  deps: EdgeDeps,
  startDeadline: StartDeadline,
  request: Request,
  context: RequestContext,
): Omit<SendStream, "release"> => ({
  startDeadline: (late) => startDeadline(SEND_STALLED_S, late),
  stalled: () => deps.stalled?.(context),
  failed(error) {
    if (!isClientGone(request, context)) deps.unforeseen(error, context);
  },
});

/** Builds the edge around a composed app. */
export function edge(deps: EdgeDeps): Edge {
  const { config, clock, table, secrets = [], inFlight = new InFlightRequests() } = deps;
  const readBody = bodyReader();
  const startDeadline = deadlines(deps.timers);
  const handle = handling(deps, startDeadline);
  const admit = admission();

  const answer = async (request: Request, context: RequestContext, path: string): Promise<Response> => {
    // Without a Host header the URL is a bare path, and the router would misread where the path begins.
    if (request.url.startsWith("/")) throw new InvalidRequest("bad_request", "The Host header is missing.");
    refuseForeign(config, request.headers);
    if (request.method === "OPTIONS") {
      const methods = table.methodsAt(path);
      if (methods.length === 0) throw new NotFound("route_not_found", "There is no such route.");
      return new Response(null, { status: 204, headers: { allow: allowHeader(methods) } });
    }
    const route = checkRequest(request, path, table);
    context.route = route.path;
    if (!route.open) requireKey(config, request.headers);
    context.body = await readBody(request);
    admit(request, route, context);
    const answered = await answerFromVersion(request, route, deps.versions, () =>
      handle(request, context, route),
    );
    return context.notes.length > 0 && answered.ok
      ? withWarnings(answered, { after: context.notes })
      : answered;
  };

  const setHeaders = (response: Response, request: Request, context: RequestContext) => {
    const { status, headers } = response;
    setVersionHeaders(response, context, deps.versions);
    headers.set("x-request-id", context.requestId);
    for (const [name, value] of SAFE_HEADERS) headers.set(name, value);
    if (config.dataMode !== null) headers.set("x-data-mode", config.dataMode);
    const cors = corsHeaders(config, request.headers.get("origin"));
    for (const name in cors) headers.append(name, cors[name] ?? "");
    if (status === 405) headers.set("allow", allowHeader(table.methodsAt(context.path)));
  };

  /** Answers the request; an error becomes its error response. */
  const respond = async (request: Request, context: RequestContext) => {
    try {
      return await answer(request, context, context.path);
    } catch (error) {
      context.error(error);
      const isMissing = error instanceof NotFound && error.code === "route_not_found";
      const page = isMissing ? ((await deps.missing?.(request, context.path)) ?? null) : null;
      return page ?? errorResponse(error, { requestId: context.requestId, path: context.path, secrets });
    }
  };

  /** Compresses the response and sets its headers; drops the body of a HEAD request. */
  const finish = async (response: Response, request: Request, context: RequestContext, streamed: boolean) => {
    let finished = await compress(response, request.headers.get("accept-encoding"), streamed);
    if (request.method === "HEAD") {
      // Cancelling releases a file behind the stream.
      await finished.body?.cancel();
      finished = new Response(null, { status: finished.status, headers: finished.headers });
    }
    setHeaders(finished, request, context);
    return finished;
  };

  return {
    active: () => inFlight.count,
    drained: (ms) => inFlight.drained(ms),
    async fetch(request, peerAddress) {
      const startedAtMs = clock.nowMs();
      const started = systemTimers.elapsedMs();
      const { path, query } = splitUrl(request.url);
      const context = contextFor(request, path, peerAddress, config);
      inFlight.begin();
      context.onEnd(() => inFlight.end());
      let response = await respond(request, context);
      const streamed = takeStreamed(response.headers);
      try {
        response = await finish(response, request, context, streamed);
      } finally {
        if (!streamed) context.end();
      }
      if (isClientGone(request, context)) {
        // No client reads the answer. It is not a failure of the service, and the log should not show one.
        context.errorCode = "client_gone";
        // Removes a temporary file behind the stream.
        if (streamed) await response.body?.cancel();
        response = new Response(null, { status: CLIENT_GONE, headers: response.headers });
      }
      if (context.errorCode === "internal_error") deps.unforeseen(context.cause, context);
      if (context.errorCode !== null) deps.failed?.(response.status, context);
      deps.record({
        requestId: context.requestId,
        startedAtMs,
        durationMs: Math.round((systemTimers.elapsedMs() - started) * 100) / 100,
        method: request.method,
        path,
        route: context.route,
        query,
        status: response.status,
        peer: context.peer,
        userAgent: request.headers.get("user-agent"),
        cache: response.headers.get("x-cache"),
        errorCode: context.errorCode,
      });
      return streamed ? inTurns(response, context, sending(deps, startDeadline, request, context)) : response;
    },
  };
}
