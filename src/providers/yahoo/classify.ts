// What an answer of Yahoo's means, by status and body: served, refused with a reason, blocked, or broken.
import { bodyStart } from "../../platform/upstream/body-start.ts";
import type { UpstreamAnswer, Verdict } from "../../platform/upstream/policy.ts";
import { CRUMB_HOST, DATA_HOST } from "./policy.ts";

/** Where the crumb is read; the one path of the data hosts that answers in plain text. */
export const CRUMB_PATH = "/v1/test/getcrumb";

/** Refusals at the edge are a line of plain text. Anchored: an `endTime=1791264293` in an error is no refusal. */
const TOO_MANY = /^(?:edge:\s*)?too many requests\.?\s*$/i;
/** The edge's older refusal, status 999 or a page that names it. */
const EDGE_999 = /unable to process request at this time\s*(?:--|—|-)\s*error 999/i;
/** How much of a body is looked at: refusals are short, and a page says what it is in its first lines. */
const PEEK_BYTES = 4_096;

/** Retry-After, which Yahoo has never been seen to send, is read by platform/upstream/upstream.ts. */
function blocked(detail: string): Verdict {
  return { kind: "rate_limited", detail };
}

/** HTML and plain text where data was asked are an outage or a block, never "no data". */
function brokenBody(body: string): string {
  if (/will be right back/i.test(body)) return "Yahoo says it will be right back";
  if (body === "") return "an empty answer";
  return body.startsWith("<") ? "an HTML page instead of data" : "something other than data";
}

/** Verdict on an answer of the data hosts. Whether its JSON is complete and of the right shape is judged later. */
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

/** Verdict on the crumb: its shape is judged by credentials.ts, which knows what to do about a wrong one. */
function classifyCrumb(answer: UpstreamAnswer, body: string): Verdict {
  const { status } = answer;
  if (status === 403) return blocked("Yahoo blocks this address from its crumb (403)");
  if (status >= 500) return { kind: "failed", detail: `Yahoo's crumb answered with status ${status}` };
  if (status !== 200) return { kind: "answered" };
  if (body.startsWith("<")) return { kind: "failed", detail: "Yahoo sent an HTML page instead of a crumb" };
  return { kind: "ok" };
}

/** Verdict on the pages of the cookie walk: they are asked for their cookies and redirects, whatever they say. */
function classifyPage(answer: UpstreamAnswer, host: string): Verdict {
  // fc.yahoo.com answers 404 or 502 and sets the cookie all the same.
  if (host === "fc.yahoo.com") return { kind: "answered" };
  if (answer.status === 403) return blocked("Yahoo blocks this address (403)");
  if (answer.status >= 500) return { kind: "failed", detail: `Yahoo answered with status ${answer.status}` };
  return { kind: answer.status < 400 ? "ok" : "answered" };
}

/** Judges every answer of Yahoo's, of whichever host. */
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
