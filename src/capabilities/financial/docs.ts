// How the financial routes document themselves.
import { MULTI_REQUEST_DEADLINE_S } from "../../limits.ts";
import { documented } from "../../platform/route-doc.ts";
import { BulkFinancialDataResponse, FinancialDataResponse } from "./schema.ts";

const tag = "financial";

const FIGURES =
  "Every figure is as a report to the SEC states it, or null: nothing is estimated, filled in or converted. " +
  "A row is one period as one report has it: the newest periodic report by default, the first with vintage=first, what was on file at as_of. " +
  "Cash flows of the second and third quarter stand as reported, for the year to date; a fourth quarter exists only where it was reported: include_derived adds the exact differences. " +
  "Figures are stored, and read again at the SEC when a newer periodic report is indexed. " +
  "XBRL reaches back to about 2009 (its comparatives to 2007), schedules of 1993 to 2001 hold summary lines: `coverage` says what there is. " +
  "Where the SEC cannot be asked, what is stored is served and `errors.financials` says so; the company block is kept whatever fails.";

const PRICES =
  "Metrics with a price are made of stored daily closes alone: they are null where the store does not have that of the day the period became known, on the share basis of the report and in its currency.";

const shared = {
  tag,
  answer: FinancialDataResponse,
  answerDescription: "The company, its statements and metrics, newest period first.",
  errors: [
    "conflicting_time_selection",
    "invalid_date_range",
    400,
    404,
    "no_data",
    429,
    502,
    504,
    "not_configured",
  ] as const,
  deadlineS: MULTI_REQUEST_DEADLINE_S,
};

export const DATA = {
  post: documented({
    ...shared,
    summary: "Financial statements of one company, by period, dates or fiscal quarters",
    description: `Give exactly one of period, start_date with end_date, or quarters; a row belongs to the span in which its period ends. ${FIGURES} ${PRICES}`,
  }),
  get: documented({
    ...shared,
    summary: "Financial statements of one company",
    description: `Give period or the two dates, not both; neither means all history. A row belongs to the span in which its period ends. ${FIGURES} ${PRICES}`,
  }),
};

export const BULK = documented({
  tag,
  summary: "Financial statements of up to 100 companies",
  description: `One result per ticker, in the order of the request; a failed ticker does not fail the others. Companies not stored yet take some seconds each at the SEC's pace. ${FIGURES} ${PRICES}`,
  answer: BulkFinancialDataResponse,
  answerDescription: "A result per ticker, successful or not.",
  errors: ["conflicting_time_selection", "invalid_date_range", "no_tickers", 504],
  deadlineS: MULTI_REQUEST_DEADLINE_S,
});
