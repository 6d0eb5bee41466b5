// How the news archive may be asked: seldom, one at a time, and not at all for a long while once it has refused.
import { NEWS_ARCHIVE_BACKOFF_S, NEWS_ARCHIVE_REST_S, NEWS_ARCHIVE_SPACING_S } from "../../limits.ts";
import type { UpstreamPolicy } from "../../platform/upstream/policy.ts";

export const GDELT_HOST = "api.gdeltproject.org";

/**
 * The archive punishes an address for tens of minutes, and each further question lengthens that. The breaker's steps
 * are the waits after one refusal, two and three; after the next it is left alone. It is to be kept over restarts.
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
