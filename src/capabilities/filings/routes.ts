// The filing routes. Each handler passes the request to its use case.
import { Elysia, type Static } from "elysia";
import { TickerPath } from "../../market/answer-fields.ts";
import { DOCUMENTS, EVENTS, EXHIBIT, EXHIBIT_BULK, PARSE_BULK, PARSE_ONE, SEARCH } from "./docs.ts";
import type { DocumentAnswers } from "./documents.ts";
import type { ParseRequests } from "./parse-requests.ts";
import {
  AccessionPath,
  BulkExhibitRequest,
  BulkParseRequest,
  DocumentsQuery,
  type EventsAnswer,
  EventsQuery,
  ExhibitQuery,
  type FilingList,
  SearchFilingsQuery,
} from "./schema.ts";

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
