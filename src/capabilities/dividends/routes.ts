// The dividend routes: each handler only hands the request to its use case.
import { Elysia } from "elysia";
import type { DividendAnswers } from "./answers.ts";
import { BULK, CALENDAR } from "./docs.ts";
import { BulkDividendRequest, DividendQuery, TickerPath } from "./schema.ts";

/** The routes below /dividends. */
export function dividendRoutes(answers: DividendAnswers) {
  return new Elysia({ name: "dividends", prefix: "/dividends/calendar" })
    .post("/bulk", ({ body, request }) => answers.bulk(body.tickers, body, request.signal), {
      body: BulkDividendRequest,
      detail: BULK,
    })
    .get("/:ticker", ({ params, query, request }) => answers.one(params.ticker, query, request.signal), {
      params: TickerPath,
      query: DividendQuery,
      detail: CALENDAR,
    });
}
