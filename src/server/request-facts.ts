// What the edge knows of a request while it runs, kept beside the Request object for the layers inside.
import { AsofError, InvalidFields } from "../platform/errors.ts";

export interface RequestFacts {
  readonly requestId: string;
  /** Address the request comes from. */
  readonly peer: string;
  readonly path: string;
  /** The route's pattern once it is known. */
  route: string;
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

const known = new WeakMap<Request, RequestFacts>();

/**
 * The signal of a request, made when somebody first wants it: a signal and a listener on the connection cost more
 * than answering from memory, which wants neither.
 */
function lazyStop(request: Request, onEnd: (release: () => void) => void) {
  let controller: AbortController | undefined;
  let ended: { readonly reason: unknown } | undefined;
  const begin = (): AbortController => {
    const made = new AbortController();
    const gone = () => made.abort(request.signal.reason);
    if (ended) made.abort(ended.reason);
    else if (request.signal.aborted) gone();
    else {
      request.signal.addEventListener("abort", gone, { once: true });
      onEnd(() => request.signal.removeEventListener("abort", gone));
    }
    return made;
  };
  return {
    signal: () => {
      controller ??= begin();
      return controller.signal;
    },
    abort(reason: unknown) {
      ended ??= { reason };
      controller?.abort(reason);
    },
  };
}

/** Starts the record of a request. */
export function requestFacts(
  request: Request,
  start: { requestId: string; peer: string; path: string },
): RequestFacts {
  let releases: (() => void)[] = [];
  const stop = lazyStop(request, (release) => releases.push(release));
  const facts: RequestFacts = {
    ...start,
    route: "(none)",
    errorCode: null,
    cause: null,
    get signal() {
      return stop.signal();
    },
    abort: stop.abort,
    error(error) {
      facts.cause = error;
      facts.errorCode =
        error instanceof AsofError
          ? error.code
          : error instanceof InvalidFields
            ? "validation_error"
            : "internal_error";
    },
    onEnd: (release) => releases.push(release),
    end() {
      const all = releases;
      releases = [];
      for (const release of all) release();
    },
  };
  known.set(request, facts);
  return facts;
}

/** The record of a request that came through the edge; a fresh one for a request that did not (tests of single routes). */
export function factsOf(request: Request): RequestFacts {
  return (
    known.get(request) ??
    requestFacts(request, { requestId: crypto.randomUUID(), peer: "127.0.0.1", path: "/" })
  );
}
