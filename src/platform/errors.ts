// Error classes of the service, without HTTP; server/errors.ts maps them to statuses.

/**
 * Details of an error besides its message. All but `cause` reach the client: no path, SQL or key belongs
 * here.
 */
export interface ErrorFacts {
  /** Says what the client can do about it. */
  hint?: string | undefined;
  /** The ticker the error is about, as the client sent it. */
  ticker?: string | undefined;
  /** The provider the error came from. */
  upstream?: string | undefined;
  /** The provider's HTTP status. */
  upstreamStatus?: number | undefined;
  /** The provider's own error code, where it has one. */
  upstreamErrorCode?: number | undefined;
  /** Seconds after which a retry makes sense. */
  retryAfterS?: number | undefined;
  /** For the log only. */
  cause?: unknown;
}

/**
 * The root. `code` is stable and documented (docs/contract.md); `message` is one sentence the client can act
 * on.
 */
export abstract class AsofError extends Error {
  readonly code: string;
  readonly facts: ErrorFacts;
  constructor(code: string, message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = new.target.name;
    this.code = code;
    this.facts = facts;
  }
}

/** The request contradicts itself or a rule. Syntax errors are validation errors instead. */
export class InvalidRequest extends AsofError {}

/** The requested thing does not exist: the provider or the store said so, as opposed to not answering. */
export class NotFound extends AsofError {}

/**
 * This installation has not read it: it may exist. Its code is `no_data` as where nothing is there; the field
 * `absence` says which it is.
 */
export class NotRead extends NotFound {
  constructor(message: string, facts: ErrorFacts = {}) {
    super("no_data", message, facts);
  }
}

/** The client may not do this (codes `unauthorized`, `forbidden`, `admin_not_configured`, `cross_site`). */
export class Forbidden extends AsofError {}

/** One of our own limits is reached (concurrent requests, slots, quota). A later retry may succeed. */
export class Busy extends AsofError {}

/** A needed key or setting is missing. */
export class NotConfigured extends AsofError {}

/** Our own store cannot be read or written (disk full, locked, gone). */
export class StorageUnavailable extends AsofError {}

/**
 * The provider could not be reached or failed: network error, 5xx, HTML instead of JSON, changed shape.
 * Nothing was stored.
 */
export class UpstreamFailed extends AsofError {
  constructor(upstream: string, message: string, facts: ErrorFacts = {}) {
    super("upstream_error", message, { ...facts, upstream });
  }
}

/**
 * The provider answered, but the answer cannot be decoded: its shape changed, or it arrived damaged. Nothing
 * of it is used.
 */
export class UpstreamMisread extends UpstreamFailed {}

/** The provider says we send too many requests, or blocks us. */
export class UpstreamRateLimited extends AsofError {
  constructor(upstream: string, message: string, facts: ErrorFacts = {}) {
    super("upstream_rate_limited", message, { ...facts, upstream });
  }
}

/** The provider understood and refused: bad symbol, range, credentials, plan. */
export class UpstreamRefused extends AsofError {
  constructor(upstream: string, message: string, facts: ErrorFacts = {}) {
    super("upstream_error", message, { ...facts, upstream });
  }
}

/** The provider did not answer in time. */
export class UpstreamTimeout extends AsofError {
  constructor(upstream: string, message: string, facts: ErrorFacts = {}) {
    super("upstream_timeout", message, { ...facts, upstream });
  }
}

/**
 * One error of one field, in the format of Pydantic v2 (docs/contract.md). The input itself is never echoed.
 */
export interface FieldError {
  readonly type: string;
  /** Where: path, query, body or header first, then the field, then the index. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/** Fields that are missing or malformed in a way that only the use case can detect; all errors are listed. */
export class InvalidFields extends Error {
  readonly faults: readonly FieldError[];
  constructor(errors: readonly FieldError[]) {
    super(errors.map((f) => `${f.loc.join(".")}: ${f.msg}`).join("; "));
    this.name = "InvalidFields";
    this.faults = errors;
  }
}

/**
 * Whether the provider did not answer the question: it is unreachable, broken, misread, too slow or limiting
 * us, or we had no slot or no key to ask it with. A provider that answered "no such thing" or refused is no
 * outage.
 */
// A 503, a 429 or a missing key is an outage; "no such symbol" and a refused key are none.
export const isOutage = (error: unknown): error is AsofError =>
  error instanceof UpstreamFailed ||
  error instanceof UpstreamRateLimited ||
  error instanceof UpstreamTimeout ||
  error instanceof Busy ||
  error instanceof NotConfigured;

/**
 * Whether the provider's side kept the answer back: an outage, or a refusal of our request or our
 * credentials.
 */
export const isProviderFailure = (error: unknown): error is AsofError =>
  isOutage(error) || error instanceof UpstreamRefused || error instanceof Forbidden;

/**
 * Whether something newer could not be had, or not be stored, so that what is stored answers with a warning.
 * A damaged file is none: what is stored may be what it lacks.
 */
// On a full disk the list of filings is read and cannot be kept. The stored list is served.
export const isUpdateFailure = (error: unknown): error is AsofError =>
  isProviderFailure(error) || (error instanceof StorageUnavailable && error.code !== "damaged");
