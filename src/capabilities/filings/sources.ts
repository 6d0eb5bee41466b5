// What the filings capability needs of the outside, in its own words: the regulator's files, and who files under a ticker.
import type { Edgar } from "../../providers/edgar/index.ts";

/** The part of the regulator's face that filings are made of. */
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
 * Who files under a ticker in any spelling: ten digits. Throws NotFound `unknown_ticker` when there is no such ticker;
 * an outage, or a missing setting, is never that: those throw UpstreamFailed, UpstreamRateLimited, UpstreamTimeout or
 * NotConfigured.
 */
export type ResolveFiler = (ticker: string, signal?: AbortSignal) => Promise<{ readonly cik: string }>;

/** Where faults go that no caller waits for. */
export interface FilingsLog {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}
