// The financial routes and their documentation. Each handler passes the request to its use case.
import { Elysia } from "elysia";
import { MULTI_REQUEST_DEADLINE_S } from "../../limits.ts";
import { TickerPath } from "../../market/answer-fields.ts";
import type { Period } from "../../market/time-span.ts";
import { documented } from "../../platform/route-doc.ts";
import type { FinancialAnswers } from "./answers.ts";
import {
  BulkFinancialDataRequest,
  BulkFinancialDataResponse,
  FinancialDataRequest,
  FinancialDataResponse,
  FinancialQuery,
} from "./schema.ts";

const tag = "financial";

const FIGURES =
  "Every figure is as stated in a report to the SEC, or null: nothing is estimated, filled in or converted. " +
  "A row is one period as one report states it: by default the newest periodic report, with vintage=first the first one, with as_of only what was on file then. " +
  "Cash flows of the second and third quarter are as reported, for the year to date, and a fourth quarter exists only if it was reported: include_derived adds the exact differences. " +
  "period_type=ttm gives trailing twelve months, with a receipt for each period they are made of. " +
  "Figures are stored, and read at the SEC again when a newer periodic report is indexed. " +
  "XBRL goes back to about 2009 (its comparatives to 2007), schedules of 1993 to 2001 have summary lines only; `coverage` shows what is available. " +
  "When the SEC cannot be asked, stored figures are served and `errors.financials` says so; the company block is served whatever fails.";

const READING =
  "Each year has the company's own name (`fiscal_year`; `label_source` says where it comes from), and first years of any length are FY. " +
  "Parts and other totals that a filer reports (costs and expenses, kinds of debt, terms of deferred revenue, and more) are lines of their own; they never fill another line, and what follows exactly from them appears only with include_derived; `derivable` says where. " +
  "A figure in doubt is null, and a row that breaks a sum of its statement says so: `warning_details` has each warning as code, line, period, report and sentence. " +
  "A figure that may be a line of another statement is given where the report's own statement, as the SEC renders it, has its tag; otherwise it is null, and a warning says whether the statement has another tag (`line_has_other_tag`), is not read yet (`presentation_not_read`: ask again), does not exist (`presentation_none`) or could not be had (`presentation_unavailable`). " +
  "Share counts and per-share figures are on the split basis of their report, which `split_basis` of each row gives; adjusted=true scales them to today's, or to that of as_of, and gives null with the warning `not_adjusted` where a split is not certain.";

const PRICES =
  "Ratios with a price use the daily close of the day on which the period became known, in the report's currency and on its share basis. " +
  "Closes that are not stored are asked for at the price provider, for 5 seconds in the whole request; `errors.price` says what failed or was late, and the statements are served all the same. " +
  "With as_of only closes that were known then count. `null_reasons` of a metric says why a ratio is null.";

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
  heavy: true,
};

const DATA = {
  post: documented({
    ...shared,
    summary: "Financial statements of one company, by period, dates or fiscal quarters",
    description: `Give exactly one of period, start_date (with or without end_date), or quarters. A row belongs to the span in which its period ends. ${FIGURES} ${READING} ${PRICES}`,
  }),
  get: documented({
    ...shared,
    tabular: true,
    summary: "Financial statements of one company",
    description: `Give period or the two dates, not both; without either the answer has all history. A row belongs to the span in which its period ends. ${FIGURES} ${READING} ${PRICES}`,
  }),
};

const BULK = documented({
  tag,
  summary: "Financial statements of up to 100 companies",
  description: `One result per ticker, in the order of the request; a failed ticker does not fail the others. A company that is not stored yet takes some seconds, because the SEC limits the request rate. ${FIGURES} ${READING} ${PRICES}`,
  answer: BulkFinancialDataResponse,
  answerDescription: "A result per ticker, successful or not.",
  errors: ["conflicting_time_selection", "invalid_date_range", "no_tickers", 504],
  deadlineS: MULTI_REQUEST_DEADLINE_S,
  heavy: true,
});

/** Span of a GET that selects none. */
const DEFAULT_PERIOD: Period = "max";

/** The routes below /financial. */
export function financialRoutes(answers: FinancialAnswers) {
  return new Elysia({ name: "financial", prefix: "/financial" })
    .post("/data", ({ body, request }) => answers.one(body.ticker, body, undefined, request.signal), {
      body: FinancialDataRequest,
      detail: DATA.post,
    })
    .post("/data/bulk", ({ body, request }) => answers.bulk(body.tickers, body, request.signal), {
      body: BulkFinancialDataRequest,
      detail: BULK,
    })
    .get(
      "/data/:ticker",
      ({ params, query, request }) => answers.tabular(params.ticker, query, DEFAULT_PERIOD, request.signal),
      { params: TickerPath, query: FinancialQuery, detail: DATA.get },
    );
}
