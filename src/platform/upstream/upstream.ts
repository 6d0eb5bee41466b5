// Asks a provider: shares equal requests, keeps its pace, leaves it alone when it fails, follows only its own hosts.

import type { Clock } from "../clock.ts";
import { UpstreamFailed, UpstreamRateLimited } from "../errors.ts";
import type { Log } from "../log.ts";
import { isSecretName } from "../redact.ts";
import { isRedirect, ownAddress, shownAs, throughGateway } from "./address.ts";
import { BodyTooLarge, readBody } from "./body-limit.ts";
import { type Breaker, type BreakerMemory, BreakerOpen, breaker } from "./breaker.ts";
import { type HealthTally, healthTally } from "./health.ts";
import {
  AttemptTimeout,
  attemptMsMaxOf,
  bytesMaxOf,
  type Final,
  faulty,
  judge,
  methodOf,
  notAsked,
  type Outcome,
  queueTooLong,
  withoutAnswer,
} from "./outcome.ts";
import { type Pacer, PacerTimeout, pacer } from "./pacer.ts";
import type { Classify, Upstream, UpstreamAnswer, UpstreamPolicy, UpstreamRequest } from "./policy.ts";
import { backoffMs } from "./retry-after.ts";
import { type Gate, GateTimeout, gate } from "./semaphore.ts";
import { singleFlight } from "./single-flight.ts";

export interface UpstreamNeeds {
  readonly clock: Clock;
  readonly log: Log;
  /** Address that stands for the whole outside world (UPSTREAM_GATEWAY); null or absent asks the provider itself. */
  readonly gateway?: string | null;
  readonly classify: Classify;
  /** Called before each request that goes out, retries and redirects included; refuses by throwing (daily quota). */
  readonly beforeAttempt?: (request: UpstreamRequest) => void | Promise<void>;
  /** Keeps the breaker over restarts, for a provider whose penalty outlives the process. */
  readonly breakerMemory?: BreakerMemory;
  /** Source of the back-off's jitter, 0 to 1. */
  readonly random?: () => number;
}

