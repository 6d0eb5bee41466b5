// Request policy for Wikimedia: Wikipedia's pages and search, the page views, and Wikidata.
import type { UpstreamPolicy } from "../../platform/upstream/policy.ts";

/** Articles and their API. */
export const WIKIPEDIA_HOST = "en.wikipedia.org";
/** Page views. */
export const METRICS_HOST = "wikimedia.org";
/** Wikidata's query service. */
export const WIKIDATA_HOST = "query.wikidata.org";

/**
 * Wikimedia requires a User-Agent that names the tool and a contact, and refuses generic ones with 403. It
 * asks for one request at a time and for compressed answers. `contact` is the operator's address (that of
 * SEC_USER_AGENT); without one only the tool is named.
 */
export const wikimediaPolicy = (contact: string | null): UpstreamPolicy => ({
  name: "wikimedia",
  hosts: [WIKIPEDIA_HOST, METRICS_HOST, WIKIDATA_HOST],
  headers: {
    "user-agent": `Asof/1.0 (self-hosted market data service${contact ? `; ${contact}` : ""}) bun`,
    accept: "*/*",
    "accept-encoding": "gzip",
  },
  spacingMsMin: 200,
  pacedTogether: true,
  slots: 1,
  waitMsMax: 60_000,
  attemptMsMax: 14_000,
  // The largest list seen is 0.9 MB.
  bytesMax: 8_000_000,
  retriesMax: 1,
  breaker: { failuresMax: 5, openMs: [60_000, 300_000, 900_000] },
});
