// How FRED may be asked: one host, 120 requests a minute to one key, a minute's rest when it says so.
import type { UpstreamPolicy } from "../../platform/upstream/policy.ts";

export const FRED_HOST = "api.stlouisfed.org";

/**
 * FRED counts 120 requests a minute (header x-rate-limit-limit) and answers 429 above it: hence one each half second.
 * The calls of a day are counted elsewhere, before each attempt.
 */
export const fredPolicy: UpstreamPolicy = {
  name: "fred",
  hosts: [FRED_HOST],
  headers: { accept: "application/json", "user-agent": "Asof/1.0 (self-hosted)" },
  spacingMsMin: 500,
  slots: 4,
  waitMsMax: 30_000,
  attemptMsMax: 20_000,
  // 100,000 observations, the most FRED sends at once, take some 10 MB.
  bytesMax: 32_000_000,
  retriesMax: 2,
  breaker: { failuresMax: 5, openMs: [60_000, 120_000, 600_000] },
};
