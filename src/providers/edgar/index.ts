// EDGAR, the SEC's filing system: filers, lists of filings with the moment each became public, and the
// filings themselves.
import type { Clock } from "../../platform/clock.ts";
import type { Upstream, UpstreamHealth } from "../../platform/upstream/policy.ts";
import type { Vault } from "../../platform/vault.ts";
import { withUserAgent } from "./ask.ts";
import { type CompanyFacts, fetchCompanyFacts } from "./endpoints/company-facts.ts";
import { tickerFiles } from "./endpoints/company-tickers.ts";
import { type FeedQuery, fetchCurrentFeed } from "./endpoints/current-feed.ts";
import {
  fetchDocument,
  fetchExhibit,
  fetchFilingHeader,
  fetchFilingIndex,
  fetchNport,
  fetchSubmissionText,
} from "./endpoints/filing.ts";
import { fetchSearch } from "./endpoints/full-text-search.ts";
import { fetchFundReport, fetchSeriesReports } from "./endpoints/fund-reports.ts";
import { fetchDailyIndex, fetchFullIndex } from "./endpoints/index-files.ts";
import { fetchInsiderDataSet } from "./endpoints/insider-data-set.ts";
import { fetchBeneficial, fetchOwnership } from "./endpoints/ownership.ts";
import { fetchCashFlowElements } from "./endpoints/rendered-statement.ts";
import { fetchOlderFilings, fetchSubmissions } from "./endpoints/submissions.ts";
import type { NportRead, SeriesFiling } from "./nport-records.ts";
import type { BeneficialRead, InsiderDataSetFile, OwnershipRead } from "./ownership-records.ts";
import type {
  DocumentOptions,
  FeedPage,
  FetchedDocument,
  FilingHeader,
  FilingIndex,
  FilingRef,
  FilingRow,
  FundTickerRow,
  IndexFile,
  ListedTickerRow,
  OlderPage,
  SearchPage,
  SearchQuery,
  Submissions,
  SubmissionText,
  TickerRow,
  Validators,
} from "./records.ts";

export type { Acceptance, AcceptancePrecision, AcceptanceSource } from "./acceptance.ts";
export { accessionNumber, cikOf, isFileName, readAccession, readCik } from "./accession.ts";
export { fileUrl, folderUrl, indexPageUrl } from "./address.ts";
export { classifyEdgar } from "./classify.ts";
export type { CompanyFacts } from "./endpoints/company-facts.ts";
export { FEED_COUNT_MAX, FEED_START_MAX, type FeedQuery } from "./endpoints/current-feed.ts";
export { readInsiderDataSet } from "./insider-data-set.ts";
export type * from "./nport-records.ts";
export type * from "./ownership-records.ts";
export { isUnread } from "./ownership-records.ts";
export { type EightKItem, parseEightK } from "./parse/documents/eightk.ts";
export {
  bodyDocument,
  EVENTS_READING,
  parseEightKFiling,
  pressRelease,
} from "./parse/documents/eightk-events.ts";
export { compareItems, itemEra, itemOfTitle, itemTitle, modernItem } from "./parse/documents/eightk-items.ts";
export {
  decodeFiling,
  ParseBudget,
  ParseFailed,
  splitSubmission,
  toPlainText,
} from "./parse/documents/filing-text.ts";
export { normaliseEx27, SCHEDULES_READING } from "./parse/ex27/ex27.ts";
export { coverageOf } from "./parse/facts/coverage.ts";
export { FACTS_READING, normaliseFacts } from "./parse/facts/facts.ts";
export { COVER_SHARES } from "./parse/facts/line.ts";
export { lineKind, linesNotInIfrs } from "./parse/facts/lines.ts";
export {
  dateOfDay,
  FiscalCalendar,
  isMonthBoundary,
  monthsOfDays,
  readDayNumber,
} from "./parse/facts/period.ts";
export * from "./parse/facts/records.ts";
export { agree, isAnnualForm, isTransitionForm, knownAt, roundingOf, tierOf } from "./parse/facts/vintage.ts";
export { parseNport } from "./parse/funds/nport.ts";
export { readHeader } from "./parse/header.ts";
export { readIndexFile } from "./parse/index-file.ts";
export { parseBeneficial } from "./parse/ownership/beneficial.ts";
export { parseOwnershipXml } from "./parse/ownership/ownership.ts";
export { edgarPolicy } from "./policy.ts";
export { predecessorsOf } from "./predecessors.ts";
export type * from "./records.ts";
export { vaultFolder } from "./vaulted.ts";

