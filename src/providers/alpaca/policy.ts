// How the brokerage feed (Alpaca Market Data) may be asked: hosts, manners, pace and breaker.
import type { UpstreamPolicy } from "../../platform/upstream/policy.ts";

export const DATA_HOST = "data.alpaca.markets";

/**
 * The basic plan allows 200 requests a minute per account, routes and jobs together: one every 300 ms. An answer
 * beyond that is 429 with the second at which the count begins anew, which the breaker waits for.
 */
export const alpacaPolicy: UpstreamPolicy = {
  name: "marketfeed",
  hosts: [DATA_HOST],
  headers: { accept: "application/json", "user-agent": "Asof/1.0" },
  spacingMsMin: 300,
  pacedTogether: true,
  slots: 4,
  // 500 symbols over a year of five-minute bars are some 100 pages; the request's own deadline ends the wait.
  waitMsMax: 120_000,
  attemptMsMax: 20_000,
  // 10,000 bars of some 120 bytes.
  bytesMax: 16_000_000,
  retriesMax: 2,
  breaker: { failuresMax: 5, openMs: [5_000, 30_000, 120_000] },
};
