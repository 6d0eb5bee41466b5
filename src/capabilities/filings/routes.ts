// The filing routes and their documentation. Each handler passes the request to its use case.
import { Elysia, type Static } from "elysia";
import {
  EVENTS_FIRST_PART_S,
  EVENTS_WHOLE_MAX,
  EXHIBIT_BULK_CONCURRENCY,
  EXHIBIT_BULK_DEADLINE_S,
  EXHIBIT_DEADLINE_S,
  FILING_EVENTS_SLOTS,
  FILING_EVENTS_WAIT_S,
  MULTI_REQUEST_DEADLINE_S,
  PARSE_BULK_DEADLINE_S,
} from "../../limits.ts";
import { TickerPath } from "../../market/answer-fields.ts";
import { documented } from "../../platform/route-doc.ts";
import type { DocumentAnswers } from "./documents.ts";
import type { ParseRequests } from "./parse-requests.ts";
import {
  AccessionPath,
  BulkExhibitRequest,
  BulkExhibitResponse,
  BulkParseRequest,
  BulkParseResponse,
  DocumentsQuery,
  EventsAnswer,
  EventsQuery,
  Exhibit,
  ExhibitQuery,
  FilingDocuments,
  FilingList,
  ParseResultAnswer,
  SearchFilingsQuery,
} from "./schema.ts";

const tag = "filings";
/**
 * The use case enforces its own deadline and answers with details; the edge's deadline comes this much later.
 */
const GRACE_S = 5;

const KEY_NOTE = "Needs SEC_USER_AGENT (503 not_configured); stored data is served without it.";
const PARSE_STATES =
  "A current report is pending until it is parsed: in the background after the request that indexed it, when its events are requested, or by a parse route. " +
  "Then it has succeeded, with one event per item except 9.01, or failed, with the reason. A failed report is parsed again only with force_reparse or by its accession number. " +
  "A filing whose documents could not be fetched stays pending.";

const SEARCH = documented({
  tag,
  summary: "Filings of a filer, or documents by full-text search",
  description: `With ticker or cik from the index, which is brought up to date first (at most every 5 minutes); with q from the regulator's full-text search. Newest first. For a company whose CIK changed the filings under the earlier CIK are included; for a fund the filings of its whole trust. total is null for a filer with so many filings that older ones are not indexed yet; give dates to reach them. ${KEY_NOTE}`,
  answer: FilingList,
  rows: "data",
  answerDescription: "The filings.",
  errors: [400, "invalid_date_range", 404, "no_data", 429, 502, 504, "not_configured"],
  deadlineS: MULTI_REQUEST_DEADLINE_S,
});

const DOCUMENTS = documented({
  tag,
  summary: "The documents of a filing",
  description: `The documents that the filing's page lists, with their types, followed by data files. ${KEY_NOTE}`,
  answer: FilingDocuments,
  rows: "documents",
  answerDescription: "The documents, in the filing's order.",
  errors: [404, "not_found", "no_data", 429, 502, 504, "not_configured"],
});

const EXHIBIT = documented({
  tag,
  summary: "The text of one document",
  description: `Select it by type or file name. At most 5 MB (413 exhibit_too_large) and ${EXHIBIT_DEADLINE_S} seconds (504). A document is fetched once and stored. ${KEY_NOTE}`,
  answer: Exhibit,
  answerDescription: "The text.",
  errors: [404, "not_found", "no_data", 413, "exhibit_too_large", 429, 502, 504, "not_configured"],
  deadlineS: EXHIBIT_DEADLINE_S + GRACE_S,
});

const EXHIBIT_BULK = documented({
  tag,
  summary: "The texts of up to 50 documents",
  description: `${EXHIBIT_BULK_CONCURRENCY} at once, ${EXHIBIT_BULK_DEADLINE_S} seconds in total: a document not read by then has success false and error "deadline". ${KEY_NOTE}`,
  answer: BulkExhibitResponse,
  answerDescription: "A result per item, successful or not.",
  errors: [413, 504, "not_configured"],
  deadlineS: EXHIBIT_BULK_DEADLINE_S + GRACE_S,
});

const EVENTS = documented({
  tag,
  summary: "Events of a company's current reports (8-K)",
  description: `Pending reports of the requested days are parsed first; of more than ${EVENTS_WHOLE_MAX} the newest for some ${EVENTS_FIRST_PART_S} seconds, and warnings say how many are still to be read in the background. ${FILING_EVENTS_SLOTS} such requests run at once; one that waits longer than ${FILING_EVENTS_WAIT_S} seconds is answered with 503 slot_busy. ${PARSE_STATES} ${KEY_NOTE}`,
  answer: EventsAnswer,
  rows: "data",
  answerDescription: "The events, newest filing first, within a filing by item.",
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

const PARSE_BULK = documented({
  tag,
  summary: "Parse the current reports of up to 100 tickers",
  description: `${PARSE_BULK_DEADLINE_S} seconds in total; a report not parsed by then has error "deadline" and keeps its state. ${PARSE_STATES} ${KEY_NOTE}`,
  answer: BulkParseResponse,
  answerDescription: "A result per filing, and one per ticker whose list could not be read.",
  errors: ["no_tickers", "invalid_date_range", 504, "not_configured"],
  deadlineS: PARSE_BULK_DEADLINE_S + GRACE_S,
});

const PARSE_ONE = documented({
  tag,
  summary: "Parse one current report again",
  description: `Parses the report whatever its state: it becomes pending and is parsed at once. A filing that is not indexed yet is looked up. ${PARSE_STATES} ${KEY_NOTE}`,
  answer: ParseResultAnswer,
  answerDescription: "The result; a report that cannot be parsed is an answer, not an error.",
  errors: [400, "not_found", 429, 502, 504, "not_configured"],
});

export interface FilingAnswers {
  readonly documents: DocumentAnswers;
  readonly parsing: ParseRequests;
  search(query: Static<typeof SearchFilingsQuery>, signal: AbortSignal): Promise<Static<typeof FilingList>>;
  events(
    ticker: string,
    query: Static<typeof EventsQuery>,
    signal: AbortSignal,
  ): Promise<Static<typeof EventsAnswer>>;
}

/** The routes below /filings. */
export function filingRoutes(answers: FilingAnswers) {
  const { documents, parsing } = answers;
  return new Elysia({ name: "filings", prefix: "/filings" })
    .get("/search", ({ query, request }) => answers.search(query, request.signal), {
      query: SearchFilingsQuery,
      detail: SEARCH,
    })
    .get("/documents", ({ query, request }) => documents.documents(query, request.signal), {
      query: DocumentsQuery,
      detail: DOCUMENTS,
    })
    .get("/exhibit", ({ query, request }) => documents.exhibit(query, request.signal), {
      query: ExhibitQuery,
      detail: EXHIBIT,
    })
    .post("/exhibit/bulk", ({ body, request }) => documents.bulk(body, request.signal), {
      body: BulkExhibitRequest,
      detail: EXHIBIT_BULK,
    })
    .get(
      "/events/:ticker",
      ({ params, query, request }) => answers.events(params.ticker, query, request.signal),
      { params: TickerPath, query: EventsQuery, detail: EVENTS },
    )
    .post("/events/parse/bulk", ({ body, request }) => parsing.bulk(body, request.signal), {
      body: BulkParseRequest,
      detail: PARSE_BULK,
    })
    .post(
      "/events/parse/:accession_number",
      ({ params, request }) => parsing.one(params.accession_number, request.signal),
      { params: AccessionPath, detail: PARSE_ONE },
    );
}
