// The short-volume routes and their documentation: each handler passes the request to its use case.
import { type AnyElysia, Elysia } from "elysia";
import { PANEL_DEADLINE_S } from "../../limits.ts";
import { documented } from "../../platform/route-doc.ts";
import type { ShortVolumeAnswers } from "./answers.ts";
import {
  BulkAnswer,
  BulkQuery,
  DatePath,
  DayAnswer,
  DayQuery,
  IngestAnswer,
  IngestRequest,
  InterestAnswer,
  InterestQuery,
  JobPath,
  PanelAnswer,
  PanelQuery,
  SeriesAnswer,
  SeriesQuery,
  StatusAnswer,
  SummaryAnswer,
  SummaryQuery,
  SymbolPath,
  TopAnswer,
  TopQuery,
} from "./schema.ts";

const tag = "shortvolume";

const WHAT =
  "FINRA's daily files count off-exchange trades that were reported to its facilities in regular hours: a part of the market's volume, and not short interest. " +
  "They begin on 2018-08-01, are published in the evening of the trade date and are fetched again for five sessions: a corrected file is stored beside the first version, and as_of selects between them. " +
  "Answers come from stored files. The evening job and the ingest route store them.";

const SERIES = documented({
  tag,
  summary: "Daily short volume of a symbol",
  description: WHAT,
  answer: SeriesAnswer,
  answerDescription: "The lines, newest first unless requested otherwise.",
  errors: ["conflicting_time_selection", "invalid_date_range", 400, "no_data"],
  tabular: true,
});

const DAY = documented({
  tag,
  summary: "Short volume of every symbol on a day",
  description: WHAT,
  answer: DayAnswer,
  answerDescription: "A page of the day's lines, ranked.",
  errors: ["no_data"],
  tabular: true,
  heavy: true,
});

const TOP = documented({
  tag,
  summary: "The most shorted symbols of a day, with their closes",
  description: `Default: the newest stored day. ${WHAT}`,
  answer: TopAnswer,
  answerDescription: "The lines, ranked.",
  errors: ["no_data"],
  tabular: true,
});

const SUMMARY = documented({
  tag,
  summary: "A symbol's newest short-volume ratio compared with its last sessions",
  description: `Sessions in which the symbol has no line count as unknown, never as 0. ${WHAT}`,
  answer: SummaryAnswer,
  answerDescription: "The figures.",
  errors: ["no_data"],
});

const BULK = documented({
  tag,
  summary: "Daily short volume of up to 100 symbols",
  description: `A symbol without lines has an empty list. ${WHAT}`,
  answer: BulkAnswer,
  answerDescription: "The lines by symbol.",
  errors: ["conflicting_time_selection", "invalid_date_range", "no_tickers", 400],
  tabular: true,
  heavy: true,
});

const STATUS = documented({
  tag,
  summary: "Which days of short volume are stored",
  description: "Of the consolidated file (CNMS).",
  answer: StatusAnswer,
  answerDescription: "Stored and missing days.",
});

const PANEL = documented({
  tag,
  summary: "Point-in-time panel: each day's symbols with short volume and adjusted close",
  description:
    "Every line of each day's file, including symbols that were delisted or renamed later, joined with the stored adjusted close of that day. Rows without a price stay in, with adj_close null; nothing is filled in. " +
    "JSON comes in pages. next_cursor continues by date and symbol, so files ingested meanwhile do not shift pages. ndjson, csv, parquet and records return the whole range in one stream. " +
    "The same rows in SQL: `from pit_panel(start, end, as_of)` in the catalogue. " +
    WHAT,
  answer: PanelAnswer,
  answerDescription: "A page of the panel.",
  errors: ["conflicting_time_selection", "invalid_date_range", "no_tickers", 400, 504],
  tabular: true,
  deadlineS: PANEL_DEADLINE_S,
  heavy: true,
});

const INTEREST = documented({
  tag,
  summary: "Short interest of a symbol, twice a month",
  description:
    "Open positions from FINRA's settlement-date files; exchange-listed securities since June 2021. The files drop separators from symbols (BRKB): reported_symbol and issue_name identify the security.",
  answer: InterestAnswer,
  answerDescription: "The positions, newest settlement date first.",
  errors: ["no_data"],
  tabular: true,
});

const admin = { tag, answer: IngestAnswer, errors: [401, 403, "not_found", 409] as const };

const INGEST = documented({
  ...admin,
  summary: "Ingest short-volume files",
  description:
    "One date, a range (weekends and holidays are skipped), or the newest sessions. Up to 12 dates are ingested before the answer (200). More continue in the background (202), with progress at admin/ingest/{job_id}. " +
    "Only one ingest runs at a time: 409 already_running. A file whose record count is wrong is refused as a whole. A stored file that has not changed is not stored again.",
  answerDescription: "The outcome of each date.",
  errors: ["conflicting_time_selection", "invalid_date_range", 401, 403, 409],
  deadlineS: 120,
});
INGEST.responses[202] = {
  ...INGEST.responses[200],
  description: "It continues in the background.",
} as (typeof INGEST.responses)[string];

const INGEST_STATE = documented({
  ...admin,
  summary: "Progress of an ingest",
  description:
    "Of an ingest that was requested, by its job_id or `latest`. The evening runs are in /scheduler/jobs.",
  answerDescription: "Progress, and the outcome of each date so far.",
  errors: [401, 403, "not_found"],
});

/** The routes below /shortvolume. `admin` guards the admin routes. */
export function shortVolumeRoutes(answers: ShortVolumeAnswers, admin: AnyElysia) {
  const guarded = new Elysia({ name: "shortvolume-admin" })
    .use(admin)
    .post("/admin/ingest", ({ body }) => answers.ingest(body), { body: IngestRequest, detail: INGEST })
    .get("/admin/ingest/:job_id", ({ params }) => answers.ingestState(params.job_id), {
      params: JobPath,
      detail: INGEST_STATE,
    });
  return new Elysia({ name: "shortvolume", prefix: "/shortvolume" })
    .use(guarded)
    .get("/status", () => answers.status(), { detail: STATUS })
    .get(
      "/pit-panel",
      ({ query, request }) =>
        answers.panel(query, new URL(request.url).searchParams.getAll("as_of").at(-1), request.signal),
      { query: PanelQuery, detail: PANEL },
    )
    .get("/top", ({ query, request }) => answers.top(query, request.signal), {
      query: TopQuery,
      detail: TOP,
    })
    .get("/bulk", ({ query, request }) => answers.bulk(query, request.signal), {
      query: BulkQuery,
      detail: BULK,
    })
    .get(
      "/by-date/:date",
      ({ params, query, request }) => answers.byDate(params.date, query, request.signal),
      { params: DatePath, query: DayQuery, detail: DAY },
    )
    .get(
      "/summary/:symbol",
      ({ params, query, request }) => answers.summary(params.symbol, query, request.signal),
      { params: SymbolPath, query: SummaryQuery, detail: SUMMARY },
    )
    .get(
      "/short-interest/:symbol",
      ({ params, query, request }) => answers.interest(params.symbol, query, request.signal),
      { params: SymbolPath, query: InterestQuery, detail: INTEREST },
    )
    .get("/:symbol", ({ params, query, request }) => answers.series(params.symbol, query, request.signal), {
      params: SymbolPath,
      query: SeriesQuery,
      detail: SERIES,
    });
}
