// The price routes: each handler only hands the request to its use case.
import { Elysia } from "elysia";
import type { Period } from "../../market/time-span.ts";
import type { PriceAnswers } from "./answers.ts";
import { BARS, BULK, HISTORY, INTRADAY, INTRADAY_MULTI, LATEST, QUOTE, TODAY } from "./docs.ts";
import {
  BulkPriceDataRequest,
  HistoryQuery,
  IntradayMultiQuery,
  IntradayQuery,
  MultiQuery,
  PriceDataRequest,
  QuoteQuery,
  TickerPath,
} from "./schema.ts";

/** Default span of a GET without one. */
const DEFAULT_PERIOD: Period = "1y";

/** The routes below /price. `signalOf` gives the signal that ends when the client goes or the deadline passes. */
export function priceRoutes(answers: PriceAnswers, signalOf: (request: Request) => AbortSignal) {
  return new Elysia({ name: "price", prefix: "/price" })
    .post("/data", ({ body, request }) => answers.history(body.ticker, body, undefined, signalOf(request)), {
      body: PriceDataRequest,
      detail: HISTORY.post,
    })
    .post("/data/bulk", ({ body, request }) => answers.bulk(body.tickers, body, signalOf(request)), {
      body: BulkPriceDataRequest,
      detail: BULK,
    })
    .get("/data", ({ query, request }) => answers.bars(query, signalOf(request)), {
      query: MultiQuery,
      detail: BARS,
    })
    .get(
      "/data/:ticker",
      ({ params, query, request }) =>
        answers.history(params.ticker, query, DEFAULT_PERIOD, signalOf(request)),
      { params: TickerPath, query: HistoryQuery, detail: HISTORY.get },
    )
    .get("/latest/:ticker", ({ params, request }) => answers.latest(params.ticker, signalOf(request)), {
      params: TickerPath,
      detail: LATEST,
    })
    .get(
      "/quote/:ticker",
      ({ params, query, request }) =>
        answers.quote(params.ticker, query.use_prepost ?? true, () => signalOf(request)),
      { params: TickerPath, query: QuoteQuery, detail: QUOTE },
    )
    .get("/intraday", ({ query, request }) => answers.intradayMany(query, signalOf(request)), {
      query: IntradayMultiQuery,
      detail: INTRADAY_MULTI,
    })
    .get(
      "/intraday/:ticker",
      ({ params, query, request }) => answers.intraday(params.ticker, query, signalOf(request)),
      {
        params: TickerPath,
        query: IntradayQuery,
        detail: INTRADAY,
      },
    )
    .get("/today/:ticker", ({ params, request }) => answers.today(params.ticker, signalOf(request)), {
      params: TickerPath,
      detail: TODAY,
    });
}