export interface EdgarDeps {
  /**
   * Made with `edgarPolicy` and `classifyEdgar`. ONE per process, since EDGAR counts all requests of a user
   * together.
   */
  readonly upstream: Upstream;
  readonly vault: Vault;
  readonly clock: Clock;
  /** SEC_USER_AGENT, "Company contact@example.com"; null: every call throws NotConfigured. */
  readonly userAgent: string | null;
}

/**
 * The provider. In addition to the errors named below, every call throws NotConfigured (no SEC_USER_AGENT),
 * UpstreamFailed, UpstreamRateLimited (EDGAR's ten minutes), UpstreamTimeout and Busy, and InvalidRequest for
 * an impossible CIK, accession number or file name. Null and NotFound mean that EDGAR itself reported that
 * the thing does not exist; an outage is never reported that way.
 */
export interface Edgar {
  /**
   * Every ticker that EDGAR lists today, by size of the company. Delisted and renamed tickers are missing.
   */
  tickers(signal?: AbortSignal): Promise<readonly TickerRow[]>;
  /** Every ticker that EDGAR lists today, with its exchange. */
  listedTickers(signal?: AbortSignal): Promise<readonly ListedTickerRow[]>;
  /** Share classes of funds and ETFs. */
  fundTickers(signal?: AbortSignal): Promise<readonly FundTickerRow[]>;
  /** An entity and its newest filings; null when EDGAR has no such CIK. */
  submissions(cik: string, signal?: AbortSignal): Promise<Submissions | null>;
  /** The filings of one of its `older_pages`. Some may also be among the newest filings. */
  olderFilings(
    cik: string,
    page: Pick<OlderPage, "name">,
    signal?: AbortSignal,
  ): Promise<readonly FilingRow[]>;
  /**
   * All filings of a day; null when not published (weekend, holiday, today before about 22:15 in New York).
   */
  dailyIndex(date: string, known?: Validators, signal?: AbortSignal): Promise<IndexFile | "unchanged" | null>;
  /** All filings of a quarter since 1993; "unchanged" only when `known` was given. */
  fullIndex(
    year: number,
    quarter: number,
    known?: Validators,
    signal?: AbortSignal,
  ): Promise<IndexFile | "unchanged" | null>;
  /** The newest filings of about two days. */
  currentFeed(query?: FeedQuery, signal?: AbortSignal): Promise<FeedPage>;
  /**
   * The detail page, or the same from the whole submission: documents with types, items, acceptance. Throws
   * NotFound.
   */
  filingIndex(ref: FilingRef, options?: DocumentOptions): Promise<FilingIndex>;
  /** The header: acceptance, items, parties. Throws NotFound. */
  filingHeader(ref: FilingRef, options?: DocumentOptions): Promise<FilingHeader>;
  /**
   * A file of the filing, 5 MB and 25 s at most by default. Throws NotFound, InvalidRequest
   * `exhibit_too_large`.
   */
  document(ref: FilingRef, filename: string, options?: DocumentOptions): Promise<FetchedDocument>;
  /**
   * The first document of a type ("EX-99.1", "EX-27"); before 2001 cut out of the whole submission. Throws as
   * document.
   */
  exhibit(ref: FilingRef, type: string, options?: DocumentOptions): Promise<FetchedDocument>;
  /** Header and all documents in one file, 64 MB at most by default. Throws as document. */
  submissionText(ref: FilingRef, options?: DocumentOptions): Promise<SubmissionText>;
  /** primary_doc.xml of an NPORT-P, 200 MB at most by default. Throws as document. */
  nport(ref: FilingRef, options?: DocumentOptions): Promise<FetchedDocument>;
  /** The public reports of holdings of a fund's series, with amendments, newest first. */
  seriesReports(seriesId: string, signal?: AbortSignal): Promise<readonly SeriesFiling[]>;
  /**
   * A report of holdings (NPORT-P); `read.failed` when unreadable. Later calls use the vault. Throws as
   * document.
   */
  fundReport(ref: FilingRef, options?: DocumentOptions): Promise<NportRead>;
  /**
   * A Form 3, 4 or 5; `read.failed` when unreadable. One request, then the vault. Throws as submissionText.
   */
  ownership(ref: FilingRef, options?: DocumentOptions): Promise<OwnershipRead>;
  /** A Schedule 13D or 13G, structured or not. Otherwise like `ownership`. */
  beneficial(ref: FilingRef, options?: DocumentOptions): Promise<BeneficialRead>;
  /** Forms 3, 4, 5 of a quarter since 2006 in one zip, for `readInsiderDataSet`; null when not published. */
  insiderDataSet(year: number, quarter: number, signal?: AbortSignal): Promise<InsiderDataSetFile | null>;
  /** All XBRL facts of an entity as bytes; null when EDGAR has none. */
  companyFacts(cik: string, signal?: AbortSignal): Promise<CompanyFacts | null>;
  /**
   * The elements of the lines of a filing's statement of cash flows (`us-gaap_ProfitLoss`); null when EDGAR
   * renders none.
   */
  cashFlowElements(ref: FilingRef, options?: DocumentOptions): Promise<readonly string[] | null>;
  /** Full-text search since 2001, 100 hits a page, 10,000 deep. */
  search(query: SearchQuery, signal?: AbortSignal): Promise<SearchPage>;
  health(): UpstreamHealth;
}

