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
  answerDescription: "Declared, paid and cancelled dividends, the latest ex date first.",
  errors: ["invalid_date_range", 404, 429, 502, 504],
  tabular: true,
});

export const BULK = documented({
  tag,
  summary: "Dividend calendars of up to 100 tickers",
  description: `One result per ticker, in the order of the request; a failed ticker does not fail the others. Cold tickers take about a second each. ${KNOWN}`,
  answer: BulkDividendResponse,
  answerDescription: "A result per ticker, successful or not.",
  errors: ["invalid_date_range", 504],
  deadlineS: MULTI_REQUEST_DEADLINE_S,
});
