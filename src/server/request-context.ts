// What the edge knows of a request while it runs, kept beside the Request object for the layers inside.
import { AsofError, InvalidFields } from "../platform/errors.ts";

export interface RequestContext {
  readonly requestId: string;
  /** Address the request comes from. */
  readonly peer: string;
  readonly path: string;
  /** The route's pattern once it is known. */
  route: string;
  /** The body once it is read; null where there is none. */
  body: Uint8Array | null;
  /** Code of the error the request ended with. */
  errorCode: string | null;
  /** What happened, when it was not foreseen: for the error log. */
  cause: unknown;
  /** Aborted when the client goes or the deadline passes. */
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

/** Where the record hangs on its request: a WeakMap of all of them costs the collector more than answering from memory. */
const FACTS = Symbol("facts");
type Known = Request & { [FACTS]?: RequestContext };

class RequestState implements RequestContext {
  readonly requestId: string;
  readonly peer: string;
  readonly path: string;
  route = "(none)";
  body: Uint8Array | null = null;
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

  /** Made when somebody first wants it: a signal and a listener on the connection cost more than answering from memory. */
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

/** Starts the record of a request. */
export function openRequestContext(
  request: Request,
  start: { requestId: string; peer: string; path: string },
): RequestContext {
  const facts = new RequestState(request, start);
  (request as Known)[FACTS] = facts;
  // Handlers read `request.signal`: it also ends at the route's deadline.
  Object.defineProperty(request, "signal", { get: () => facts.signal, configurable: true });
  return facts;
}

/** The record of a request that came through the edge; a fresh one for a request that did not (tests of single routes). */
export function requestContextOf(request: Request): RequestContext {
  return (
    (request as Known)[FACTS] ??
    openRequestContext(request, { requestId: crypto.randomUUID(), peer: "127.0.0.1", path: "/" })
  );
}
