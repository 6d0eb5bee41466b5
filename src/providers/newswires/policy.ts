// Request policies for the news feeds that need no key: GlobeNewswire's releases and Nasdaq's articles.
import type { UpstreamPolicy } from "../../platform/upstream/policy.ts";

export const GLOBENEWSWIRE_HOST = "www.globenewswire.com";
export const NASDAQ_HOST = "www.nasdaq.com";

/** Three feeds every five minutes. They are updated each minute and offered for syndication. */
export const globenewswirePolicy: UpstreamPolicy = {
  name: "globenewswire",
  hosts: [GLOBENEWSWIRE_HOST, "globenewswire.com", "rss.globenewswire.com"],
  headers: {
    "user-agent": "Mozilla/5.0 (compatible; Asof/1.0; self-hosted)",
    accept: "application/rss+xml, application/xml;q=0.9, text/xml;q=0.8",
  },
  spacingMsMin: 1_000,
  slots: 1,
  waitMsMax: 60_000,
  attemptMsMax: 15_000,
  // Twenty releases, some with most of their text, are about 200 kB.
  bytesMax: 4_000_000,
  retriesMax: 1,
  breaker: { failuresMax: 3, openMs: [60_000, 300_000, 900_000] },
};

/** The website lets requests that do not look like a browser hang until the timeout, hence the headers. */
export const nasdaqNewsPolicy: UpstreamPolicy = {
  name: "nasdaq-news",
  hosts: [NASDAQ_HOST, "nasdaq.com"],
  headers: {
    "user-agent":
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
    accept: "application/rss+xml, application/xml;q=0.9, text/xml;q=0.8",
    "accept-language": "en-US,en;q=0.9",
    "accept-encoding": "gzip, deflate",
  },
  spacingMsMin: 1_000,
  slots: 1,
  waitMsMax: 60_000,
  attemptMsMax: 15_000,
  bytesMax: 4_000_000,
  retriesMax: 1,
  breaker: { failuresMax: 3, openMs: [60_000, 300_000, 900_000] },
};
