// How the insider routes document themselves.
import { INSIDER_FETCH_DAYS, MULTI_REQUEST_DEADLINE_S } from "../../limits.ts";
import { documented } from "../../platform/route-doc.ts";
import { AggregateAnswer, ByDateAnswer, Form4Answer, SummaryAnswer, TransactionsAnswer } from "./schema.ts";

const tag = "insider";
const errors = [404, "no_data", 429, 502, 504, "not_configured"] as const;
const deadlineS = MULTI_REQUEST_DEADLINE_S;

const VISIBLE =
  "Trades of Forms 3, 4 and 5, visible from the SEC's acceptance of the filing. A trade is one row however many owners report it. " +
  "An amended line gives way to its amendment from the amendment's acceptance on; before it, as_of shows the original. ";
const AS_FILED =
  "Shares are as filed and never adjusted for splits: over a span with a split in it, sums of shares add those of before to those of after it. Sums in dollars are not affected. ";
const FETCHED = `Where nothing is stored of the company, ${INSIDER_FETCH_DAYS} days of its filings are fetched from the SEC first, some eight a second (\`metadata.auto_fetched\`); later calls fetch only what is new. Where the SEC cannot be asked, what is stored is served and \`warnings\` says so. Needs SEC_USER_AGENT (503 not_configured).`;

export const TRANSACTIONS = documented({
  tag,
  summary: "Insiders' trades in a company",
  description: VISIBLE + FETCHED,
  answer: TransactionsAnswer,
  answerDescription: "The trades, newest filing first.",
  errors,
  deadlineS,
});

export const SUMMARY = documented({
  tag,
  summary: "Open-market purchases against sales over 3, 6 and 12 months",
  description: `Purchases are code P, sales code S; by the day of the trade. ${AS_FILED}${VISIBLE}${FETCHED}`,
  answer: SummaryAnswer,
  answerDescription: "The figures of each window.",
  errors,
  deadlineS,
});

export const FORM4 = documented({
  tag,
  summary: "Insiders' trades in a company as known at a moment",
  description: `buy_only=true keeps open-market purchases, code P. ${VISIBLE}${FETCHED}`,
  answer: Form4Answer,
  answerDescription: "The trades, newest filing first.",
  errors,
  deadlineS,
});

export const BY_DATE = documented({
  tag,
  summary: "Everybody's trades filed on a day",
  description: `${VISIBLE}A day that was not taken in yet is taken in first, as far as there is time; \`pending_count\` says what is left to the next call or the job. 404 no_data when the SEC's index of the day is not out (about 22:15 in New York).`,
  answer: ByDateAnswer,
  answerDescription: "The trades, newest filing first.",
  errors,
  tabular: true,
  deadlineS,
});

export const AGGREGATE = documented({
  tag,
  summary: "Insider buying in figures",
  description: `All figures are over the same trades: with buy_only (the default) code P alone. No figure is a sum of shares: those of the trades behind them, and what was held before and after, are as filed and never adjusted for splits. Percentages are figured within one filing. ${VISIBLE}${FETCHED}`,
  answer: AggregateAnswer,
  answerDescription: "The figures.",
  errors,
  deadlineS,
});
