// How the short-volume routes document themselves.
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
  "FINRA's daily files count trades reported to its facilities, off the exchanges and in regular hours: a share of the market's volume, and not short interest. " +
  "They begin on 2018-08-01, come out in the evening of the trade date and are looked at again for five sessions: a corrected file is stored beside the first, and as_of tells them apart. " +
  "Answers come from what is stored; the evening job and the ingest route store.";

export const SERIES = documented({
  tag,
  summary: "Daily short volume of a symbol",
  description: WHAT,
  answer: SeriesAnswer,
  answerDescription: "The lines, newest first unless asked otherwise.",
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
  description: `The newest stored day unless one is named. ${WHAT}`,
  answer: TopAnswer,
  answerDescription: "The lines, ranked.",
  errors: ["no_data"],
  tabular: true,
});

export const SUMMARY = documented({
  tag,
  summary: "A symbol's newest short-volume ratio against its last sessions",
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
  answerDescription: "What is stored and what is missing.",
});

export const PANEL = documented({
  tag,
  summary: "Point-in-time panel: each day's symbols with short volume and adjusted close",
  description:
    "Every line of each day's file, symbols that were delisted or renamed since among them, joined with that day's adjusted close as it is stored. No row is left out for want of a price: adj_close is null then, and nothing is filled in. " +
    "JSON comes in pages (next_cursor, by date and symbol, so that what is ingested meanwhile moves none); ndjson, csv and parquet give the whole range in one stream. " +
    "The same rows: `from pit_panel(start, end, as_of)` in the catalogue. " +
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
    "Open positions from FINRA's settlement-date files; exchange-listed securities since June 2021. The files drop separators from symbols (BRKB): reported_symbol and issue_name say whose row it is.",
  answer: InterestAnswer,
  answerDescription: "The positions, newest settlement date first.",
  errors: ["no_data"],
  tabular: true,
});

const admin = { tag, answer: IngestAnswer, errors: [401, 403, "not_found", 409] as const };

export const INGEST = documented({
  ...admin,
  summary: "Take files of days in",
  description:
    "One date, a range (its weekends and holidays are skipped), or the newest sessions. Up to 12 dates are waited for (200); more go on behind the answer (202), with their progress at admin/ingest/{job_id}. " +
    "One ingest at a time: 409 already_running. A file whose record count does not fit is refused whole; a file that is stored and has not changed is stored once.",
  answerDescription: "What became of each date.",
  errors: ["conflicting_time_selection", "invalid_date_range", 401, 403, 409],
  deadlineS: 120,
});
INGEST.responses[202] = {
  ...INGEST.responses[200],
  description: "It goes on behind this answer.",
} as (typeof INGEST.responses)[string];

export const INGEST_STATE = documented({
  ...admin,
  summary: "Progress of an ingest",
  description:
    "Of one that was asked for, by its job_id or `latest`; the evening's own are in /scheduler/jobs.",
  answerDescription: "How far it is, and what became of each date so far.",
  errors: [401, 403, "not_found"],
});