/** What all requests to one provider share. */
interface Line {
  readonly policy: UpstreamPolicy;
  readonly needs: UpstreamNeeds;
  readonly log: Log;
  readonly gates: ReadonlyMap<string, Gate>;
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

/** Sends and reads within the deadline. Throws AttemptTimeout, BodyTooLarge, the caller's reason or a network fault. */
async function fetchWithin({ policy, needs }: Line, one: Exchange): Promise<UpstreamAnswer> {
  const { request, url, signal } = one;
  const stop = new AbortController();
  const timer = new AbortController();
  const onAbort = () => stop.abort(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  needs.clock.sleep(attemptMsMaxOf(policy, request), timer.signal).then(
    () => stop.abort(new AttemptTimeout()),
    () => {},
  );
  try {
    const response = await fetch(throughGateway(url, needs.gateway), {
      method: methodOf(request),
      headers: one.headers,
      redirect: "manual",
      signal: stop.signal,
      ...(request.body === undefined ? {} : { body: request.body }),
    });
    const { status, headers } = response;
    // The page behind a redirect that is followed is nobody's interest.
    const unread = isRedirect(status) && request.redirects !== "return";
    const bytes = unread ? new Uint8Array() : await readBody(response.body, bytesMaxOf(policy, request));
    return { url: url.href, status, headers, bytes, receivedAt: needs.clock.now() };
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : error;
  } finally {
    timer.abort();
    signal.removeEventListener("abort", onAbort);
    // Ends a body that was not read to its end; does nothing to a whole one.
    stop.abort();
  }
}

/** One request on the wire; what it came to is told to the breaker and to health. */
async function exchange(line: Line, one: Exchange): Promise<Outcome> {
  const { policy, needs, guard, tally, log } = line;
  const { request, label, signal } = one;
  const pass = guard.enter();
  const startedMs = needs.clock.nowMs();
  tally.asked();
  const outcome = await fetchWithin(line, one).then(
    (answer) => judge(policy, needs.classify, request, label, answer),
    (cause: unknown) => {
      if (!signal.aborted) return withoutAnswer(policy, request, label, cause);
      pass.leave();
      throw signal.reason;
    },
  );
  const facts = { label, ms: needs.clock.nowMs() - startedMs };
  if (outcome.kind === "fault") {
    const { fault: error } = outcome;
    if (error instanceof UpstreamRateLimited) pass.refuse(error.facts.retryAfterS);
    // Our own limit was met, not a fault of the provider's: large documents must not silence it.
    else if (error.cause instanceof BodyTooLarge) pass.leave();
    else pass.fail();
    tally.failed(error.message);
    log.warn("request failed", { ...facts, error: error });
  } else {
    if (outcome.kind === "answer") pass.succeed();
    else pass.leave();
    tally.succeeded();
    log.debug("request answered", facts);
  }
  return outcome;
}

/** Whose pace a request to `host` keeps. */
const laneOf = (policy: UpstreamPolicy, host: string): string => (policy.pacedTogether ? policy.name : host);

/** Waits for a slot and for the pace of the host, then asks. */
async function askHost(line: Line, one: Exchange): Promise<Outcome> {
  const { policy, needs, guard, pace } = line;
  const { host } = one.url;
  const semaphore = line.gates.get(host);
  if (!semaphore) throw new UpstreamFailed(policy.name, `${host} is not one of ${policy.name}'s hosts`);
  const giveUpMs = needs.clock.nowMs() + policy.waitMsMax;
  try {
    guard.check();
    return await semaphore.run(one.signal, async () => {
      // Again, before the pace: once it is open, all who queue are told at the same time and not one by one.
      guard.check();
      await needs.beforeAttempt?.(one.request);
      await pace.turn(laneOf(policy, host), one.signal, giveUpMs - needs.clock.nowMs());
      return await exchange(line, one);
    });
  } catch (error) {
    if (error instanceof BreakerOpen) throw notAsked(policy, error);
    if (error instanceof GateTimeout || error instanceof PacerTimeout)
      throw queueTooLong(policy, semaphore.waiting() + pace.waiting());
    throw error;
  }
}

/** Header names in one case, so that a request's own value replaces the policy's whatever its spelling. */
const lowerCased = (headers: Readonly<Record<string, string>> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([key, value]) => [key.toLowerCase(), value]));

/** One attempt: the request and the redirects it is led through. */
async function attempt(line: Line, request: UpstreamRequest, signal: AbortSignal): Promise<Final> {
  const { policy } = line;
  let url = ownAddress(policy, request.url);
  let headers = { ...lowerCased(policy.headers), ...lowerCased(request.headers) };
  for (let hop = 0; hop <= REDIRECTS_MAX; hop++) {
    const label = request.label ?? shownAs(url);
    const outcome = await askHost(line, { request, url, headers, label, signal });
    if (outcome.kind !== "redirect") return outcome;
    // A cookie or key was meant for the host it was given for.
    if (outcome.to.host !== url.host)
      headers = Object.fromEntries(Object.entries(headers).filter(([key]) => !isSecretName(key)));
    url = outcome.to;
  }
  const text = `${policy.name} redirected more than ${REDIRECTS_MAX} times (${request.label ?? shownAs(url)})`;
  line.tally.failed(text);
  return faulty(new UpstreamFailed(policy.name, text), false);
}

async function askWithRetries(
  line: Line,
  request: UpstreamRequest,
  signal: AbortSignal,
): Promise<UpstreamAnswer> {
  const { policy, needs, guard, pace } = line;
  const mayRepeat = request.idempotent ?? methodOf(request) === "GET";
  for (let tries = 0; ; tries++) {
    const outcome = await attempt(line, request, signal);
    if (outcome.kind === "answer") return outcome.answer;
    const { fault: error, again } = outcome;
    if (!mayRepeat || !again || tries >= policy.retriesMax || guard.state() !== "closed") throw error;
    const reportedMs = (error.facts.retryAfterS ?? 0) * 1000;
    // The provider's own wish is waited for as long as an attempt may take; a longer one goes to the caller.
    if (reportedMs > attemptMsMaxOf(policy, request)) throw error;
    if (reportedMs > 0) pace.holdUntil(laneOf(policy, ownAddress(policy, request.url).host), reportedMs);
    await needs.clock.sleep(Math.max(reportedMs, backoffMs(tries, needs.random ?? Math.random)), signal);
  }
}

/**
 * The way to one provider, one for the whole process. Outermost first: single flight, retry, breaker, gate of the
 * host, quota, pace of the host, deadline, fetch, classify.
 * Throws UpstreamFailed, UpstreamRateLimited, UpstreamTimeout, Busy `upstream_busy` when our own queue is too
 * long, what `beforeAttempt` throws, or the caller's own abort reason.
 */
export function createUpstream(policy: UpstreamPolicy, needs: UpstreamNeeds): Upstream {
  const { clock } = needs;
  const guard = breaker(policy.breaker, clock, needs.breakerMemory);
  const gates = new Map<string, Gate>(policy.hosts.map((host) => [host, gate(policy, clock)]));
  const pace = pacer(policy, clock);
  const log = needs.log.child({ upstream: policy.name });
  const tally = healthTally(policy.name, guard, clock);
  const line: Line = { policy, needs, log, gates, pace, guard, tally };
  const flights = singleFlight<UpstreamAnswer>();
  const total = (count: (g: Gate) => number) => [...gates.values()].reduce((sum, g) => sum + count(g), 0);

  return {
    policy,
    async ask(request) {
      const { signal, shareKey, url, body = "", redirects = "follow" } = request;
      if (shareKey === false) {
        signal?.throwIfAborted();
        return askWithRetries(line, request, signal ?? new AbortController().signal);
      }
      const key = shareKey ?? JSON.stringify([methodOf(request), url, body, redirects]);
      return flights.run(key, signal, (shared) => askWithRetries(line, request, shared));
    },
    misread: tally.misread,
    health: () =>
      tally.health({
        active: total((g) => g.active()) - pace.waiting(),
        waiting: total((g) => g.waiting()) + pace.waiting(),
      }),
  };
}
