// The policy of one provider (data, not code; upstream.ts carries it out) and the types of requests and
// answers.

/** Limits for one provider, process-wide: routes and jobs share them. */
export interface UpstreamPolicy {
  /** Short name in errors, health and metrics, e.g. "yahoo". */
  readonly name: string;
  /** The only hosts requests go to; redirects are checked against this list too. */
  readonly hosts: readonly string[];
  /** Sent with each request unless the request sets its own. */
  readonly headers: Readonly<Record<string, string>>;
  /** Least time between the starts of two requests to one host, in milliseconds. */
  readonly spacingMsMin: number;
  /** The spacing holds across all hosts: this provider counts requests per user, not per host. */
  readonly pacedTogether?: boolean;
  /** Most requests under way at once to one host. */
  readonly slots: number;
  /** Longest wait for a slot and the pace together, in milliseconds. */
  readonly waitMsMax: number;
  /** Longest attempt from first byte sent to last byte read, in milliseconds. */
  readonly attemptMsMax: number;
  /** Decoded bytes after which reading stops and the answer is refused. */
  readonly bytesMax: number;
  /**
   * Further attempts after a network error or 5xx, for idempotent requests only. A 429 is never retried
   * inside a request.
   */
  readonly retriesMax: number;
  /**
   * Consecutive failures that open the breaker (one rate-limit refusal opens it at once), and how long it
   * stays open each further time.
   */
  readonly breaker: { readonly failuresMax: number; readonly openMs: readonly number[] };
}

/** One request to a provider. */
export interface UpstreamRequest {
  /** The provider's own URL, https. The gateway, where one is set, is applied below this. */
  readonly url: string;
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The caller's abort signal: a shared request is cancelled when all its callers have aborted. */
  readonly signal?: AbortSignal | undefined;
  /** Callers with the same key share one request. Default: method, url and body. `false`: never shared. */
  readonly shareKey?: string | false;
  /** Whether the request may be retried; default true for GET and false for POST. */
  readonly idempotent?: boolean;
  /** Override the policy for one endpoint. */
  readonly bytesMax?: number;
  readonly attemptMsMax?: number;
  /** `"return"` returns a 3xx answer unclassified (a cookie handshake reads it); default: GET follows it. */
  readonly redirects?: "return";
  /** Sent even when the daily quota is used up (and still counted). */
  readonly overQuota?: boolean;
  /** Name of the request in logs and errors, without secrets. Default: host and path. */
  readonly label?: string;
}

/** An answer of a provider, not yet classified. */
export interface UpstreamAnswer {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  /** When the answer was complete. */
  readonly receivedAt: Temporal.Instant;
}

/**
 * Classification of an answer by status AND body, since many providers send errors with status 200.
 * `ok` goes to the caller. So does `answered`, a refusal the caller understands such as "no such symbol": it
 * is not a failure of the provider and never opens the breaker.
 */
// 200 with "Too Many Requests" is `rate_limited`, 404 with "No data found" is `answered`, 200 with a page is
// `failed`.
export type Verdict =
  | { readonly kind: "ok" }
  | { readonly kind: "answered" }
  | { readonly kind: "rate_limited"; readonly retryAfterS?: number | undefined; readonly detail: string }
  | { readonly kind: "failed"; readonly detail: string };

/** Classifies an answer; each provider has its own. */
export type Classify = (answer: UpstreamAnswer) => Verdict;

/** Last known state of a provider, for /health and /metrics, without a request to the provider. */
export interface UpstreamHealth {
  readonly name: string;
  readonly status: "unknown" | "healthy" | "degraded" | "down";
  readonly breaker: "closed" | "open" | "half_open";
  readonly breakerOpenUntil: string | null;
  readonly lastSuccessAt: string | null;
  readonly lastErrorAt: string | null;
  readonly lastError: string | null;
  /** The newest answer that could not be decoded. */
  readonly lastMisread: { readonly at: string; readonly says: string } | null;
  readonly activeRequests: number;
  readonly waitingRequests: number;
  readonly requestsTotal: number;
  readonly failuresTotal: number;
}

/** The HTTP client of one provider. `ask` throws UpstreamFailed, UpstreamRateLimited and UpstreamTimeout. */
export interface Upstream {
  readonly policy: UpstreamPolicy;
  ask(request: UpstreamRequest): Promise<UpstreamAnswer>;
  /** Notes in health an answer that came and could not be decoded; called by `decoding` (decode.ts). */
  misread?(message: string): void;
  health(): UpstreamHealth;
}
