// The price routes.
import { Elysia } from "elysia";
import { TickerPath } from "../../market/answer-fields.ts";
import type { Period } from "../../market/time-span.ts";
import type { PriceAnswers } from "./answer/answers.ts";
import { BARS, BULK, HISTORY, INTRADAY, INTRADAY_MULTI, LATEST, QUOTE, TODAY } from "./docs.ts";
import { QuoteQuery } from "./quote-schema.ts";
import {
  BulkPriceDataRequest,
  HistoryQuery,
  IntradayMultiQuery,
  IntradayQuery,
  MultiQuery,
  PriceDataRequest,
  SplitOnlyQuery,
} from "./schema.ts";

/** Span of a GET that gives none. */
const DEFAULT_PERIOD: Period = "1y";

/** The routes below /price. */
export function priceRoutes(answers: PriceAnswers) {
  return new Elysia({ name: "price", prefix: "/price" })
    .post("/data", ({ body, request }) => answers.history(body.ticker, body, undefined, request.signal), {
      body: PriceDataRequest,
      detail: HISTORY.post,
    })
    .post("/data/bulk", ({ body, request }) => answers.bulk(body.tickers, body, request.signal), {
      body: BulkPriceDataRequest,
      detail: BULK,
    })
    .get("/data", ({ query, request }) => answers.bars(query, request.signal), {
      query: MultiQuery,
      detail: BARS,
    })
    .get(
      "/data/:ticker",
      ({ params, query, request }) => answers.history(params.ticker, query, DEFAULT_PERIOD, request.signal),
      { params: TickerPath, query: HistoryQuery, detail: HISTORY.get },
    )
    .get("/latest/:ticker", ({ params, request }) => answers.latest(params.ticker, request.signal), {
      params: TickerPath,
      query: SplitOnlyQuery,
      detail: LATEST,
    })
    .get(
      "/quote/:ticker",
      ({ params, query, request }) =>
        answers.quote(params.ticker, query.use_prepost ?? true, () => request.signal),
      { params: TickerPath, query: QuoteQuery, detail: QUOTE },
    )
    .get("/intraday", ({ query, request }) => answers.intradayMany(query, request.signal), {
      query: IntradayMultiQuery,
      detail: INTRADAY_MULTI,
    })
    .get(
      "/intraday/:ticker",
      ({ params, query, request }) => answers.intraday(params.ticker, query, request.signal),
      {
        params: TickerPath,
        query: IntradayQuery,
        detail: INTRADAY,
      },
    )
    .get("/today/:ticker", ({ params, request }) => answers.today(params.ticker, request.signal), {
      params: TickerPath,
      query: SplitOnlyQuery,
      detail: TODAY,
    });
}
