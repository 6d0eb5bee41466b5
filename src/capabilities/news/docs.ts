// Documentation of the news routes.
import { NEWS_INGEST_DEADLINE_S } from "../../limits.ts";
import { documented } from "../../platform/route-doc.ts";
import { IngestAnswer, NewsAnswer, ProvidersAnswer, TickerNewsAnswer } from "./schema.ts";

const tag = "news";

const WHAT =
  "Headlines and summaries only, never full articles, which belong to their publishers. Three providers are polled every five minutes: alpaca (with the brokerage feed's keys; nasdaq without keys), globenewswire and yahoo. " +
  "yahoo and nasdaq have one feed per ticker: each poll reads twenty of them in turn, for the 500 tickers whose news was requested most recently. A ticker that no feed knows is skipped for a week, which the answer states. " +
  "An article is stored once: when it appears again at the same provider, or at another one with the same address and headline, it is merged into the stored article. A changed article becomes a new version; as_of selects the version of that time. Answers come from stored articles.";

export const NEWS = documented({
  tag,
  summary: "Headlines of all or several tickers",
  description: WHAT,
  answer: NewsAnswer,
  answerDescription: "A page of articles, newest first by default.",
  errors: ["conflicting_time_selection", "invalid_date_range", "no_tickers"],
  tabular: true,
});

export const TICKER_NEWS = documented({
  tag,
  summary: "Headlines about a ticker",
  description: `The last seven days by default; empty when nothing is stored. ${WHAT}`,
  answer: TickerNewsAnswer,
  answerDescription: "A page of articles, newest first by default.",
  errors: ["conflicting_time_selection", "invalid_date_range"],
  tabular: true,
});

export const NEWS_PROVIDERS = documented({
  tag,
  summary: "State of the news providers",
  description: "Answered from stored state; no provider is asked.",
  answer: ProvidersAnswer,
  rows: null,
  answerDescription: "One entry per provider.",
});

const admin = {
  tag,
  answer: IngestAnswer,
  answerDescription: "The outcome of each provider.",
  errors: ["invalid_date_range", 401, 403, 409, 504] as const,
  deadlineS: NEWS_INGEST_DEADLINE_S,
};
const LONG =
  "More than three days of news of all tickers continue in the background after the answer (202); /scheduler/runs shows the end. ";
const FAILURES = "A provider that fails does not affect the others; its result has the error. ";

/** Adds the answer of a long ingest, which is sent when it starts. */
function withAccepted(detail: ReturnType<typeof documented>) {
  detail.responses[202] = {
    ...detail.responses[200],
    description: "The ingest continues in the background.",
  } as (typeof detail.responses)[string];
  return detail;
}

export const INGEST = withAccepted(
  documented({
    ...admin,
    summary: "Read the newest articles now",
    description:
      "Reads as the poll does, or only given tickers (whose own feeds are then read out of turn) and given days of publication. " +
      `${FAILURES}${LONG}409 already_running while a poll or another ingest runs.`,
  }),
);

export const BACKFILL = withAccepted(
  documented({
    ...admin,
    summary: "Read the news of past days",
    description:
      "Reads the last seven days by default, at most 366 days. Only alpaca has history; the other feeds hold only their newest articles, and their results state that. " +
      `A backfilled article is known from now on, not from its publication on. ${FAILURES}${LONG}409 already_running while a backfill runs.`,
  }),
);
