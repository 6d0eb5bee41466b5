// Requests that need a cookie and a crumb: a refused session is renewed once and the request replayed once.

import { UpstreamRefused } from "../../platform/errors.ts";
import { decoding, fetchDecoded } from "../../platform/upstream/decode.ts";
import type { Upstream, UpstreamAnswer, UpstreamRequest } from "../../platform/upstream/policy.ts";
import { cookieHeader } from "./cookies.ts";
import type { Credentials } from "./credentials.ts";
import type { Session } from "./handshake.ts";
import { isDenied, readError, readJson, type Wire } from "./wire.ts";

export interface SessionRequest {
  /** Yahoo's own name of what is asked, for errors. */
  readonly document: string;
  /** Without the crumb. */
  readonly url: string;
  /** Sent as JSON by POST. Only for questions: such a request is repeated after a fault like a GET. */
  readonly body?: object;
  readonly signal?: AbortSignal | undefined;
}

/** An answer that Yahoo gave to our session, parsed. */
export interface SessionAnswer {
  readonly body: Wire;
  readonly answer: UpstreamAnswer;
}

async function askOnce(
  upstream: Upstream,
  request: SessionRequest,
  session: Session,
): Promise<SessionAnswer> {
  const url = new URL(request.url);
  url.searchParams.set("crumb", session.crumb);
  const cookie = cookieHeader(session.cookies, request.url);
  const headers: Record<string, string> = cookie === "" ? {} : { cookie };
  const sent: UpstreamRequest = {
    url: url.href,
    headers: request.body ? { ...headers, "content-type": "application/json" } : headers,
    signal: request.signal,
    ...(request.body && { method: "POST", body: JSON.stringify(request.body), idempotent: true }),
  };
  return fetchDecoded(upstream, sent, (answer) => ({ body: readJson(request.document, answer), answer }));
}

function wasDenied({ body, answer }: SessionAnswer): boolean {
  return isDenied(readError(body), answer.status);
}

/**
 * Asks with the session. Crumbs go stale after minutes or hours and at times one of Yahoo's servers does not know a
 * good one, so a 401 or 403 is answered by a new session and one replay, which must suffice. `decode` reads the answer.
 * Throws UpstreamRefused when it does not, and what the handshake and the request throw.
 */
export async function askWithSession<T>(
  upstream: Upstream,
  credentials: Credentials,
  request: SessionRequest,
  decode: (answer: SessionAnswer) => T,
): Promise<T> {
  const first = await credentials.get(request.signal);
  const answer = await askOnce(upstream, request, first);
  if (!wasDenied(answer)) return decoding(upstream, () => decode(answer));
  const second = await credentials.renew(first, request.signal);
  const replayed = await askOnce(upstream, request, second);
  if (!wasDenied(replayed)) return decoding(upstream, () => decode(replayed));
  credentials.giveUp(second);
  throw new UpstreamRefused("yahoo", `Yahoo does not accept the session it gave us for ${request.document}`, {
    upstreamStatus: replayed.answer.status,
    hint: readError(replayed.body)?.description,
  });
}
