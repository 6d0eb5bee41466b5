// The company routes and their documentation. Each handler passes the request to its use case.
import { Elysia } from "elysia";
import { MULTI_REQUEST_DEADLINE_S } from "../../limits.ts";
import { TickerPath } from "../../market/answer-fields.ts";
import { documented } from "../../platform/route-doc.ts";
import type { CompanyAnswers } from "./answers.ts";
import { BulkCompanyRequest, BulkCompanyResponse, CompanyInfo, CompanyQuery } from "./schema.ts";

const tag = "company";

const LOOKUP =
  "The lookup goes to the cache (24 hours), then to the registry of stored records, then to the SEC and the price provider. " +
  'Every figure is as reported or null. A placeholder such as "N/A" counts as no value and is fetched again. ' +
  "When one source cannot be asked, the answer has the other source's fields and the stored ones, and `warnings` says so.";

const COMPANY = documented({
  tag,
  summary: "Company behind a ticker",
  description: `${LOOKUP} Answers 404 only when the sources say that there is no such ticker, never because one failed.`,
  answer: CompanyInfo,
  answerDescription: "The company or fund.",
  errors: [404, 429, 502, 504],
  cached: true,
});

const BULK = documented({
  tag,
  summary: "Companies behind up to 100 tickers",
  description: `One result per ticker, in the order of the request; a failed ticker does not fail the others. A ticker that is not cached takes about a quarter of a second. ${LOOKUP}`,
  answer: BulkCompanyResponse,
  answerDescription: "A result per ticker, successful or not.",
  errors: [400, 504],
  deadlineS: MULTI_REQUEST_DEADLINE_S,
});

/** The routes below /company. */
export function companyRoutes(answers: CompanyAnswers) {
  return new Elysia({ name: "company", prefix: "/company" })
    .get(
      "/:ticker",
      ({ params, query, request }) =>
        answers.one(params.ticker, query.force_refresh ?? false, request.signal),
      { params: TickerPath, query: CompanyQuery, detail: COMPANY },
    )
    .post(
      "/bulk",
      ({ body, request }) => answers.bulk(body.tickers, body.force_refresh ?? false, request.signal),
      { body: BulkCompanyRequest, detail: BULK },
    );
}
