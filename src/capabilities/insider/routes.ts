// The insider routes: each handler passes the request to its use case.
import { Elysia } from "elysia";
import { TickerPath } from "../../market/answer-fields.ts";
import type { InsiderAnswers } from "./answers.ts";
import { AGGREGATE, BY_DATE, FORM4, SUMMARY, TRANSACTIONS } from "./docs.ts";
import {
  AggregateQuery,
  ByDateQuery,
  DatePath,
  Form4Query,
  SummaryQuery,
  SymbolPath,
  TransactionsQuery,
} from "./schema.ts";

/** The routes below /insider. Static segments win over {ticker}. */
export function insiderRoutes(answers: InsiderAnswers) {
  return new Elysia({ name: "insider", prefix: "/insider" })
    .get(
      "/transactions/:symbol",
      ({ params, query, request }) => answers.transactions(params.symbol, query, request.signal),
      { params: SymbolPath, query: TransactionsQuery, detail: TRANSACTIONS },
    )
    .get(
      "/summary/:symbol",
      ({ params, query, request }) => answers.summary(params.symbol, query.as_of, request.signal),
      { params: SymbolPath, query: SummaryQuery, detail: SUMMARY },
    )
    .get(
      "/form4/by-date/:date",
      ({ params, query, request }) => answers.byDate(params.date, query, request.signal),
      { params: DatePath, query: ByDateQuery, detail: BY_DATE },
    )
    .get(
      "/form4/aggregate/:ticker",
      ({ params, query, request }) => answers.aggregate(params.ticker, query, request.signal),
      { params: TickerPath, query: AggregateQuery, detail: AGGREGATE },
    )
    .get(
      "/form4/:ticker",
      ({ params, query, request }) => answers.form4(params.ticker, query, request.signal),
      {
        params: TickerPath,
        query: Form4Query,
        detail: FORM4,
      },
    );
}
