// Request policy for Nasdaq's calendars and histories. Its lists of securities have a policy of their own.
import type { UpstreamPolicy } from "../../platform/upstream/policy.ts";

export const API_HOST = "api.nasdaq.com";

export const BROWSER_HEADERS = {
  "user-agent":
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
  accept: "application/json, text/plain, */*",
  "accept-language": "en-US,en;q=0.9",
  "accept-encoding": "gzip, deflate",
  origin: "https://www.nasdaq.com",
  referer: "https://www.nasdaq.com/",
};

/**
 * The API serves Nasdaq's own pages and publishes no limit; careful clients leave half a second between
 * requests. It answers only requests that look like a browser and lets others hang until the timeout, hence
 * the headers. Encodings other than gzip are sometimes truncated there.
 */
export const nasdaqPolicy: UpstreamPolicy = {
  name: "nasdaq",
  hosts: [API_HOST],
  headers: BROWSER_HEADERS,
  spacingMsMin: 500,
  slots: 2,
  // A hundred uncached tickers of a bulk request take 50 s at this pace; the request's own deadline ends the
  // wait earlier.
  waitMsMax: 240_000,
  attemptMsMax: 10_000,
  // The largest answer is the calendar of a busy day, about 200 kB.
  bytesMax: 8_000_000,
  retriesMax: 1,
  breaker: { failuresMax: 5, openMs: [60_000, 300_000, 900_000] },
};
