// How Yahoo's headline feed may be asked: another host than its data, so that neither's refusals stop the other.
import { classifyFeed } from "../../platform/feed/feed-answer.ts";
import type { UpstreamPolicy } from "../../platform/upstream/policy.ts";
import { yahooPolicy } from "./policy.ts";

export const HEADLINES_HOST = "feeds.finance.yahoo.com";

/** One request a symbol: only then is it known whom an article is about. */
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
