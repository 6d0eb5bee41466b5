// The earnings routes and their documentation; each handler passes the request to its use case.
import { Elysia } from "elysia";
import { MARKET_CALENDAR_DAYS_MAX, MULTI_REQUEST_DEADLINE_S } from "../../limits.ts";
import { TickerPath } from "../../market/answer-fields.ts";
import { documented } from "../../platform/route-doc.ts";
import type { EarningsAnswers } from "./answers.ts";
import {
  BulkCalendarRequest,
  BulkCalendarResponse,
  CalendarQuery,
  CalendarResponse,
  MarketQuery,
  MarketResponse,
  SurpriseQuery,
  SurpriseResponse,
  SymbolPath,
} from "./schema.ts";

const tag = "earnings";

const REVISIONS =
  "Read at most once an hour, and daily for every ticker that was asked for. Every observed change is stored with the time it was seen, so `as_of` answers with what was known then.";

const SURPRISE = documented({
  tag,
  summary: "Reported earnings per share against the analysts' estimate",
  description: `The provider lists four quarters; older quarters stay once they are stored. Figures are as the provider had them when they were read: after a split the provider restates the quarters it lists, while older stored quarters stay as they were. ${REVISIONS} 404 only when no provider knows the ticker; a ticker without estimates has an empty list.`,
  answer: SurpriseResponse,
  answerDescription: "Quarters, newest first, with streak, beat rate and average surprise.",
  errors: [404, 429, 502, 504],
  tabular: true,
  cached: true,
});

const MERGED =
  "Each row is one report, merged from the market calendar, the reported figures and, when a provider has it, the company's next report date. When sources name different days, a confirmed day wins, then the market calendar's; `other_dates` lists the others. Days are New York days.";

const CALENDAR = documented({
  tag,
  summary: "Past and coming reports of a company",
  description: `${MERGED} ${REVISIONS}`,
  answer: CalendarResponse,
  answerDescription: "The next report, and all reports, latest first.",
  errors: ["invalid_date_range", 404, 429, 502, 504],
  tabular: true,
  cached: true,
});

const BULK = documented({
  tag,
  summary: "Past and coming reports of up to 100 companies",
  description: `One result per ticker, in the order of the request; a failed ticker does not fail the others. Cached for an hour: X-Cache is HIT when no provider had to be asked for this answer. ${MERGED}`,
  answer: BulkCalendarResponse,
  answerDescription: "A result per ticker, successful or not.",
  errors: ["invalid_date_range", 504],
  deadlineS: MULTI_REQUEST_DEADLINE_S,
  cached: true,
});

const MARKET = documented({
  tag,
  summary: "All reports on a day or in a span of days",
  description: `At most ${MARKET_CALENDAR_DAYS_MAX} days per answer. Comes from the main provider's calendar of each day, or, when that provider is unavailable, from another provider's, which \`warnings\` states. ${REVISIONS}`,
  answer: MarketResponse,
  answerDescription: "Reports ordered by day, then symbol.",
  errors: ["conflicting_time_selection", "invalid_date_range", 429, 502, 504],
  deadlineS: MULTI_REQUEST_DEADLINE_S,
  tabular: true,
  cached: true,
});

/** The routes below /earnings. */
export function earningsRoutes(answers: EarningsAnswers) {
  return new Elysia({ name: "earnings", prefix: "/earnings" })
    .get(
      "/surprise/:symbol",
      ({ params, query, request }) => answers.surprise(params.symbol, query, request.signal),
      { params: SymbolPath, query: SurpriseQuery, detail: SURPRISE },
    )
    .get("/calendar", ({ query, request }) => answers.market(query, request.signal), {
      query: MarketQuery,
      detail: MARKET,
    })
    .post("/calendar/bulk", ({ body, request }) => answers.bulk(body.tickers, body, request.signal), {
      body: BulkCalendarRequest,
      detail: BULK,
    })
    .get(
      "/calendar/:ticker",
      ({ params, query, request }) => answers.calendar(params.ticker, query, request.signal),
      { params: TickerPath, query: CalendarQuery, detail: CALENDAR },
    );
}
