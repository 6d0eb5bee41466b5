// How Nasdaq's calendars and histories may be asked. Its lists of securities have a policy of their own.
import type { UpstreamPolicy } from "../../platform/upstream/policy.ts";

export const API_HOST = "api.nasdaq.com";

/**
 * The API is that of Nasdaq's own pages and publishes no limit: half a second between requests is what careful readers
 * keep. It serves what looks like a browser and lets all else hang until the time-out, hence the headers; some
 * encodings beside gzip are cut short there.
 */
export const nasdaqPolicy: UpstreamPolicy = {
  name: "nasdaq",
  hosts: [API_HOST],
  headers: {
    "user-agent":
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
    accept: "application/json, text/plain, */*",
    "accept-language": "en-US,en;q=0.9",
    "accept-encoding": "gzip, deflate",
    origin: "https://www.nasdaq.com",
    referer: "https://www.nasdaq.com/",
  },
  spacingMsMin: 500,
  slots: 2,
  // A hundred cold tickers of a bulk request take 50 s at this pace; its own deadline ends the wait earlier.
  waitMsMax: 240_000,
  attemptMsMax: 10_000,
  // The largest answer is the calendar of a busy day, some 200 kB.
  bytesMax: 8_000_000,
  retriesMax: 1,
  breaker: { failuresMax: 5, openMs: [60_000, 300_000, 900_000] },
};
