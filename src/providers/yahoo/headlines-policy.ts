// Request policy for Yahoo's headline feed, on another host than its data, so that refusals of one do not
// stop the other.
import { classifyFeed } from "../../platform/feed/feed-answer.ts";
import type { UpstreamPolicy } from "../../platform/upstream/policy.ts";
import { yahooPolicy } from "./policy.ts";

export const HEADLINES_HOST = "feeds.finance.yahoo.com";

/** One symbol per request, since articles do not name their symbols. */
export const yahooHeadlinesPolicy: UpstreamPolicy = {
  ...yahooPolicy,
  name: "yahoo-headlines",
  hosts: [HEADLINES_HOST],
  spacingMsMin: 1_000,
  slots: 1,
  waitMsMax: 60_000,
  bytesMax: 4_000_000,
  retriesMax: 1,
  breaker: { failuresMax: 3, openMs: [60_000, 300_000, 900_000] },
};

export const classifyYahooHeadlines = classifyFeed("Yahoo");
