// EDGAR, the regulator's filing system: who files, what was filed and when it became public, and the filings themselves.
import type { Clock } from "../../platform/clock.ts";
import type { Upstream, UpstreamHealth } from "../../platform/upstream-policy.ts";
import type { Vault } from "../../platform/vault.ts";
import type {
  FeedPage,
  FetchedDocument,
  FilingHeader,
  FilingIndex,
  FilingRef,
  FundTickerRow,
  IndexFile,
  ListedTickerRow,
  Receipted,
  SearchPage,
  SearchQuery,
  SubmissionText,
  Submissions,
  FilingRow,
  OlderPage,
  TickerRow,
  Validators,
} from "./records.ts";

export interface EdgarNeeds {
  /** Made with `edgarPolicy` and `classifyEdgar`: ONE for the process, EDGAR counts all requests of a user together. */
  readonly upstream: Upstream;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly log: EdgarLog;
  /** SEC_USER_AGENT, "Company contact@example.com"; null: every call throws NotConfigured. */
  readonly userAgent: string | null;
}

export interface EdgarLog {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

export interface DocumentOptions {
  /** Decoded bytes at most; default EXHIBIT_BYTES_MAX. Beyond it: InvalidRequest `exhibit_too_large`. */
  readonly bytesMax?: number;
  /** Default EXHIBIT_DEADLINE_S. Beyond it: UpstreamTimeout. */
  readonly deadlineMs?: number;
  /** Asks EDGAR although the vault has it. */
  readonly refresh?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface Edgar {
  tickers(signal?: AbortSignal): Promise<readonly TickerRow[]>;
  listedTickers(signal?: AbortSignal): Promise<readonly ListedTickerRow[]>;
  fundTickers(signal?: AbortSignal): Promise<readonly FundTickerRow[]>;
  submissions(cik: string, signal?: AbortSignal): Promise<Submissions>;
  olderFilings(cik: string, page: OlderPage, signal?: AbortSignal): Promise<readonly FilingRow[]>;
  /** Null: not published (weekend, holiday, before about 22:00 in New York). "unchanged" only when `known` was given. */
  dailyIndex(date: string, known?: Validators, signal?: AbortSignal): Promise<IndexFile | "unchanged" | null>;
  fullIndex(year: number, quarter: 1 | 2 | 3 | 4, known?: Validators, signal?: AbortSignal): Promise<IndexFile | "unchanged" | null>;
  currentFeed(query: { form_type?: string; start?: number; count?: number }, signal?: AbortSignal): Promise<FeedPage>;
  filingIndex(ref: FilingRef, options?: DocumentOptions): Promise<FilingIndex>;
  filingHeader(ref: FilingRef, options?: DocumentOptions): Promise<FilingHeader>;
  document(ref: FilingRef, filename: string, options?: DocumentOptions): Promise<FetchedDocument>;
  exhibit(ref: FilingRef, type: string, options?: DocumentOptions): Promise<FetchedDocument>;
  submissionText(ref: FilingRef, options?: DocumentOptions): Promise<SubmissionText>;
  companyFacts(cik: string, signal?: AbortSignal): Promise<Receipted>;
  search(query: SearchQuery, signal?: AbortSignal): Promise<SearchPage>;
  health(): UpstreamHealth;
}
