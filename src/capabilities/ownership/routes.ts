// The ownership routes and their documentation: each handler passes the request to its use case.
import { Elysia } from "elysia";
import { MULTI_REQUEST_DEADLINE_S } from "../../limits.ts";
import { TickerPath } from "../../market/answer-fields.ts";
import { documented } from "../../platform/route-doc.ts";
import type { HolderAnswers } from "./holder-events.ts";
import { ActivePositions, ActiveQuery, HolderEvents, HoldersQuery } from "./schema.ts";

const tag = "ownership";

const VISIBLE =
  "A filing is visible from its acceptance. If it was accepted after hours for the next business day, it is visible from 06:00 of its filing date; if its acceptance is unknown, from the end of its filing date. " +
  "Percentages above 100 are discarded. Each filing is one row: its reporting persons count the same shares, so their figures are never added up. ";

const HOLDERS = documented({
  tag,
  summary: "Schedules 13D and 13G about a company",
  description: `${VISIBLE}Reaches ten years back. Filings that are not stored yet are fetched from the SEC first (\`metadata\`). If the SEC fails, stored filings are served and \`warnings\` says so. Needs SEC_USER_AGENT (503 not_configured).`,
  answer: HolderEvents,
  rows: "data",
  answerDescription: "The filings, newest first.",
  errors: [404, "no_data", 429, 502, 504, "not_configured"],
  deadlineS: MULTI_REQUEST_DEADLINE_S,
});

const ACTIVE = documented({
  tag,
  summary: "Current positions of large holders",
  description: `${VISIBLE}Lists activist positions by default, and those of every holder with activist=all: the newest filing of each company and holder; filings that share a reporting person belong to one holder. A position is left out if its newest filing reports less than 5 percent or an exit. The answer comes from stored filings, without an upstream call: the daily job indexes the filings of all companies, and \`metadata\` says since when.`,
  answer: ActivePositions,
  rows: "data",
  answerDescription: "The positions, newest filing first.",
  errors: [400],
});

/** The routes below /ownership. The static route wins over {ticker}. */
export function ownershipRoutes(answers: HolderAnswers) {
  return new Elysia({ name: "ownership", prefix: "/ownership" })
    .get("/13dg/active", ({ query, request }) => answers.active(query, request.signal), {
      query: ActiveQuery,
      detail: ACTIVE,
    })
    .get(
      "/13dg/:ticker",
      ({ params, query, request }) => answers.ofTicker(params.ticker, query, request.signal),
      {
        params: TickerPath,
        query: HoldersQuery,
        detail: HOLDERS,
      },
    );
}
