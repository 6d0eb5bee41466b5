// Request policy for FRED: one host, 120 requests a minute per key, a pause of a minute after a 429.
import type { UpstreamPolicy } from "../../platform/upstream/policy.ts";

export const FRED_HOST = "api.stlouisfed.org";

/**
 * FRED allows 120 requests a minute (header x-rate-limit-limit) and answers 429 beyond that, so one is sent
 * every half second. The daily allowance is counted elsewhere, before each attempt.
 */
export const fredPolicy: UpstreamPolicy = {
  name: "fred",
  hosts: [FRED_HOST],
  headers: { accept: "application/json", "user-agent": "Asof/1.0 (self-hosted)" },
  spacingMsMin: 500,
  slots: 4,
  waitMsMax: 30_000,
  attemptMsMax: 20_000,
  // 100,000 observations, the most FRED sends at once, are about 10 MB.
  bytesMax: 32_000_000,
  retriesMax: 2,
  breaker: { failuresMax: 5, openMs: [60_000, 120_000, 600_000] },
};
