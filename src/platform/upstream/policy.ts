// How one provider may be asked: data, not code. platform/upstream/upstream.ts carries it out.

/** Limits and manners towards one provider, process-wide: routes and jobs share them. */
export interface UpstreamPolicy {
  /** Short name in errors, health and metrics, e.g. "yahoo". */
  readonly name: string;
  /** The only hosts that are ever asked; every redirect is held against this list. */
  readonly hosts: readonly string[];
  /** Sent with each request unless the request says otherwise. */
  readonly headers: Readonly<Record<string, string>>;
  /** Least time between two request starts to one host, milliseconds. */
  readonly spacingMsMin: number;
  /** The spacing holds over all hosts together: this provider counts a user's requests, not a host's. */
  readonly pacedTogether?: boolean;
  /** Requests under way at once to one host. */
  readonly slots: number;
  /** Longest wait for a slot and for the pace together, milliseconds. */
  readonly waitMsMax: number;
  /** Longest one attempt may take from first byte sent to last byte read, milliseconds. */
  readonly attemptMsMax: number;
  /** Decoded bytes after which reading stops and the answer is refused. */
  readonly bytesMax: number;
  /** Further attempts after a network fault or 5xx, idempotent requests only. A 429 is never tried again inside a request. */
  readonly retriesMax: number;
  /** Consecutive failures (or one refusal for asking too often) that open the breaker, and how long it stays open each further time. */
  readonly breaker: { readonly failuresMax: number; readonly openMs: readonly number[] };
}

/** One request to a provider. */
export interface UpstreamRequest {
  /** The provider's own URL, https. The gateway, where one is set, is applied below this. */
  readonly url: string;
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The caller's interest: when every caller of a shared request has gone, the request is cancelled. */
  readonly signal?: AbortSignal | undefined;
  /** Callers with the same key share one request. Default: method, url and body. `false`: never shared. */
  readonly shareKey?: string | false;
  /** GET requests are tried again after a fault; a POST only when this says it is safe. */
  readonly idempotent?: boolean;
  /** Stricter or looser than the policy, where one endpoint needs it. */
  readonly bytesMax?: number;
  readonly attemptMsMax?: number;
  /** `"return"` hands a 3xx answer to the caller unjudged (a cookie handshake reads it); else GET follows it. */
  readonly redirects?: "return";
  /** Asked even when the provider's daily quota is used up (and counted all the same). */
  readonly overQuota?: boolean;
  /** What is shown of the URL in logs and errors; secrets in a query must not be in it. Default: host and path. */
  readonly label?: string;
}

/** What a provider said, before anyone judged what it means. */
export interface UpstreamAnswer {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  /** When the answer was complete. */
  readonly receivedAt: Temporal.Instant;
}

/**
 * What an answer means, by status AND body: many providers say 200 and mean no.
 * `ok` is handed to the caller; `answered` too (a refusal the caller understands, such as "no such symbol":
 * it is no fault of the provider's and never trips the breaker).
 */
export type Verdict =
  | { readonly kind: "ok" }
  | { readonly kind: "answered" }
  | { readonly kind: "rate_limited"; readonly retryAfterS?: number | undefined; readonly detail: string }
  | { readonly kind: "failed"; readonly detail: string };

/** Judges an answer; each provider has one. */
export type Classify = (answer: UpstreamAnswer) => Verdict;

/** Last known state of a provider, for /health and /metrics. No upstream call is made to learn it. */
export interface UpstreamHealth {
  readonly name: string;
  readonly status: "unknown" | "healthy" | "degraded" | "down";
  readonly breaker: "closed" | "open" | "half_open";
  readonly breakerOpenUntil: string | null;
  readonly lastSuccessAt: string | null;
  readonly lastErrorAt: string | null;
  readonly lastError: string | null;
  /** The newest answer that came and could not be read. */
  readonly lastMisread: { readonly at: string; readonly says: string } | null;
  readonly activeRequests: number;
  readonly waitingRequests: number;
  readonly requestsTotal: number;
  readonly failuresTotal: number;
}

/** A provider, as its module asks it. Throws UpstreamFailed, UpstreamRateLimited, UpstreamTimeout; never returns those. */
export interface Upstream {
  readonly policy: UpstreamPolicy;
  ask(request: UpstreamRequest): Promise<UpstreamAnswer>;
  /** Notes in health an answer that came and could not be decoded; called by `decoding` (decode.ts). */
  misread?(message: string): void;
  health(): UpstreamHealth;
}
