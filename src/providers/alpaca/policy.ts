// Request policy for the brokerage feed (Alpaca Market Data): hosts, headers, pace and breaker.
import type { UpstreamPolicy } from "../../platform/upstream/policy.ts";

export const DATA_HOST = "data.alpaca.markets";

/**
 * The basic plan allows 200 requests a minute per account, one every 300 ms, shared by routes and jobs.
 * Beyond that the feed answers 429 with the time at which its count resets; the breaker stays open until
 * then.
 */
export const alpacaPolicy: UpstreamPolicy = {
  name: "marketfeed",
  hosts: [DATA_HOST],
  headers: { accept: "application/json", "user-agent": "Asof/1.0" },
  spacingMsMin: 300,
  pacedTogether: true,
  slots: 4,
  // 500 symbols over a year of five-minute bars are about 100 pages; the request's own deadline limits the
  // wait.
  waitMsMax: 120_000,
  attemptMsMax: 20_000,
  // 10,000 bars of about 120 bytes, with room to spare.
  bytesMax: 16_000_000,
  retriesMax: 2,
  breaker: { failuresMax: 5, openMs: [5_000, 30_000, 120_000] },
};
