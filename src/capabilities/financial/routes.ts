// The financial routes. Each handler passes the request to its use case.
import { Elysia } from "elysia";
import { TickerPath } from "../../market/answer-fields.ts";
import type { Period } from "../../market/time-span.ts";
import type { FinancialAnswers } from "./answers.ts";
import { BULK, DATA } from "./docs.ts";
import { BulkFinancialDataRequest, FinancialDataRequest, FinancialQuery } from "./schema.ts";

/** Span of a GET that selects none. */
const DEFAULT_PERIOD: Period = "max";

/** The routes below /financial. */
export function financialRoutes(answers: FinancialAnswers) {
  return new Elysia({ name: "financial", prefix: "/financial" })
    .post("/data", ({ body, request }) => answers.one(body.ticker, body, undefined, request.signal), {
      body: FinancialDataRequest,
      detail: DATA.post,
    })
    .post("/data/bulk", ({ body, request }) => answers.bulk(body.tickers, body, request.signal), {
      body: BulkFinancialDataRequest,
      detail: BULK,
    })
    .get(
      "/data/:ticker",
      ({ params, query, request }) => answers.tabular(params.ticker, query, DEFAULT_PERIOD, request.signal),
      { params: TickerPath, query: FinancialQuery, detail: DATA.get },
    );
}
