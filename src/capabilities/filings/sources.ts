// What the filings capability needs from outside, as types: the regulator's files, and the filer behind a ticker.
import type { Log } from "../../platform/log.ts";
import type { Edgar } from "../../providers/edgar/index.ts";

/** The part of the regulator's interface that filings need. */
export type FilingSource = Pick<
  Edgar,
  | "submissions"
  | "olderFilings"
  | "dailyIndex"
  | "filingIndex"
  | "document"
  | "exhibit"
  | "submissionText"
  | "search"
>;

/**
 * Finds the filer behind a ticker in any spelling; `cik` has ten digits. Throws NotFound `unknown_ticker` only when there
 * is no such ticker, UpstreamFailed, UpstreamRateLimited, UpstreamTimeout or NotConfigured when that cannot be found out.
 */
export type ResolveFiler = (ticker: string, signal?: AbortSignal) => Promise<{ readonly cik: string }>;

/** For errors in work that no caller waits for. */
export type FilingsLog = Pick<Log, "info" | "warn" | "error">;
