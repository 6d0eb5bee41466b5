// Adds the operator's name (SEC_USER_AGENT) to requests, as EDGAR demands, and reads EDGAR's answers "absent"
// and "unchanged". Without a name no request is sent.
import { NotConfigured } from "../../platform/errors.ts";
import type { Upstream, UpstreamAnswer, UpstreamRequest } from "../../platform/upstream/policy.ts";
import type { Validators } from "./records.ts";

/** Returns `upstream` with the User-Agent in each request. Without one `ask` throws NotConfigured. */
export function withUserAgent(upstream: Upstream, userAgent: string | null): Upstream {
  return {
    ...upstream,
    async ask(request) {
      if (!userAgent) {
        throw new NotConfigured(
          "not_configured",
          "EDGAR requires every user to give a name, and SEC_USER_AGENT is not set.",
          {
            hint: 'Set SEC_USER_AGENT to your name or company and an e-mail address: "Company contact@example.com".',
            upstream: upstream.policy.name,
          },
        );
      }
      return upstream.ask({ ...request, headers: { ...request.headers, "user-agent": userAgent } });
    },
  };
}

/** True when EDGAR has no such thing: classify.ts lets these statuses through for no other reason. */
export const isAbsent = ({ status }: UpstreamAnswer): boolean => status === 404 || status === 403;

export const isUnchanged = ({ status }: UpstreamAnswer): boolean => status === 304;

export const validatorsOf = ({ headers }: UpstreamAnswer): Validators => ({
  etag: headers.get("etag"),
  last_modified: headers.get("last-modified"),
});

/** Makes a request for `url` that EDGAR answers with 304 when the file has not changed since `known`. */
export function conditional(url: string, known: Validators | undefined): UpstreamRequest {
  const { etag = null, last_modified = null } = known ?? {};
  if (!etag && !last_modified) return { url };
  return {
    url,
    headers: {
      ...(etag ? { "if-none-match": etag } : {}),
      ...(last_modified ? { "if-modified-since": last_modified } : {}),
    },
    // Not shared with callers that have no earlier copy: they could not use a 304.
    shareKey: JSON.stringify([url, etag, last_modified]),
  };
}
