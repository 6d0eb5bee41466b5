// Request policy for the news archive: rarely, one request at a time, and a long pause after a refusal.
import { NEWS_ARCHIVE_BACKOFF_S, NEWS_ARCHIVE_REST_S, NEWS_ARCHIVE_SPACING_S } from "../../limits.ts";
import type { UpstreamPolicy } from "../../platform/upstream/policy.ts";

export const GDELT_HOST = "api.gdeltproject.org";

/**
 * The archive blocks an address for tens of minutes, and each further request extends the block. The
 * breaker's steps are the pauses after the first refusals, then a long rest. Its state must persist across
 * restarts.
 */
export const gdeltPolicy: UpstreamPolicy = {
  name: "gdelt",
  hosts: [GDELT_HOST],
  headers: { accept: "application/json, text/plain" },
  spacingMsMin: NEWS_ARCHIVE_SPACING_S * 1000,
  slots: 1,
  waitMsMax: 120_000,
  attemptMsMax: 30_000,
  bytesMax: 8_000_000,
  retriesMax: 0,
  breaker: { failuresMax: 5, openMs: [...NEWS_ARCHIVE_BACKOFF_S, NEWS_ARCHIVE_REST_S].map((s) => s * 1000) },
};
