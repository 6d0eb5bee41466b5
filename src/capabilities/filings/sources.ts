// The sources that the filings capability needs, as types: the regulator's files, and the filer behind a
// ticker.
import type { ResolveHolder } from "../../market/issuer.ts";
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

/** Finds the filer that had a ticker at a moment. */
export type ResolveFiler = ResolveHolder<"cik" | "warnings">;

/** For errors in work that no caller waits for. */
export type FilingsLog = Pick<Log, "info" | "warn" | "error">;
