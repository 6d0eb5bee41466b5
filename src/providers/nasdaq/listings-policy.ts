// Request policy for Nasdaq's lists of securities: the symbol directory, and the stock screener's download.
import type { UpstreamPolicy } from "../../platform/upstream/policy.ts";
import { BROWSER_HEADERS } from "./policy.ts";

/** The symbol directory: official text files, no headers needed. */
export const DIRECTORY_HOST = "www.nasdaqtrader.com";
/** The screener of the website: unofficial. */
export const SCREENER_HOST = "api.nasdaq.com";

/**
 * Five requests in all, once a day. The screener never answers requests without a browser's headers. Its
 * download of one exchange is about 1.5 MB and takes seconds, hence the long attempt.
 */
export const listingsPolicy: UpstreamPolicy = {
  name: "nasdaq-listings",
  hosts: [DIRECTORY_HOST, SCREENER_HOST],
  headers: BROWSER_HEADERS,
  spacingMsMin: 1_000,
  slots: 1,
  waitMsMax: 120_000,
  attemptMsMax: 60_000,
  bytesMax: 32_000_000,
  retriesMax: 2,
  breaker: { failuresMax: 5, openMs: [60_000, 300_000, 900_000] },
};
