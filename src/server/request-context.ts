// The context of a running request, attached to the Request object so that the inner layers can read it.
import { AsofError, InvalidFields } from "../platform/errors.ts";

export interface RequestContext {
  readonly requestId: string;
  /** Address of the client. */
  readonly peer: string;
  readonly path: string;
  /** The route's pattern once it is known. */
  route: string;
  /** The body once it is read; null when there is none. */
  body: Uint8Array | null;
  /** Warnings about the request itself, which every answer to it repeats. */
  notes: readonly string[];
  /** The version of the store that the answer was read from. */
  dataVersion: number | null;
  /** Code of the error the request ended with. */
  errorCode: string | null;
  /** The error the request ended with, for the error log. */
  cause: unknown;
  /** Aborted when the client disconnects or the deadline passes. */
  readonly signal: AbortSignal;
  abort(reason: unknown): void;
  error(error: unknown): void;
  onEnd(release: () => void): void;
  /** Runs every release once. */
  end(): void;
}

/** The signal the runtime gives a request: aborted when its client disconnects. */
export const connectionSignal = (request: Request): AbortSignal =>
  Reflect.get(Request.prototype, "signal", request) as AbortSignal;

/**
 * The property of a Request with its context. A WeakMap would cost the garbage collector more than a cached
 * answer.
 */
const CONTEXT = Symbol("context");
type WithContext = Request & { [CONTEXT]?: RequestContext };

class RequestState implements RequestContext {
  readonly requestId: string;
  readonly peer: string;
  readonly path: string;
  route = "(none)";
  body: Uint8Array | null = null;
  notes: readonly string[] = [];
  dataVersion: number | null = null;
  errorCode: string | null = null;
  cause: unknown = null;
  readonly #request: Request;
  #releases: (() => void)[] = [];
  #stop: AbortController | undefined;
  #ended: { readonly reason: unknown } | undefined;

  constructor(request: Request, start: { requestId: string; peer: string; path: string }) {
    this.#request = request;
    this.requestId = start.requestId;
    this.peer = start.peer;
    this.path = start.path;
  }

  /** Made on first use: a signal and a listener on the connection cost more than answering from the cache. */
  get signal(): AbortSignal {
    this.#stop ??= this.#begin();
    return this.#stop.signal;
  }

  #begin(): AbortController {
    const made = new AbortController();
    const client = connectionSignal(this.#request);
    const gone = () => made.abort(client.reason);
    if (this.#ended) made.abort(this.#ended.reason);
    else if (client.aborted) gone();
    else {
      client.addEventListener("abort", gone, { once: true });
      this.onEnd(() => client.removeEventListener("abort", gone));
    }
    return made;
  }

  abort(reason: unknown): void {
    this.#ended ??= { reason };
    this.#stop?.abort(reason);
  }

  error(error: unknown): void {
    this.cause = error;
    this.errorCode =
      error instanceof AsofError
        ? error.code
        : error instanceof InvalidFields
          ? "validation_error"
          : "internal_error";
  }

  onEnd(release: () => void): void {
    this.#releases.push(release);
  }

  end(): void {
    const all = this.#releases;
    this.#releases = [];
    for (const release of all) release();
  }
}

/** Opens the context of a request. */
export function openRequestContext(
  request: Request,
  start: { requestId: string; peer: string; path: string },
): RequestContext {
  const context = new RequestState(request, start);
  (request as WithContext)[CONTEXT] = context;
  // Handlers read `request.signal`, which must also abort at the deadline of the route.
  Object.defineProperty(request, "signal", { get: () => context.signal, configurable: true });
  return context;
}

/** The context of a request; a new one for a request that did not pass the edge (tests of single routes). */
export function requestContextOf(request: Request): RequestContext {
  return (
    (request as WithContext)[CONTEXT] ??
    openRequestContext(request, { requestId: crypto.randomUUID(), peer: "127.0.0.1", path: "/" })
  );
}
