// The earnings routes; each handler passes the request to its use case.
import { Elysia } from "elysia";
import { TickerPath } from "../../market/answer-fields.ts";
import type { EarningsAnswers } from "./answers.ts";
import { BULK, CALENDAR, MARKET, SURPRISE } from "./docs.ts";
import { BulkCalendarRequest, CalendarQuery, MarketQuery, SurpriseQuery, SymbolPath } from "./schema.ts";

/** The routes below /earnings. */
export function earningsRoutes(answers: EarningsAnswers) {
  return new Elysia({ name: "earnings", prefix: "/earnings" })
    .get(
      "/surprise/:symbol",
      ({ params, query, request }) => answers.surprise(params.symbol, query, request.signal),
      { params: SymbolPath, query: SurpriseQuery, detail: SURPRISE },
    )
    .get("/calendar", ({ query, request }) => answers.market(query, request.signal), {
      query: MarketQuery,
      detail: MARKET,
    })
    .post("/calendar/bulk", ({ body, request }) => answers.bulk(body.tickers, body, request.signal), {
      body: BulkCalendarRequest,
      detail: BULK,
    })
    .get(
      "/calendar/:ticker",
      ({ params, query, request }) => answers.calendar(params.ticker, query, request.signal),
      { params: TickerPath, query: CalendarQuery, detail: CALENDAR },
    );
}
