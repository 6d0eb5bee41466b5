// Classifies EDGAR's answers by status and body: 403 may be a missing file, 503 a bad request, 200 an outage.
import { bodyStart } from "../../platform/upstream/body-start.ts";
import type { UpstreamAnswer, Verdict } from "../../platform/upstream/policy.ts";
import { DATA_HOST, SEARCH_HOST } from "./policy.ts";

/** EDGAR blocks for ten minutes. Each request during a block restarts it. */
const BLOCK_S = 600;
/** Bytes of a body that are examined: the title identifies EDGAR's own pages. */
const PEEK_BYTES = 8_192;

/** The kind of body that a path should have, as far as it differs from an outage page. */
function expected(url: URL): "json" | "plain" | "xml" | "page" | "any" {
  if (url.hostname === DATA_HOST || url.hostname === SEARCH_HOST) return "json";
  if (url.pathname.endsWith(".json")) return "json";
  if (url.pathname.endsWith(".idx")) return "plain";
  if (/\.html?$/.test(url.pathname)) return "page";
  return url.pathname.startsWith("/cgi-bin/") ? "xml" : "any";
}

const isJson = (body: string): boolean => body.startsWith("{") || body.startsWith("[");

/** The storage behind EDGAR reports a missing file with 404, or with 403 where listing is not allowed. */
const isMissing = (body: string): boolean => /<Code>\s*(?:NoSuchKey|AccessDenied)\s*<\/Code>/.test(body);

function judgeRefusal(status: number, body: string, title: string): Verdict {
  if (/undeclared automated tool/i.test(title))
    return { kind: "failed", detail: "EDGAR refuses our User-Agent: check the address in SEC_USER_AGENT" };
  if (isMissing(body)) return { kind: "answered" };
  if (status === 404 && /not found|404/i.test(title || body)) return { kind: "answered" };
  return { kind: "failed", detail: `EDGAR answered with status ${status}${title ? ` ("${title}")` : ""}` };
}

function judgeContent(url: URL, body: string, title: string): Verdict {
  if (body === "") return { kind: "failed", detail: "EDGAR sent an empty answer" };
  // EDGAR's outage pages have this title with any status; no document of a filing does.
  if (/^SEC\.gov\s*\|/.test(title)) return { kind: "failed", detail: `EDGAR sent the page "${title}"` };
  const kind = expected(url);
  const fits =
    kind === "json"
      ? isJson(body)
      : kind === "plain"
        ? !body.startsWith("<")
        : kind === "xml"
          ? /^<(?:\?xml|feed)\b/i.test(body)
          : // A document may contain anything, but one with an HTML name is never JSON.
            kind === "any" || !isJson(body);
  if (fits) return { kind: "ok" };
  return {
    kind: "failed",
    detail: `EDGAR sent ${body.startsWith("<") ? "a page" : "something"} instead of data`,
  };
}

/**
 * Classifies the answers of all of EDGAR's hosts. `answered` means that the thing does not exist or is
 * unchanged (304).
 */
export function classifyEdgar(answer: UpstreamAnswer): Verdict {
  const { status } = answer;
  const body = bodyStart(answer, PEEK_BYTES);
  const title = /<title>([^<]{0,200})<\/title>/i.exec(body)?.[1]?.trim() ?? "";
  if (status === 429 || /request rate threshold exceeded/i.test(title))
    return { kind: "rate_limited", retryAfterS: BLOCK_S, detail: "EDGAR reports too many requests" };
  if (status === 304) return { kind: "answered" };
  if (status >= 500)
    return { kind: "failed", detail: `EDGAR is not available (${status}${title ? `, "${title}"` : ""})` };
  if (status >= 400) return judgeRefusal(status, body, title);
  if (status !== 200) return { kind: "failed", detail: `EDGAR answered with status ${status}` };
  return judgeContent(new URL(answer.url), body, title);
}
