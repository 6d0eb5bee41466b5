// The price routes and their documentation.
import { Elysia } from "elysia";
import { MULTI_REQUEST_DEADLINE_S, PRICES_FIRST_PART_S, PRICES_WHOLE_MAX } from "../../limits.ts";
import { TickerPath } from "../../market/answer-fields.ts";
import { QuoteResponse } from "../../market/quote.ts";
import type { Period } from "../../market/time-span.ts";
import { documented } from "../../platform/route-doc.ts";
import type { PriceAnswers } from "./answer/answers.ts";
import {
  BulkPriceDataRequest,
  BulkPriceDataResponse,
  HistoryQuery,
  IntradayMultiQuery,
  IntradayQuery,
  IntradayResponse,
  LatestResponse,
  MultiBarsResponse,
  MultiQuery,
  PriceDataRequest,
  PriceDataResponse,
  QuoteQuery,
  SplitOnlyQuery,
  TodayOHLCResponse,
} from "./schema.ts";

const tag = "price";

const STORAGE =
  "Daily bars are stored once their session is settled; later requests fetch only missing days. A stored bar stays as it was first known: " +
  "a later, differing value is stored as a revision. A day whose close is null or 0 counts as missing and is fetched again. " +
  "All bars of an answer are on the same split basis.";

const history = {
  tag,
  answer: PriceDataResponse,
  answerDescription: "The series, oldest bar first.",
  errors: [
    "conflicting_time_selection",
    "invalid_date_range",
    "lookback_exceeded",
    400,
    404,
    "no_data",
    429,
    502,
    504,
  ] as const,
  deadlineS: MULTI_REQUEST_DEADLINE_S,
};

const HISTORY = {
  post: documented({
    ...history,
    summary: "Price history of one ticker, by period, dates or quarters",
    description: `Give exactly one of period, start_date with end_date, or quarters. ${STORAGE}`,
    tabular: true,
  }),
  get: documented({
    ...history,
    summary: "Price history of one ticker",
    description: `Give period or the two dates, not both; without either the answer covers one year. The period of a symbol that stopped trading is counted back from its last trade. ${STORAGE}`,
    tabular: true,
  }),
};

const BULK = documented({
  tag,
  summary: "Price history of up to 100 tickers",
  description: `One result per ticker, in the order of the request; a failed ticker does not fail the others. ${STORAGE}`,
  answer: BulkPriceDataResponse,
  answerDescription: "A result per ticker, successful or not.",
  errors: ["conflicting_time_selection", "invalid_date_range", 504],
  deadlineS: MULTI_REQUEST_DEADLINE_S,
  heavy: true,
});

const BARS = documented({
  tag,
  summary: "Price history of up to 500 tickers side by side",
  description:
    "Bars by symbol. Stored bars are served in one read; symbols that are not stored are fetched in batches of 100 at the provider's pace (about four per second), and what has been fetched stays stored even when the request ends early. " +
    `Where more than ${PRICES_WHOLE_MAX} symbols are not stored, the answer comes after ${PRICES_FIRST_PART_S} s with those fetched by then: \`not_read\` and the first of \`warnings\` (in row formats X-Warnings) name the rest, which is fetched in the background. Ask again for it, or give \`wait\`. ` +
    STORAGE,
  answer: MultiBarsResponse,
  answerDescription: "Bars by symbol; every requested symbol has a key.",
  errors: ["invalid_date_range", "no_tickers", 400, 429, 502, 504],
  tabular: true,
  deadlineS: MULTI_REQUEST_DEADLINE_S,
  heavy: true,
});

const LATEST = documented({
  tag,
  summary: "The most recent daily bar",
  description: "The bar of the running session while it is `provisional`, else the last settled one.",
  answer: LatestResponse,
  answerDescription: "One bar.",
  errors: [404, "no_data", 429, 502, 504],
});

const QUOTE = documented({
  tag,
  summary: "Latest quote with regular, pre- and post-market fields",
  description: "Cached for 10 seconds. Times are those of the trades; percentages are percent points.",
  answer: QuoteResponse,
  answerDescription: "The quote.",
  errors: [404, "no_data", 429, 502, 504],
  cached: true,
});

const INTRADAY_MULTI = documented({
  tag,
  summary: "Intraday bars of up to 500 tickers",
  description:
    "Regular hours only, delayed 15 minutes, not dividend-adjusted. Cached for 5 minutes. Look-back: 7 days for 1m, 60 for 5m to 30m, 730 for 1h; beyond it the answer is 400 lookback_exceeded.",
  answer: MultiBarsResponse,
  answerDescription: "Bars by symbol; every requested symbol has a key.",
  errors: ["lookback_exceeded", "invalid_date_range", "no_tickers", 429, 502, 504],
  tabular: true,
  cached: true,
  deadlineS: MULTI_REQUEST_DEADLINE_S,
});

const INTRADAY = documented({
  tag,
  summary: "Intraday bars of one ticker, extended hours included",
  description:
    "Delayed 15 minutes, not dividend-adjusted, not stored. Look-back: 7 days for 1m, 60 for 2m to 90m, 730 for 1h; beyond it the answer is 400 lookback_exceeded.",
  answer: IntradayResponse,
  answerDescription: "The bars, oldest first.",
  errors: ["lookback_exceeded", 404, "no_data", 429, 502, 504],
  tabular: true,
});

const TODAY = documented({
  tag,
  summary: "Open, high, low, close of the current session",
  description:
    "While the daily bar is not settled the session is aggregated from one-minute bars (`source` aggregated_1m); on exchanges other than New York's it is the daily bar as it stands. Outside trading days it is the latest session: see `date`.",
  answer: TodayOHLCResponse,
  answerDescription: "The session so far.",
  errors: [404, "no_data", 429, 502, 504],
});

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
