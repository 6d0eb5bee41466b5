// How EDGAR may be asked: hosts, pace over all of them together, and how long it is left alone when it says so.
import type { UpstreamPolicy } from "../../platform/upstream/policy.ts";

/** Tickers, filings, index files and the current feed. */
export const FILES_HOST = "www.sec.gov";
/** Submissions and XBRL facts. */
export const DATA_HOST = "data.sec.gov";
/** Full-text search. */
export const SEARCH_HOST = "efts.sec.gov";

/**
 * EDGAR allows 10 requests a second to one user over all machines and hosts, and blocks for ten minutes, counted
 * anew from each further request, who asks more: hence 8, over the three hosts together, and no probe before the
 * ten minutes are over (classify.ts says how long).
 * The User-Agent with a contact address is added to each request (ask.ts): without one EDGAR refuses.
 */
export const edgarPolicy: UpstreamPolicy = {
  name: "edgar",
  hosts: [FILES_HOST, DATA_HOST, SEARCH_HOST],
  headers: { accept: "*/*", "accept-encoding": "gzip, deflate" },
  spacingMsMin: 125,
  pacedTogether: true,
  // At 8 a second an answer of half a second needs four places; the rest is for slow, large ones.
  slots: 6,
  waitMsMax: 240_000,
  attemptMsMax: 30_000,
  // Index files and whole submissions say more themselves; everything else stays below this.
  bytesMax: 32_000_000,
  retriesMax: 2,
  breaker: { failuresMax: 8, openMs: [30_000, 120_000, 600_000] },
};
