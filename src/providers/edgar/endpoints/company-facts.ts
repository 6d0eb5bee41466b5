// Fetches companyfacts/CIK##########.json: every XBRL figure an entity has reported, as 1 to 10 MB of bytes.
import type { Upstream } from "../../../platform/upstream/policy.ts";
import { companyFactsUrl } from "../address.ts";
import { isAbsent } from "../ask.ts";

export interface CompanyFacts {
  readonly bytes: Uint8Array;
  readonly url: string;
  /** RFC 3339 UTC. */
  readonly received_at: string;
}

const BYTES_MAX = 64_000_000;

/**
 * Null when EDGAR has no XBRL facts of the entity. Throws UpstreamFailed, UpstreamRateLimited,
 * UpstreamTimeout.
 */
export async function fetchCompanyFacts(
  upstream: Upstream,
  cik: string,
  signal?: AbortSignal,
): Promise<CompanyFacts | null> {
  const url = companyFactsUrl(cik);
  const answer = await upstream.ask({ url, bytesMax: BYTES_MAX, attemptMsMax: 60_000, signal });
  if (isAbsent(answer)) return null;
  const received_at = answer.receivedAt.toString({ smallestUnit: "second" });
  return { bytes: answer.bytes, url, received_at };
}
