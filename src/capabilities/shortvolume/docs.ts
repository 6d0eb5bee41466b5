// Documentation of the short-volume routes.
import { PANEL_DEADLINE_S } from "../../limits.ts";
import { documented } from "../../platform/route-doc.ts";
import {
  BulkAnswer,
  DayAnswer,
  IngestAnswer,
  InterestAnswer,
  PanelAnswer,
  SeriesAnswer,
  StatusAnswer,
  SummaryAnswer,
  TopAnswer,
} from "./schema.ts";

const tag = "shortvolume";

const WHAT =
  "FINRA's daily files count off-exchange trades that were reported to its facilities in regular hours: a part of the market's volume, and not short interest. " +
  "They begin on 2018-08-01, are published in the evening of the trade date and are fetched again for five sessions: a corrected file is stored beside the first version, and as_of selects between them. " +
  "Answers come from stored files. The evening job and the ingest route store them.";

export const SERIES = documented({
  tag,
  summary: "Daily short volume of a symbol",
  description: WHAT,
  answer: SeriesAnswer,
  answerDescription: "The lines, newest first unless requested otherwise.",
  errors: ["conflicting_time_selection", "invalid_date_range", 400, "no_data"],
  tabular: true,
});

export const DAY = documented({
  tag,
  summary: "Short volume of every symbol on a day",
  description: WHAT,
  answer: DayAnswer,
  answerDescription: "A page of the day's lines, ranked.",
  errors: ["no_data"],
  tabular: true,
});

export const TOP = documented({
  tag,
  summary: "The most shorted symbols of a day, with their closes",
  description: `Default: the newest stored day. ${WHAT}`,
  answer: TopAnswer,
  answerDescription: "The lines, ranked.",
  errors: ["no_data"],
  tabular: true,
});

export const SUMMARY = documented({
  tag,
  summary: "A symbol's newest short-volume ratio compared with its last sessions",
  description: `Sessions in which the symbol has no line count as unknown, never as 0. ${WHAT}`,
  answer: SummaryAnswer,
  answerDescription: "The figures.",
  errors: ["no_data"],
});

export const BULK = documented({
  tag,
  summary: "Daily short volume of up to 100 symbols",
  description: `A symbol without lines has an empty list. ${WHAT}`,
  answer: BulkAnswer,
  answerDescription: "The lines by symbol.",
  errors: ["conflicting_time_selection", "invalid_date_range", "no_tickers", 400],
  tabular: true,
});

export const STATUS = documented({
  tag,
  summary: "Which days of short volume are stored",
  description: "Of the consolidated file (CNMS).",
  answer: StatusAnswer,
  answerDescription: "Stored and missing days.",
});

export const PANEL = documented({
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
});

export const INTEREST = documented({
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

export const INGEST = documented({
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

export const INGEST_STATE = documented({
  ...admin,
  summary: "Progress of an ingest",
  description:
    "Of an ingest that was requested, by its job_id or `latest`. The evening runs are in /scheduler/jobs.",
  answerDescription: "Progress, and the outcome of each date so far.",
  errors: [401, 403, "not_found"],
});
