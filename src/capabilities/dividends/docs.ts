// How the dividend routes document themselves.
import { MULTI_REQUEST_DEADLINE_S } from "../../limits.ts";
import { documented } from "../../platform/route-doc.ts";
import { BulkDividendResponse, DividendCalendar } from "./schema.ts";

const tag = "dividends";

const KNOWN =
  "Every change that is seen of a dividend (first declared, another amount or day, disappeared before its ex date) is a revision with the day it was seen; for each (ticker, ex date, type) the revision of the latest as_of_date up to the one asked is served. " +
  "`amount` is as paid, `adjusted_amount` on the share basis of as_of_date. " +
  "Read again after six hours, on each new session, and daily for every ticker that was asked for: what changes in between is seen at the next reading. " +
  "Nasdaq keeps histories of its own listings; of others past payments come from the price provider, with an ex date and an amount alone.";

export const CALENDAR = documented({
  tag,
  summary: "Dividend calendar of a ticker as known on a day",
  description: `${KNOWN} 404 only when no provider knows the ticker; a ticker without dividends is an empty list.`,
  answer: DividendCalendar,
  answerSays: "Declared, paid and cancelled dividends, the latest ex date first.",
  example: {
    ticker: "ZORP",
    as_of_date: "2026-09-04",
    count: 1,
    total: 1,
    splits_known_through: "2026-09-04",
    last_updated: "2026-09-04T20:15:03.120Z",
    warnings: [],
    data: [
      {
        ticker: "ZORP",
        ex_dividend_date: "2026-09-18",
        declaration_date: "2026-08-28",
        record_date: "2026-09-18",
        payment_date: "2026-10-02",
        amount: 0.28,
        adjusted_amount: 0.28,
        currency: "USD",
        frequency: null,
        dividend_type: "cash",
        status: "declared",
        as_of_date: "2026-09-01",
        revision: 2,
        known_at: "2026-09-01T11:31:08.004Z",
        source: "nasdaq",
      },
    ],
  },
  errors: [400, 404, 429, 502, 504],
  tabular: true,
});

export const BULK = documented({
  tag,
  summary: "Dividend calendars of up to 100 tickers",
  description: `One result per ticker, in the order of the request; a failed ticker does not fail the others. Cold tickers take about a second each. ${KNOWN}`,
  answer: BulkDividendResponse,
  answerSays: "A result per ticker, successful or not.",
  errors: [400, 504],
  deadlineS: MULTI_REQUEST_DEADLINE_S,
});
