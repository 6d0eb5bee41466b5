// Request policies for Yahoo: one for its data, and one for the session that quotes need.
import type { UpstreamPolicy } from "../../platform/upstream/policy.ts";

/** Host of the data. The crumb is requested from CRUMB_HOST, so that both are paced separately. */
export const DATA_HOST = "query2.finance.yahoo.com";
export const CRUMB_HOST = "query1.finance.yahoo.com";

/**
 * Yahoo publishes no limit. Bursts above 5 requests a second cause refusals, and a refused address stays
 * refused for minutes however slowly it continues. Hence 4 requests a second, a breaker that opens at the
 * first refusal, and long pauses. The User-Agent matters: a bare tool name gets 429 at once, `Mozilla/5.0
 * (compatible; …)` is served. Yahoo may also stall instead of refusing (quote batches above 99 symbols),
 * hence the limit on each attempt.
 */
export const yahooPolicy: UpstreamPolicy = {
  name: "yahoo",
  hosts: [DATA_HOST, CRUMB_HOST, "fc.yahoo.com", "finance.yahoo.com", "guce.yahoo.com", "consent.yahoo.com"],
  headers: {
    "user-agent": "Mozilla/5.0 (compatible; Asof/1.0; self-hosted)",
    accept: "*/*",
    "accept-language": "en-US,en;q=0.9",
  },
  spacingMsMin: 250,
  slots: 2,
  // 500 uncached tickers at 4 a second take 125 s; a request's own deadline may end the wait earlier.
  waitMsMax: 240_000,
  attemptMsMax: 10_000,
  // The largest answer seen is a 2 MB page of the consent walk; a 60-year daily chart is smaller.
  bytesMax: 16_000_000,
  retriesMax: 2,
  breaker: { failuresMax: 5, openMs: [60_000, 300_000, 900_000] },
};

/**
 * The handshake has a separate breaker: getcrumb may be refused, or fc.yahoo.com blocked by an ad blocker,
 * while charts are still served.
 */
export const yahooSessionPolicy: UpstreamPolicy = {
  ...yahooPolicy,
  name: "yahoo-session",
  slots: 1,
  retriesMax: 1,
};
