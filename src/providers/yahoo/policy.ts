// How Yahoo may be asked: hosts, manners, pace and breaker; for its data, and for the session that quotes need.
import type { UpstreamPolicy } from "../../platform/upstream/policy.ts";

/** Data is asked here, the crumb at CRUMB_HOST: so the two are paced apart though they are one service. */
export const DATA_HOST = "query2.finance.yahoo.com";
export const CRUMB_HOST = "query1.finance.yahoo.com";

/**
 * Yahoo publishes no limit. Bursts above 5 requests a second start refusals, a refused address stays refused for
 * minutes however slowly it asks next, hence 4 a second, the breaker at the first refusal and its long pauses.
 * The agent decides at Yahoo's edge: a bare tool name gets 429 at once, `Mozilla/5.0 (compatible; …)` is served.
 * Yahoo may also stall instead of refusing (quote batches above 99 symbols), hence the hard limit of an attempt.
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
  // 500 cold tickers at 4 a second take 125 s; a request's own deadline ends the wait earlier where it must.
  waitMsMax: 240_000,
  attemptMsMax: 10_000,
  // The largest answer met is a 2 MB page of the consent walk; a 60-year daily chart stays below that.
  bytesMax: 16_000_000,
  retriesMax: 2,
  breaker: { failuresMax: 5, openMs: [60_000, 300_000, 900_000] },
};

/**
 * The handshake has a breaker of its own: getcrumb is refused, and fc.yahoo.com kept from resolving by ad blockers,
 * where charts are served all the while. It must not take them along.
 */
export const yahooSessionPolicy: UpstreamPolicy = {
  ...yahooPolicy,
  name: "yahoo-session",
  slots: 1,
  retriesMax: 1,
};
