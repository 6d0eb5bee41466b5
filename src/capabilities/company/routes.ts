// The company routes. Each handler passes the request to its use case.
import { Elysia } from "elysia";
import { TickerPath } from "../../market/answer-fields.ts";
import type { CompanyAnswers } from "./answers.ts";
import { BULK, COMPANY } from "./docs.ts";
import { BulkCompanyRequest, CompanyQuery } from "./schema.ts";

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
