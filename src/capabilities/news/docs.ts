// How the news routes document themselves.
import { NEWS_INGEST_DEADLINE_S } from "../../limits.ts";
import { documented } from "../../platform/route-doc.ts";
import { IngestAnswer, NewsAnswer, ProvidersAnswer, TickerNewsAnswer } from "./schema.ts";

const tag = "news";

const WHAT =
  "Headlines and summaries only, never an article: those are their publishers'. Three providers are polled every five minutes: alpaca (with the brokerage feed's keys), globenewswire and yahoo; without keys nasdaq in place of alpaca. " +
  "yahoo and nasdaq have a feed for each ticker: they are read in turn, twenty a poll, for the 500 tickers whose news was asked for last; one that none of them knows is let go of for a week, and the answer says so. " +
  "An article is stored once: again from the same provider, or from another one under the same address and headline, it only adds to what is stored. A changed article is a later version; as_of tells them apart. Answers come from what is stored.";

export const NEWS = documented({
  tag,
  summary: "Headlines of any or several tickers",
  description: WHAT,
  answer: NewsAnswer,
  answerDescription: "A page of articles, newest first unless asked otherwise.",
  errors: ["conflicting_time_selection", "invalid_date_range", "no_tickers"],
  tabular: true,
});

export const TICKER_NEWS = documented({
  tag,
  summary: "Headlines about a ticker",
  description: `Of the last seven days unless asked otherwise; empty where nothing is stored. ${WHAT}`,
  answer: TickerNewsAnswer,
  answerDescription: "A page of articles, newest first unless asked otherwise.",
  errors: ["conflicting_time_selection", "invalid_date_range"],
  tabular: true,
});

export const NEWS_PROVIDERS = documented({
  tag,
  summary: "The news providers and how they fare",
  description: "No provider is asked for it.",
  answer: ProvidersAnswer,
  answerDescription: "One of each provider.",
});

const admin = {
  tag,
  answer: IngestAnswer,
  answerDescription: "What became of each provider.",
  errors: ["invalid_date_range", 401, 403, 409, 504] as const,
  deadlineS: NEWS_INGEST_DEADLINE_S,
};
const LONG =
  "More than three days of everybody's news go on behind the answer (202): /scheduler/runs shows their end. ";
const FAILURES =
  "A provider that fails keeps none of the others from theirs: its error stands in its result. ";

/** A long one is answered at its beginning. */
function orBegun(detail: ReturnType<typeof documented>) {
  detail.responses[202] = {
    ...detail.responses[200],
    description: "It goes on behind this answer.",
  } as (typeof detail.responses)[string];
  return detail;
}

export const INGEST = orBegun(
  documented({
    ...admin,
    summary: "Read the newest articles now",
    description:
      "As the poll does, or narrowed: to tickers (whose own feeds are read whatever their turn) and to days of publication. " +
      `${FAILURES}${LONG}409 already_running while a poll or another ingest runs.`,
  }),
);

export const BACKFILL = orBegun(
  documented({
    ...admin,
    summary: "Read the news of past days",
    description:
      "The last seven days unless dates are given, at most 366. Only alpaca has history; the others' feeds hold just their newest articles, and their results say so. " +
      `A backfilled article is known from now on, not from when it was published. ${FAILURES}${LONG}409 already_running while a backfill runs.`,
  }),
);
