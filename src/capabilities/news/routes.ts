// The news routes and their documentation; each handler passes the request to its use case.
import { type AnyElysia, Elysia } from "elysia";
import { NEWS_INGEST_DEADLINE_S } from "../../limits.ts";
import { TickerPath } from "../../market/answer-fields.ts";
import { FormatQuery } from "../../market/params.ts";
import { documented } from "../../platform/route-doc.ts";
import type { NewsAnswers } from "./answers.ts";
import {
  IngestAnswer,
  IngestRequest,
  NewsAnswer,
  NewsQuery,
  ProvidersAnswer,
  TickerNewsAnswer,
  TickerNewsQuery,
} from "./schema.ts";

const tag = "news";

const WHAT =
  "Headlines and summaries only, never full articles, which belong to their publishers. Three providers are polled every five minutes: alpaca (with the brokerage feed's keys; nasdaq without keys), globenewswire and yahoo. " +
  "yahoo and nasdaq have one feed per ticker: each poll reads twenty of them in turn, for the 500 tickers whose news was requested most recently. A ticker that no feed knows is skipped for a week, which the answer states. " +
  "An article is stored once: when it appears again at the same provider, or at another one with the same address and headline, it is merged into the stored article. A changed article becomes a new version; as_of selects the version of that time. Answers come from stored articles.";

const NEWS = documented({
  tag,
  summary: "Headlines of all or several tickers",
  description: WHAT,
  answer: NewsAnswer,
  answerDescription: "A page of articles, newest first by default.",
  errors: ["conflicting_time_selection", "invalid_date_range", "no_tickers"],
  tabular: true,
});

const TICKER_NEWS = documented({
  tag,
  summary: "Headlines about a ticker",
  description: `The last seven days by default; empty when nothing is stored. ${WHAT}`,
  answer: TickerNewsAnswer,
  answerDescription: "A page of articles, newest first by default.",
  errors: ["conflicting_time_selection", "invalid_date_range"],
  tabular: true,
});

const NEWS_PROVIDERS = documented({
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

const INGEST = withAccepted(
  documented({
    ...admin,
    summary: "Read the newest articles now",
    description:
      "Reads as the poll does, or only given tickers (whose own feeds are then read out of turn) and given days of publication. " +
      `${FAILURES}${LONG}409 already_running while a poll or another ingest runs.`,
  }),
);

const BACKFILL = withAccepted(
  documented({
    ...admin,
    summary: "Read the news of past days",
    description:
      "Reads the last seven days by default, at most 366 days. Only alpaca has history; the other feeds hold only their newest articles, and their results state that. " +
      `A backfilled article is known from now on, not from its publication on. ${FAILURES}${LONG}409 already_running while a backfill runs.`,
  }),
);

/** The routes below /news. `admin` guards the admin routes. */
export function newsRoutes(answers: NewsAnswers, admin: AnyElysia) {
  const guarded = new Elysia({ name: "news-admin" })
    .use(admin)
    .post("/admin/ingest", ({ body }) => answers.ingest(body), { body: IngestRequest, detail: INGEST })
    .post("/admin/backfill", ({ body }) => answers.backfill(body), { body: IngestRequest, detail: BACKFILL });
  return new Elysia({ name: "news", prefix: "/news" })
    .use(guarded)
    .get("", ({ query, request }) => answers.many(query, request.signal), {
      query: NewsQuery,
      detail: NEWS,
    })
    .get("/providers", () => answers.providers(), {
      query: FormatQuery,
      detail: NEWS_PROVIDERS,
    })
    .get(
      "/:ticker",
      ({ params, query, request }) => answers.one(params.ticker.trim(), query, request.signal),
      { params: TickerPath, query: TickerNewsQuery, detail: TICKER_NEWS },
    );
}
