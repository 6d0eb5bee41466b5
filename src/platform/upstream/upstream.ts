// Sends requests to one provider: shares equal ones, paces and retries them, and stops while the breaker is
// open.
import type { Clock } from "../clock.ts";
import { UpstreamFailed, UpstreamRateLimited } from "../errors.ts";
import type { Log } from "../log.ts";
import { refuseInReplay } from "../reading.ts";
import { isSecretName } from "../redact.ts";
import { isRedirect, ownAddress, shownAs, throughGateway } from "./address.ts";
import { BodyTooLarge, readBody } from "./body-limit.ts";
import { type Breaker, BreakerOpen, type BreakerStore, breaker } from "./breaker.ts";
import { type HealthTally, healthTally } from "./health.ts";
import {
  AttemptTimeout,
  attemptMsMaxOf,
  bytesMaxOf,
  errorOutcome,
  type Final,
  judge,
  methodOf,
  type Outcome,
  queueTooLong,
  refusedByBreaker,
  withoutAnswer,
} from "./outcome.ts";
import { type Pacer, PacerTimeout, pacer } from "./pacer.ts";
import type { Classify, Upstream, UpstreamAnswer, UpstreamPolicy, UpstreamRequest } from "./policy.ts";
import { backoffMs } from "./retry-after.ts";
import { createSemaphore, type Semaphore, SemaphoreTimeout } from "./semaphore.ts";
import { singleFlight } from "./single-flight.ts";

export interface UpstreamDeps {
  readonly clock: Clock;
  readonly log: Log;
  /**
   * Gateway that stands in for all providers (UPSTREAM_GATEWAY); null or absent: requests go to the provider
   * itself.
   */
  readonly gateway?: string | null;
  readonly classify: Classify;
  /** Called before each attempt, retries and redirects included; throws to refuse it (daily quota). */
  readonly beforeAttempt?: (request: UpstreamRequest) => void | Promise<void>;
  /** Stores the breaker, for a provider whose penalty outlives the process. */
  readonly breakerStore?: BreakerStore;
  /** Source of the jitter of the back-off, 0 to 1. */
  readonly random?: () => number;
}

/** State that all requests to one provider share. */
interface UpstreamContext {
  readonly policy: UpstreamPolicy;
  readonly deps: UpstreamDeps;
  readonly log: Log;
  readonly semaphores: ReadonlyMap<string, Semaphore>;
  readonly pace: Pacer;
  readonly guard: Breaker;
  readonly tally: HealthTally;
}

/** One request as it goes over the wire. */
interface Exchange {
  readonly request: UpstreamRequest;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly label: string;
  readonly signal: AbortSignal;
}

const REDIRECTS_MAX = 5;

/**
 * Sends and reads within the deadline. Throws AttemptTimeout, BodyTooLarge, the caller's abort reason or a
 * network error.
 */
async function fetchWithin({ policy, deps }: UpstreamContext, one: Exchange): Promise<UpstreamAnswer> {
  const { request, url, signal } = one;
  const stop = new AbortController();
  const timer = new AbortController();
  const onAbort = () => stop.abort(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  deps.clock.sleep(attemptMsMaxOf(policy, request), timer.signal).then(
    () => stop.abort(new AttemptTimeout()),
    () => {},
  );
  try {
    const response = await fetch(throughGateway(url, deps.gateway), {
      method: methodOf(request),
      headers: one.headers,
      redirect: "manual",
      signal: stop.signal,
      ...(request.body === undefined ? {} : { body: request.body }),
    });
    const { status, headers } = response;
    // The body of a redirect that is followed is not needed.
    const unread = isRedirect(status) && request.redirects !== "return";
    const bytes = unread ? new Uint8Array() : await readBody(response.body, bytesMaxOf(policy, request));
    return { url: url.href, status, headers, bytes, receivedAt: deps.clock.now() };
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : error;
  } finally {
    timer.abort();
    signal.removeEventListener("abort", onAbort);
    // Cancels a body that was not read to its end; no effect on a complete one.
    stop.abort();
  }
}

/** Sends one request and reports its outcome to the breaker and to health. */
async function exchange(line: UpstreamContext, one: Exchange): Promise<Outcome> {
  const { policy, deps, guard, tally, log } = line;
  const { request, label, signal } = one;
  const permit = guard.acquire();
  // At once, because the fetch ends some milliseconds after its abort: until then the next probe would be
  // refused.
  signal.addEventListener("abort", permit.release, { once: true });
  const startedMs = deps.clock.nowMs();
  tally.sent();
  const outcome = await fetchWithin(line, one).then(
    (answer) => judge(policy, deps.classify, request, label, answer),
    (cause: unknown) => {
      if (!signal.aborted) return withoutAnswer(policy, request, label, cause);
      throw signal.reason;
    },
  );
  signal.removeEventListener("abort", permit.release);
  const fields = { label, ms: deps.clock.nowMs() - startedMs };
  if (outcome.kind === "error") {
    const { error } = outcome;
    if (error instanceof UpstreamRateLimited) permit.refuse(error.facts.retryAfterS);
    // Our own limit, not an error of the provider: large documents must not open the breaker.
    else if (error.cause instanceof BodyTooLarge) permit.release();
    else permit.fail();
    tally.failed(error.message);
    log.warn("request failed", { ...fields, error });
  } else {
    if (outcome.kind === "answer") permit.succeed();
    else permit.release();
    tally.succeeded();
    log.debug("request answered", fields);
  }
  return outcome;
}

/** Key of the pace that a request to `host` keeps. */
const laneOf = (policy: UpstreamPolicy, host: string): string => (policy.pacedTogether ? policy.name : host);

/** Waits for a slot and for the pace of the host, then sends. */
async function sendToHost(line: UpstreamContext, one: Exchange): Promise<Outcome> {
  const { policy, deps, guard, pace } = line;
  const { host } = one.url;
  const semaphore = line.semaphores.get(host);
  if (!semaphore) throw new UpstreamFailed(policy.name, `${host} is not one of ${policy.name}'s hosts`);
  const giveUpMs = deps.clock.nowMs() + policy.waitMsMax;
  try {
    guard.check();
    return await semaphore.run(one.signal, async () => {
      // Checked again before the pace: when it has opened, all queued requests fail at once and not one by
      // one.
      guard.check();
      await deps.beforeAttempt?.(one.request);
      await pace.turn(laneOf(policy, host), one.signal, giveUpMs - deps.clock.nowMs());
      return await exchange(line, one);
    });
  } catch (error) {
    if (error instanceof BreakerOpen) throw refusedByBreaker(policy, error);
    if (error instanceof SemaphoreTimeout || error instanceof PacerTimeout)
      throw queueTooLong(policy, semaphore.waiting() + pace.waiting());
    throw error;
  }
}

/**
 * Header names in lower case, so that a value of the request replaces that of the policy whatever its
 * spelling.
 */
const lowerCased = (headers: Readonly<Record<string, string>> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([key, value]) => [key.toLowerCase(), value]));

