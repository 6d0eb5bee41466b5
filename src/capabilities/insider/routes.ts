// The insider routes and their documentation: each handler passes the request to its use case.
import { Elysia } from "elysia";
import { INSIDER_FETCH_DAYS, MULTI_REQUEST_DEADLINE_S } from "../../limits.ts";
import { TickerPath } from "../../market/answer-fields.ts";
import { documented } from "../../platform/route-doc.ts";
import type { InsiderAnswers } from "./answers.ts";
import {
  AggregateAnswer,
  AggregateQuery,
  ByDateAnswer,
  ByDateQuery,
  DatePath,
  Form4Answer,
  Form4Query,
  SummaryAnswer,
  SummaryQuery,
  SymbolPath,
  TransactionsAnswer,
  TransactionsQuery,
} from "./schema.ts";

const tag = "insider";
const errors = [404, "no_data", 429, 502, 504, "not_configured"] as const;
const deadlineS = MULTI_REQUEST_DEADLINE_S;

const VISIBLE =
  "Trades of Forms 3, 4 and 5, visible from the SEC's acceptance of the filing. A trade is one row, however many owners report it, on one form or on several. " +
  "From its acceptance, an amendment replaces the lines it amends; an earlier as_of shows the original. ";
const AS_FILED =
  "Shares are as filed and never adjusted for splits: over a span with a split, sums of shares add shares from before and after it. Sums in dollars are not affected. ";
const TABLE_ONE =
  "Figures cover shares (Table I of the form); trades of derivatives (Table II) are counted in `derivative_count` alone. ";
const FETCHED = `The filings of the window that are not stored, and at least those of ${INSIDER_FETCH_DAYS} days, are fetched from the SEC first, some eight per second (\`metadata.auto_fetched\`). Later calls fetch only new filings. What cannot be read in time is in \`metadata.pending_count\`, \`data_from\` begins after it, and \`warnings\` says so: the next call reads on. If the SEC fails, stored filings are served and \`warnings\` says so. Needs SEC_USER_AGENT (503 not_configured).`;

const TRANSACTIONS = documented({
  tag,
  summary: "Insiders' trades in a company",
  description: VISIBLE + FETCHED,
  answer: TransactionsAnswer,
  rows: "data",
  answerDescription: "The trades, newest filing first.",
  errors,
  deadlineS,
});

const SUMMARY = documented({
  tag,
  summary: "Open-market purchases and sales over 3, 6 and 12 months",
  description: `Purchases are code P, sales code S. Trades are selected by the day of the trade. ${TABLE_ONE}${AS_FILED}${VISIBLE}${FETCHED}`,
  answer: SummaryAnswer,
  answerDescription: "The figures of each window.",
  errors,
  deadlineS,
});

const FORM4 = documented({
  tag,
  summary: "Insiders' trades in a company as known at a moment",
  description: `buy_only=true keeps open-market purchases, code P. ${VISIBLE}${FETCHED}`,
  answer: Form4Answer,
  rows: "data",
  answerDescription: "The trades, newest filing first.",
  errors,
  deadlineS,
});

const BY_DATE = documented({
  tag,
  summary: "Insiders' trades filed on a day, all companies",
  description: `${VISIBLE}A day that is not stored yet is fetched first. The answer comes after some 10 s with what is read by then; \`pending_count\` says how many filings are still being read in the background, and \`Retry-After\` when to ask again. 404 no_data while the SEC's index of the day is not published (about 22:15 in New York).`,
  answer: ByDateAnswer,
  rows: "data",
  answerDescription: "The trades, newest filing first.",
  errors,
  deadlineS,
});

const AGGREGATE = documented({
  tag,
  summary: "Figures of insider buying",
  description: `All figures cover the same trades: with buy_only (the default) only code P. ${TABLE_ONE}No figure is a sum of shares: shares of single trades, and shares held before and after, are as filed and never adjusted for splits. Percentages are computed within one filing. ${VISIBLE}${FETCHED}`,
  answer: AggregateAnswer,
  answerDescription: "The figures.",
  errors,
  deadlineS,
});

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
