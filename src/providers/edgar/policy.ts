// EDGAR's request policy: hosts, the pace over all hosts together, and the pauses after failures.
import type { UpstreamPolicy } from "../../platform/upstream/policy.ts";

/** Tickers, filings, index files and the current feed. */
export const FILES_HOST = "www.sec.gov";
/** Submissions and XBRL facts. */
export const DATA_HOST = "data.sec.gov";
/** Full-text search. */
export const SEARCH_HOST = "efts.sec.gov";

/**
 * EDGAR allows a user 10 requests a second over all machines and hosts. It blocks a user that sends more for
 * ten minutes, and each further request restarts them. So the pace is 8 a second over the three hosts
 * together, and no probe is sent before the ten minutes are over (see classify.ts).
 * ask.ts adds the User-Agent with a contact address to each request; without one EDGAR refuses.
 */
export const edgarPolicy: UpstreamPolicy = {
  name: "edgar",
  hosts: [FILES_HOST, DATA_HOST, SEARCH_HOST],
  headers: { accept: "*/*", "accept-encoding": "gzip, deflate" },
  spacingMsMin: 125,
  pacedTogether: true,
  // At 8 requests a second, answers of half a second occupy four slots. The others are for slow, large
  // answers.
  slots: 6,
  waitMsMax: 240_000,
  attemptMsMax: 30_000,
  // Requests for index files and whole submissions set a higher limit. Everything else is smaller.
  bytesMax: 32_000_000,
  retriesMax: 2,
  breaker: { failuresMax: 8, openMs: [30_000, 120_000, 600_000] },
};