export function edgar({ upstream: anonymous, vault, clock, userAgent }: EdgarDeps): Edgar {
  const upstream = withUserAgent(anonymous, userAgent);
  const deps = { upstream, vault, clock };
  return {
    ...tickerFiles(upstream),
    submissions: (cik, signal) => fetchSubmissions(upstream, cik, signal),
    olderFilings: (cik, page, signal) => fetchOlderFilings(upstream, cik, page, signal),
    dailyIndex: (date, known, signal) => fetchDailyIndex(upstream, date, known, signal),
    fullIndex: (year, quarter, known, signal) => fetchFullIndex(upstream, year, quarter, known, signal),
    currentFeed: (query = {}, signal) => fetchCurrentFeed(upstream, query, signal),
    filingIndex: (ref, options) => fetchFilingIndex(deps, ref, options),
    filingHeader: (ref, options) => fetchFilingHeader(deps, ref, options),
    document: (ref, filename, options) => fetchDocument(deps, ref, filename, options),
    exhibit: (ref, type, options) => fetchExhibit(deps, ref, type, options),
    submissionText: (ref, options) => fetchSubmissionText(deps, ref, options),
    nport: (ref, options) => fetchNport(deps, ref, options),
    seriesReports: (seriesId, signal) => fetchSeriesReports(upstream, seriesId, signal),
    fundReport: (ref, options) => fetchFundReport(deps, ref, options),
    ownership: (ref, options) => fetchOwnership(deps, ref, options),
    beneficial: (ref, options) => fetchBeneficial(deps, ref, options),
    insiderDataSet: (year, quarter, signal) => fetchInsiderDataSet(upstream, year, quarter, signal),
    companyFacts: (cik, signal) => fetchCompanyFacts(upstream, cik, signal),
    cashFlowElements: (ref, options) => fetchCashFlowElements(deps, ref, options),
    search: (query, signal) => fetchSearch(upstream, query, signal),
    health: () => upstream.health(),
  };
}
