// Sends requests that need a cookie and a crumb; when Yahoo refuses the session, renews it once and repeats
// the request.

import { UpstreamRefused } from "../../platform/errors.ts";
import { decoding, fetchDecoded } from "../../platform/upstream/decode.ts";
import type { Upstream, UpstreamAnswer, UpstreamRequest } from "../../platform/upstream/policy.ts";
import { cookieHeader } from "./cookies.ts";
import type { Credentials } from "./credentials.ts";
import type { Session } from "./handshake.ts";
import { isDenied, readError, readJson, type Wire } from "./wire.ts";

export interface SessionRequest {
  /** Yahoo's name of the document, for errors. */
  readonly document: string;
  /** Without the crumb. */
  readonly url: string;
  /** Sent as JSON by POST. Only for queries: the request is retried after an error like a GET. */
  readonly body?: object;
  readonly signal?: AbortSignal | undefined;
}

/** An answer to a request with our session, parsed. */
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
 * Sends a request with the session and reads the answer with `decode`. Crumbs expire after minutes or hours,
 * and sometimes one of Yahoo's servers does not know a valid one. So after a 401 or 403 it opens a new
 * session and repeats the request once. Throws UpstreamRefused when that is refused too, and what the
 * handshake and the request throw.
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
