// Requests to EDGAR carry the name of the operator (SEC_USER_AGENT), as EDGAR demands; without it none is sent.
import { NotConfigured } from "../../platform/errors.ts";
import type { Upstream, UpstreamAnswer, UpstreamRequest } from "../../platform/upstream/policy.ts";
import type { Validators } from "./records.ts";

/** `upstream` with the User-Agent in each request; `ask` throws NotConfigured without one. */
export function withUserAgent(upstream: Upstream, userAgent: string | null): Upstream {
  return {
    ...upstream,
    async ask(request) {
      if (!userAgent) {
        throw new NotConfigured(
          "not_configured",
          "EDGAR serves only those who name themselves: SEC_USER_AGENT is not set",
          {
            hint: 'set SEC_USER_AGENT to your name or company and an e-mail address: "Company contact@example.com"',
            upstream: upstream.policy.name,
          },
        );
      }
      return upstream.ask({ ...request, headers: { ...request.headers, "user-agent": userAgent } });
    },
  };
}

/** Whether EDGAR says that it has no such thing (classify.ts let nothing else of these statuses through). */
export const isAbsent = ({ status }: UpstreamAnswer): boolean => status === 404 || status === 403;

export const isUnchanged = ({ status }: UpstreamAnswer): boolean => status === 304;

export const validatorsOf = ({ headers }: UpstreamAnswer): Validators => ({
  etag: headers.get("etag"),
  last_modified: headers.get("last-modified"),
});

/** The request for `url`, answered with 304 when it is as `known` has it. */
export function conditional(url: string, known: Validators | undefined): UpstreamRequest {
  const { etag = null, last_modified = null } = known ?? {};
  if (!etag && !last_modified) return { url };
  return {
    url,
    headers: {
      ...(etag ? { "if-none-match": etag } : {}),
      ...(last_modified ? { "if-modified-since": last_modified } : {}),
    },
    // Never shared with callers who know nothing: a 304 would leave them empty-handed.
    shareKey: JSON.stringify([url, etag, last_modified]),
  };
}
