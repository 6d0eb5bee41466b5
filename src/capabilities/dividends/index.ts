// Dividends: what was declared, changed, cancelled and paid, as known on a day. The capability with its
// routes and their documentation.
import { Elysia } from "elysia";
import { MARKET_CALENDAR_DAYS_MAX, MULTI_REQUEST_DEADLINE_S, UNKNOWN_TICKER_CACHE_S } from "../../limits.ts";
import { TickerPath } from "../../market/answer-fields.ts";
import type { Services } from "../../market/services.ts";
import { createCache } from "../../platform/cache/cache.ts";
import type { Job } from "../../platform/jobs/job.ts";
import type { Log } from "../../platform/log.ts";
import { documented } from "../../platform/route-doc.ts";
import { type DividendAnswers, dividendAnswers } from "./answers.ts";
import { DAY_GOOD_S, dividendCollector, type Reading } from "./collect.ts";
import { type MarketCalendar, marketCalendar } from "./market-calendar.ts";
import {
  BulkDividendRequest,
  BulkDividendResponse,
  DividendCalendar,
  DividendQuery,
  MarketDividends,
  MarketQuery,
} from "./schema.ts";
import type { ActionSource, DividendSource, KnownTicker } from "./sources.ts";
import { dividendStore } from "./store.ts";
import { dividendWatch } from "./watch.ts";

const tag = "dividends";

const REVISIONS =
  "Every observed change of a dividend (first declared, changed amount or day, disappeared before its ex date) is a revision with the day it was seen; the first report counts from its declaration day, else from its ex date, and is marked `backfilled` when it was fetched after as_of_date. For each (ticker, ex date, type) the answer has the revision with the latest as_of_date up to the day asked for. ";
const KNOWN =
  `${REVISIONS}\`amount\` is as paid, \`adjusted_amount\` is on the share basis of as_of_date. ` +
  "A ticker is read again after six hours and in each new session, and daily once it was asked for; a change in between is seen at the next reading. " +
  "Nasdaq keeps histories only of its own listings; for other tickers, past payments come from the price provider with just an ex date and an amount.";

const CALENDAR = documented({
  tag,
  summary: "Dividend calendar of a ticker as known on a day",
  description: `${KNOWN} 404 when no provider knows the ticker; a ticker without dividends has an empty list.`,
  answer: DividendCalendar,
  answerDescription: "Declared, paid and cancelled dividends, latest ex date first.",
  errors: ["invalid_date_range", 404, 429, 502, 504],
  tabular: true,
});

const MARKET = documented({
  tag,
  summary: "All dividends that go ex on a day or in a span of days",
  description: `At most ${MARKET_CALENDAR_DAYS_MAX} days per answer. The lists of the days are read from Nasdaq, which has all US exchanges, at most every six hours. They name no currency, and all their payments are shown as cash. A ticker that was asked for itself is shown as its own page was last read, which is daily. Amounts are as paid; the adjusted ones are in the calendar of a ticker. A dividend that disappeared before its list was first read is unknown. ${REVISIONS}`,
  answer: MarketDividends,
  answerDescription: "Dividends ordered by ex date, then symbol.",
  errors: ["conflicting_time_selection", "invalid_date_range", 429, 502, 504],
  deadlineS: MULTI_REQUEST_DEADLINE_S,
  tabular: true,
});

const BULK = documented({
  tag,
  summary: "Dividend calendars of up to 100 tickers",
  description: `One result per ticker, in the order of the request; a failed ticker does not fail the others. Tickers that are not cached take about a second each. ${KNOWN}`,
  answer: BulkDividendResponse,
  answerDescription: "One result per ticker, successful or not.",
  errors: ["invalid_date_range", 504],
  deadlineS: MULTI_REQUEST_DEADLINE_S,
});

/** The routes below /dividends. */
const dividendRoutes = (answers: DividendAnswers, market: MarketCalendar) =>
  new Elysia({ name: "dividends", prefix: "/dividends/calendar" })
    .get("", ({ query, request }) => market(query, request.signal), { query: MarketQuery, detail: MARKET })
    .post("/bulk", ({ body, request }) => answers.bulk(body.tickers, body, request.signal), {
      body: BulkDividendRequest,
      detail: BULK,
    })
    .get("/:ticker", ({ params, query, request }) => answers.one(params.ticker, query, request.signal), {
      params: TickerPath,
      query: DividendQuery,
      detail: CALENDAR,
    });

export interface DividendDeps extends Pick<Services, "lake" | "sqlite" | "clock" | "calendar" | "cacheDeps"> {
  readonly source: DividendSource;
  readonly actions: ActionSource;
  readonly knownTicker: KnownTicker;
  readonly log: Pick<Log, "warn">;
}

/** Builds the capability: its routes and its job. */
export function dividends(deps: DividendDeps) {
  const { lake, sqlite, clock, calendar, log } = deps;
  const store = dividendStore({ lake, sqlite });
  const collector = dividendCollector({ ...deps, store });
  const cache = createCache<Reading>(
    {
      name: "dividends",
      ttlS: ({ good_for_s }) => good_for_s,
      negativeS: UNKNOWN_TICKER_CACHE_S,
      entriesMax: 2_000,
    },
    deps.cacheDeps,
  );
  const answers = dividendAnswers({ collector, cache, store, calendar, clock });
  // Of a release before days were noted in the lake, "dividend-days" has entries that the lake lacks.
  const days = createCache<{ readonly read_at: string }>(
    { name: "dividend-lists", ttlS: () => DAY_GOOD_S, negativeS: 0, entriesMax: 1_000 },
    deps.cacheDeps,
  );
  const market = marketCalendar({ collector, days, store, clock, calendar });
  const reread = (symbol: string, signal: AbortSignal) =>
    cache.get(symbol, (shared) => collector.read(symbol, shared), { force: true, signal });
  const jobs: readonly Job[] = [dividendWatch({ collector, store, calendar, clock, log, reread })];
  return { routes: dividendRoutes(answers, market), jobs };
}
