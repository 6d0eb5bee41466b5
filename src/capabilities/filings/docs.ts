// How the filing routes document themselves.
import {
  EXHIBIT_BULK_CONCURRENCY,
  EXHIBIT_BULK_DEADLINE_S,
  EXHIBIT_DEADLINE_S,
  FILING_EVENTS_SLOTS,
  FILING_EVENTS_WAIT_S,
  MULTI_REQUEST_DEADLINE_S,
  PARSE_BULK_DEADLINE_S,
} from "../../limits.ts";
import { documented } from "../../platform/route-doc.ts";
import {
  BulkExhibitResponse,
  BulkParseResponse,
  EventsAnswer,
  Exhibit,
  FilingDocuments,
  FilingList,
  ParseResultAnswer,
} from "./schema.ts";

const tag = "filings";
/** The use case answers in time by itself and says more; the edge's limit only stands behind it. */
const GRACE_S = 5;

const NEEDS = "Needs SEC_USER_AGENT (503 not_configured); what is stored is served without it.";
const STATES =
  "A current report is pending until it is read: behind the request that indexed it, when its events are asked for, or by a parse route. " +
  "Then it is succeeded, with one event per item but 9.01, or failed, with the reason. What failed is read again only by force_reparse or by its accession number. " +
  "A filing whose documents could not be fetched stays pending.";

export const SEARCH = documented({
  tag,
  summary: "Filings of a filer, or documents by their words",
  description: `By ticker or cik from the index, which is brought up to date first (at most every 5 minutes); with q by the regulator's full-text search. Newest first. Filings of a company whose CIK changed include those under the earlier one; of a fund, those of its whole trust. total is null for a filer of so many filings that older ones are not indexed yet; dates reach them. ${NEEDS}`,
  answer: FilingList,
  answerDescription: "The filings.",
  errors: [400, "invalid_date_range", 404, "no_data", 429, 502, 504, "not_configured"],
  deadlineS: MULTI_REQUEST_DEADLINE_S,
});

export const DOCUMENTS = documented({
  tag,
  summary: "The documents of a filing",
  description: `As the filing's page lists them, with their types; data files after them. ${NEEDS}`,
  answer: FilingDocuments,
  answerDescription: "The documents, in the filing's order.",
  errors: [404, "not_found", "no_data", 429, 502, 504, "not_configured"],
});

export const EXHIBIT = documented({
  tag,
  summary: "The text of one document",
  description: `By its type or its file name. At most 5 MB (413 exhibit_too_large) and ${EXHIBIT_DEADLINE_S} seconds (504). A document is fetched once and kept. ${NEEDS}`,
  answer: Exhibit,
  answerDescription: "The text.",
  errors: [404, "not_found", "no_data", 413, "exhibit_too_large", 429, 502, 504, "not_configured"],
  deadlineS: EXHIBIT_DEADLINE_S + GRACE_S,
});

export const EXHIBIT_BULK = documented({
  tag,
  summary: "The texts of up to 50 documents",
  description: `${EXHIBIT_BULK_CONCURRENCY} at once, ${EXHIBIT_BULK_DEADLINE_S} seconds in all: what is not there then has success false and error "deadline". ${NEEDS}`,
  answer: BulkExhibitResponse,
  answerDescription: "A result per item, successful or not.",
  errors: [413, 504, "not_configured"],
  deadlineS: EXHIBIT_BULK_DEADLINE_S + GRACE_S,
});

export const EVENTS = documented({
  tag,
  summary: "Events of a company's current reports (8-K)",
  description: `Reports of the days asked that are not read yet are read first. ${FILING_EVENTS_SLOTS} such requests at once; who waits longer than ${FILING_EVENTS_WAIT_S} seconds gets 503 slot_busy. ${STATES} ${NEEDS}`,
  answer: EventsAnswer,
  answerDescription: "The events, newest filing first, within it by item.",
  errors: [
    400,
    "conflicting_time_selection",
    "invalid_date_range",
    404,
    "no_data",
    429,
    502,
    504,
    "not_configured",
    "slot_busy",
  ],
  deadlineS: MULTI_REQUEST_DEADLINE_S,
});

export const PARSE_BULK = documented({
  tag,
  summary: "Read the current reports of up to 100 tickers",
  description: `${PARSE_BULK_DEADLINE_S} seconds in all; what is not read then has error "deadline" and keeps its state. ${STATES} ${NEEDS}`,
  answer: BulkParseResponse,
  answerDescription: "A result per filing, and one per ticker whose list could not be had.",
  errors: ["no_tickers", "invalid_date_range", 504, "not_configured"],
  deadlineS: PARSE_BULK_DEADLINE_S + GRACE_S,
});

export const PARSE_ONE = documented({
  tag,
  summary: "Read one current report again",
  description: `Whatever its state: it becomes pending and is read at once. A filing that is not indexed yet is looked up. ${STATES} ${NEEDS}`,
  answer: ParseResultAnswer,
  answerDescription: "What became of it; a filing that cannot be read is an answer, not an error.",
  errors: [400, "not_found", 429, 502, 504, "not_configured"],
});
