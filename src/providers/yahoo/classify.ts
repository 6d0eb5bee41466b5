// Classifies Yahoo's answers by status and body: served, refused with a reason, blocked, or broken.
import { bodyStart } from "../../platform/upstream/body-start.ts";
import type { UpstreamAnswer, Verdict } from "../../platform/upstream/policy.ts";
import { CRUMB_HOST, DATA_HOST } from "./policy.ts";

/** Path of the crumb; the only path of the data hosts that answers in plain text. */
export const CRUMB_PATH = "/v1/test/getcrumb";

/**
 * Refusals at the edge are a line of plain text. Anchored, since an `endTime=1791264293` in an error is not a
 * refusal.
 */
const TOO_MANY = /^(?:edge:\s*)?too many requests\.?\s*$/i;
/** An older refusal of the edge, with status 999 or a page that names it. */
const EDGE_999 = /unable to process request at this time\s*(?:--|—|-)\s*error 999/i;
/** How much of the body is examined; refusals are short, and a page is recognisable by its first lines. */
const PEEK_BYTES = 4_096;

/** Yahoo has never sent Retry-After; platform/upstream/upstream.ts would read it. */
function blocked(detail: string): Verdict {
  return { kind: "rate_limited", detail };
}

/** Describes a body that is not data. It is always an outage or a block, never "no data". */
function brokenBody(body: string): string {
  if (/will be right back/i.test(body)) return "Yahoo says it will be right back";
  if (body === "") return "an empty answer";
  return body.startsWith("<") ? "an HTML page instead of data" : "something other than data";
}

/**
 * Classifies an answer of the data hosts. Whether its JSON is complete and of the right shape is checked
 * later.
 */
function classifyData(answer: UpstreamAnswer, body: string): Verdict {
  const { status } = answer;
  const isJson = body.startsWith("{") || body.startsWith("[");
  if (status >= 500) return { kind: "failed", detail: `Yahoo answered with status ${status}` };
  if (status === 403 && !isJson) return blocked("Yahoo blocks this address (403)");
  if (!isJson) return { kind: "failed", detail: `Yahoo sent ${brokenBody(body)} (status ${status})` };
  if (status >= 200 && status < 300) return { kind: "ok" };
  if (status >= 400) return { kind: "answered" };
  return { kind: "failed", detail: `Yahoo answered with status ${status}` };
}

/** Classifies the answer with the crumb. handshake.ts checks its form. */
function classifyCrumb(answer: UpstreamAnswer, body: string): Verdict {
  const { status } = answer;
  if (status === 403) return blocked("Yahoo blocks this address from its crumb (403)");
  if (status >= 500) return { kind: "failed", detail: `Yahoo's crumb answered with status ${status}` };
  if (status !== 200) return { kind: "answered" };
  if (body.startsWith("<")) return { kind: "failed", detail: "Yahoo sent an HTML page instead of a crumb" };
  return { kind: "ok" };
}

/** Classifies a page of the cookie walk, which is requested only for its cookies and redirects. */
function classifyPage(answer: UpstreamAnswer, host: string): Verdict {
  // fc.yahoo.com answers 404 or 502 and still sets the cookie.
  if (host === "fc.yahoo.com") return { kind: "answered" };
  if (answer.status === 403) return blocked("Yahoo blocks this address (403)");
  if (answer.status >= 500) return { kind: "failed", detail: `Yahoo answered with status ${answer.status}` };
  return { kind: answer.status < 400 ? "ok" : "answered" };
}

/** Classifies an answer of any host. */
export function classifyYahoo(answer: UpstreamAnswer): Verdict {
  const body = bodyStart(answer, PEEK_BYTES);
  if (answer.status === 429 || answer.status === 999) {
    return blocked(`Yahoo refuses further requests (${answer.status})`);
  }
  if (TOO_MANY.test(body) || (!body.startsWith("{") && EDGE_999.test(body))) {
    return blocked("Yahoo refuses further requests");
  }
  const { hostname, pathname } = new URL(answer.url);
  if (hostname !== DATA_HOST && hostname !== CRUMB_HOST) return classifyPage(answer, hostname);
  return pathname === CRUMB_PATH ? classifyCrumb(answer, body) : classifyData(answer, body);
}
