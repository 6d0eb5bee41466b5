// Classifies Wikimedia's answers by status and body; its API reports errors with status 200.
import { bodyStart } from "../../platform/upstream/body-start.ts";
import type { UpstreamAnswer, Verdict } from "../../platform/upstream/policy.ts";
import { METRICS_HOST, WIKIDATA_HOST } from "./policy.ts";

/** How much of the body is examined; the API's error is at its beginning. */
const PEEK_BYTES = 2_048;

/** API errors about the state of the service, not about the request. */
const UNWELL = /^(?:internal_api_error|readonly|maxlag|unknownerror)/;

/** Whether a path answers in JSON; article pages answer in HTML. */
const isJsonPath = ({ hostname, pathname }: URL): boolean =>
  hostname === METRICS_HOST ||
  hostname === WIKIDATA_HOST ||
  pathname === "/w/api.php" ||
  pathname.startsWith("/api/rest_v1/page/summary/");

/** The code of an error that the API sends with status 200. */
function apiError(answer: UpstreamAnswer, body: string): string | null {
  return (
    answer.headers.get("mediawiki-api-error") ??
    /^\{\s*"error"\s*:\s*\{\s*"code"\s*:\s*"([^"]{1,80})"/.exec(body)?.[1] ??
    null
  );
}

/**
 * Classifies an answer of any host. `answered` means that Wikimedia understood the request and refused it or
 * has no data.
 */
export function classifyWikimedia(answer: UpstreamAnswer): Verdict {
  const { status } = answer;
  const body = bodyStart(answer, PEEK_BYTES);
  const isJson = body.startsWith("{") || body.startsWith("[");
  const error = apiError(answer, body);
  if (status === 429 || error === "ratelimited")
    return { kind: "rate_limited", detail: "Wikimedia's rate limit is reached" };
  if (status === 403 && !isJson)
    return {
      kind: "failed",
      detail: "Wikimedia refuses this client (403): set a contact address in SEC_USER_AGENT",
    };
  if (status >= 500) return { kind: "failed", detail: `Wikimedia answered with status ${status}` };
  if (status >= 400) return { kind: "answered" };
  if (status !== 200) return { kind: "failed", detail: `Wikimedia answered with status ${status}` };
  if (body === "") return { kind: "failed", detail: "Wikimedia sent an empty answer" };
  if (error !== null && UNWELL.test(error))
    return { kind: "failed", detail: `Wikimedia's API is not available (${error})` };
  if (isJsonPath(new URL(answer.url)) !== isJson)
    return {
      kind: "failed",
      detail: `Wikimedia sent ${isJson ? "data instead of a page" : "a page instead of data"}`,
    };
  return { kind: error === null ? "ok" : "answered" };
}
