// Request policy for FINRA's file server.
import type { UpstreamPolicy } from "../../platform/upstream/policy.ts";

export const FINRA_HOST = "cdn.finra.org";

/**
 * A public file server without a stated limit. A day's file has half a megabyte; the history is about 2,000
 * files.
 */
export const finraPolicy: UpstreamPolicy = {
  name: "finra",
  hosts: [FINRA_HOST],
  headers: { accept: "text/plain, */*", "accept-encoding": "gzip", "user-agent": "asof/1.0 (self-hosted)" },
  spacingMsMin: 150,
  slots: 3,
  // A request for the whole history queues file after file.
  waitMsMax: 600_000,
  attemptMsMax: 60_000,
  bytesMax: 20_000_000,
  retriesMax: 2,
  breaker: { failuresMax: 6, openMs: [30_000, 120_000, 600_000] },
};