/** One attempt: the request and the redirects it follows. */
async function attempt(line: UpstreamContext, request: UpstreamRequest, signal: AbortSignal): Promise<Final> {
  const { policy } = line;
  let url = ownAddress(policy, request.url);
  let headers = { ...lowerCased(policy.headers), ...lowerCased(request.headers) };
  for (let hop = 0; hop <= REDIRECTS_MAX; hop++) {
    const label = request.label ?? shownAs(url);
    const outcome = await sendToHost(line, { request, url, headers, label, signal });
    if (outcome.kind !== "redirect") return outcome;
    // A cookie or key is only for the host it was set for.
    if (outcome.to.host !== url.host)
      headers = Object.fromEntries(Object.entries(headers).filter(([key]) => !isSecretName(key)));
    url = outcome.to;
  }
  const text = `${policy.name} redirected more than ${REDIRECTS_MAX} times (${request.label ?? shownAs(url)})`;
  line.tally.failed(text);
  return errorOutcome(new UpstreamFailed(policy.name, text), false);
}

async function sendWithRetries(
  line: UpstreamContext,
  request: UpstreamRequest,
  signal: AbortSignal,
): Promise<UpstreamAnswer> {
  const { policy, deps, guard, pace } = line;
  const isRepeatable = request.idempotent ?? methodOf(request) === "GET";
  for (let tries = 0; ; tries++) {
    const outcome = await attempt(line, request, signal);
    if (outcome.kind === "answer") return outcome.answer;
    const { error, mayRetry } = outcome;
    if (!isRepeatable || !mayRetry || tries >= policy.retriesMax || guard.state() !== "closed") throw error;
    const reportedMs = (error.facts.retryAfterS ?? 0) * 1000;
    // A Retry-After is waited for up to the length of an attempt; a longer one goes to the caller.
    // With attempts of 10 s: "Retry-After: 8" is waited for, with "Retry-After: 30" the client gets the
    // error.
    if (reportedMs > attemptMsMaxOf(policy, request)) throw error;
    if (reportedMs > 0) pace.holdUntil(laneOf(policy, ownAddress(policy, request.url).host), reportedMs);
    await deps.clock.sleep(Math.max(reportedMs, backoffMs(tries, deps.random ?? Math.random)), signal);
  }
}

/**
 * The client of one provider, one for the whole process. Layers, outermost first: single flight, retry,
 * breaker, semaphore of the host, quota, pace of the host, deadline, fetch, classify.
 * Throws UpstreamFailed, UpstreamRateLimited, UpstreamTimeout, Busy `upstream_busy` when our own queue is too
 * long, what `beforeAttempt` throws, or the caller's abort reason.
 */
export function createUpstream(policy: UpstreamPolicy, deps: UpstreamDeps): Upstream {
  const { clock } = deps;
  const guard = breaker(policy.breaker, clock, deps.breakerStore);
  const semaphores = new Map<string, Semaphore>(
    policy.hosts.map((host) => [host, createSemaphore(policy, clock)]),
  );
  const pace = pacer(policy, clock);
  const log = deps.log.child({ upstream: policy.name });
  const tally = healthTally(policy.name, guard, clock);
  const line: UpstreamContext = { policy, deps, log, semaphores, pace, guard, tally };
  const flights = singleFlight<UpstreamAnswer>();
  const total = (count: (g: Semaphore) => number) =>
    [...semaphores.values()].reduce((sum, g) => sum + count(g), 0);

  return {
    policy,
    async ask(request) {
      refuseInReplay("a question to a provider");
      const { signal, shareKey, url, body = "", redirects = "follow" } = request;
      if (shareKey === false) {
        signal?.throwIfAborted();
        return sendWithRetries(line, request, signal ?? new AbortController().signal);
      }
      const key = shareKey ?? JSON.stringify([methodOf(request), url, body, redirects]);
      return flights.run(key, signal, (shared) => sendWithRetries(line, request, shared));
    },
    misread: tally.misread,
    health: () =>
      tally.health({
        active: total((g) => g.active()) - pace.waiting(),
        waiting: total((g) => g.waiting()) + pace.waiting(),
      }),
  };
}
