// Queries, bodies and answers of the short-volume routes: the check, the types and the documentation in one place.
import { type TSchema, Type } from "@sinclair/typebox";
import {
  BULK_TICKERS_MAX,
  MULTI_TICKERS_MAX,
  SHORT_VOLUME_DAYS_MAX,
  SHORT_VOLUME_LIMIT_MAX,
} from "../../limits.ts";
import { listFields } from "../../market/answer-fields.ts";
import {
  asOfField,
  dateField,
  flag,
  formatField,
  oneOf,
  tickerField,
  tickerList,
  wholeNumber,
} from "../../market/params.ts";
import { SKIP_REASONS } from "./report.ts";
import { FACILITIES, MARKET_WORDS } from "./sources.ts";

const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const text = (description: string) => orNull(Type.String({ description }));
const number = (description: string) => orNull(Type.Number({ description }));
const day = (description: string) => Type.String({ format: "date", description });

const asOf = Type.Optional({
  ...asOfField,
  description:
    "Only what counted as known at that moment: a date (the end of that day in New York) or an RFC 3339 instant with zone. " +
    "A day's file counts as known from the beginning of the next session's day, a correction from when this service fetched it, a price from its fetch. Default: everything stored.",
});
const format = Type.Optional({
  ...formatField,
  description:
    "Shape of the answer; ndjson, csv and parquet are streamed, one row a line. The Accept header does the same.",
});
// Without `default`, which would be filled in beside dates that were given.
const days = (preset: number, description: string) =>
  Type.Optional(
    wholeNumber(`${description} Default ${preset}.`, {
      minimum: 1,
      maximum: SHORT_VOLUME_DAYS_MAX,
      examples: [preset],
    }),
  );
const limit = (preset: number, description = "Rows at most.") =>
  Type.Optional(wholeNumber(description, { minimum: 1, maximum: SHORT_VOLUME_LIMIT_MAX, default: preset }));
const offset = Type.Optional(wholeNumber("Rows to skip.", { minimum: 0, maximum: 1_000_000, default: 0 }));
const calendarDays = (preset: number) =>
  days(preset, "Calendar days back from today (or as_of), instead of dates.");
const dates = {
  start_date: Type.Optional(dateField("First trade date, inclusive; needs end_date.", "2026-08-03")),
  end_date: Type.Optional(dateField("Last trade date, inclusive; needs start_date.")),
};
const volumeMin = (preset: number) =>
  Type.Optional(
    Type.Number({
      minimum: 0,
      default: preset,
      description: "Only lines with at least this total_volume, shares.",
    }),
  );
const sortBy = Type.Optional(
  oneOf(
    ["short_volume_ratio", "short_volume", "total_volume", "symbol"],
    "What to rank by; equal ones by symbol, unknown ratios last.",
    "short_volume_ratio",
  ),
);
const sortOrder = Type.Optional(oneOf(["asc", "desc"], "Direction.", "desc"));
const market = Type.Optional(
  oneOf(
    MARKET_WORDS,
    "all: the consolidated file (CNMS). Q, B (Nasdaq's two facilities), N (NYSE's), D (ADF), O (over the counter): the file of that facility, where it was ingested.",
    "all",
  ),
);

export const SymbolPath = Type.Object({ symbol: tickerField() });
export const DatePath = Type.Object({ date: dateField("Trade date.") });
export const JobPath = Type.Object({
  job_id: Type.Union([Type.Literal("latest"), Type.String({ pattern: "^[1-9]\\d{0,14}$" })], {
    description: "Number of the ingest, or latest.",
    examples: ["latest"],
  }),
});

export const SeriesQuery = Type.Object({
  days: calendarDays(30),
  ...dates,
  limit: limit(1_000),
  order: Type.Optional(oneOf(["asc", "desc"], "Direction by trade date: desc is newest first.", "desc")),
  market,
  as_of: asOf,
  format,
});

export const DayQuery = Type.Object({
  limit: limit(1_000),
  offset,
  min_total_volume: volumeMin(0),
  sort_by: sortBy,
  sort_order: sortOrder,
  as_of: asOf,
  format,
});

export const TopQuery = Type.Object({
  date: Type.Optional(dateField("Trade date; default: the newest stored.")),
  limit: limit(50),
  offset,
  min_total_volume: volumeMin(100_000),
  sort_by: sortBy,
  sort_order: sortOrder,
  as_of: asOf,
  format,
});

export const SummaryQuery = Type.Object({
  days: days(20, "Sessions summed up in the totals."),
  as_of: asOf,
});

export const BulkQuery = Type.Object({
  tickers: tickerList(BULK_TICKERS_MAX, `Comma list of up to ${BULK_TICKERS_MAX} symbols.`),
  days: calendarDays(30),
  ...dates,
  limit: limit(1_000, "Rows of each symbol at most."),
  order: Type.Optional(oneOf(["asc", "desc"], "Direction by trade date: desc is newest first.", "desc")),
  market,
  as_of: asOf,
  format,
});

export const PanelQuery = Type.Object({
  ...dates,
  days: calendarDays(30),
  symbols: Type.Optional(
    tickerList(
      MULTI_TICKERS_MAX,
      `Only these, comma list of up to ${MULTI_TICKERS_MAX}; default: every symbol in the files.`,
    ),
  ),
  min_total_volume: volumeMin(0),
  as_of: asOf,
  limit: limit(
    SHORT_VOLUME_LIMIT_MAX,
    "Rows of a JSON page; the streamed formats give the whole range whatever it says.",
  ),
  cursor: Type.Optional(
    Type.String({
      maxLength: 500,
      description: "next_cursor of the page before, with the same other parameters. JSON only.",
      examples: ["WzEsIjIwMjYtMDgtMDMiLCIyMDI2LTA5LTA0IiwiMjAyNi0wOC0wNSIsIlpPUlAiLCJqZ3pha3NNeWJCbjQiXQ"],
    }),
  ),
  format,
});

export const InterestQuery = Type.Object({ limit: limit(24), as_of: asOf, format });

export const IngestRequest = Type.Object({
  date: Type.Optional(dateField("One trade date.")),
  start_date: Type.Optional(dateField("First trade date of a range; needs end_date.", "2018-08-01")),
  end_date: Type.Optional(dateField("Last trade date of the range.")),
  days: days(5, "The newest sessions whose files are due, instead of dates."),
  facility: Type.Optional(
    oneOf(FACILITIES, "Which file. The routes read CNMS unless asked for a market.", "CNMS"),
  ),
  force: Type.Optional(
    flag("Fetch days again that are stored; a file that has not changed is still stored once."),
  ),
});

const figures = {
  short_volume: Type.Number({ description: "Shares sold short, exempt ones included; may have fractions." }),
  short_exempt_volume: number(
    "Shares of these that were exempt from the price test; null where the file has no such column.",
  ),
  total_volume: Type.Number({
    description:
      "All shares reported to FINRA's facilities in regular hours: off-exchange trades, not the market's volume.",
  }),
  short_volume_ratio: number(
    "short_volume / total_volume, a fraction; null when total_volume is 0. Not short interest.",
  ),
};

export const VolumeRow = Type.Object({
  date: day("Trade date."),
  symbol: Type.String({
    description: "As you sent it where you named it, else canonical, as traded that day.",
  }),
  ...figures,
  short_exempt_ratio: number(
    "short_exempt_volume / total_volume, a fraction; null when either is unknown or 0 traded.",
  ),
  market: Type.String({ description: "Facilities that reported, as in the file: B,Q,N." }),
});

const warnings = Type.Array(Type.String(), { description: "What of the range cannot be had, and why." });

export const SeriesAnswer = Type.Object({
  symbol: Type.String({ description: "As you sent it." }),
  count: Type.Integer({ description: "Rows in data." }),
  first_date: text("Earliest date in data."),
  last_date: text("Latest date in data."),
  warnings,
  data: Type.Array(VolumeRow, { description: "By trade date, newest first unless asked otherwise." }),
});

export const DayAnswer = Type.Object({
  ...listFields,
  data: Type.Array(VolumeRow, { description: "Ranked as asked." }),
});

export const TopAnswer = Type.Object({
  date: day("The day ranked."),
  ...listFields,
  data: Type.Array(
    Type.Composite([
      VolumeRow,
      Type.Object({
        close: number("Close of that day, split-adjusted to now; null where no price is stored."),
        change_percent: number(
          "Against the close of the session before, percent points; null where either is not stored.",
        ),
      }),
    ]),
    { description: "Ranked as asked." },
  ),
});

export const SummaryAnswer = Type.Object({
  symbol: Type.String({ description: "As you sent it." }),
  as_of: day("Newest trade date with a line of the symbol; all figures are as of its end."),
  short_volume_ratio: number("That day's ratio, a fraction."),
  avg_ratio_5d: number(
    "Mean of the ratios of the last 5 sessions, that day included; null with fewer than 3 known.",
  ),
  avg_ratio_20d: number(
    "Mean of the ratios of the last 20 sessions, that day included; null with fewer than 10 known.",
  ),
  zscore_20d: number(
    "(short_volume_ratio − avg_ratio_20d) / their sample standard deviation over the same sessions; null where that is 0 or unknown.",
  ),
  total_short_volume: number("Sum over the last `days` sessions, shares."),
  total_volume: number("Sum over the last `days` sessions, shares."),
  days: Type.Integer({ description: "Sessions among these in which the symbol has a line." }),
});

export const BulkAnswer = Type.Object({
  count: Type.Integer({ description: "Rows over all symbols." }),
  warnings,
  data: Type.Record(Type.String(), Type.Array(VolumeRow), {
    description: "By symbol as you sent it; every symbol asked for has a key.",
  }),
});

export const StatusAnswer = Type.Object({
  first_date: text("First stored trade date."),
  last_date: text("Last stored trade date."),
  files: Type.Integer({ description: "Days stored." }),
  rows: Type.Integer({ description: "Lines of their newest versions." }),
  symbols: Type.Integer({ description: "Symbols that ever stood in a stored file." }),
  missing_sessions: Type.Array(Type.String({ format: "date" }), {
    description: "Sessions since first_date whose file is due and not stored.",
  }),
  last_ingest_at: text("When the newest stored file was fetched, RFC 3339 UTC."),
  history_from: day("FINRA keeps no older file: nothing before is ever served."),
});

export const PanelAnswer = Type.Object({
  start_date: day("First day of the range."),
  end_date: day("Last day of the range."),
  count: Type.Integer({ description: "Rows in this page." }),
  next_cursor: text("For the next page; null on the last."),
  data: Type.Array(
    Type.Object({
      date: day("Trade date."),
      symbol: Type.String({
        description: "Canonical, as traded that day: a renamed company stands under its name of then.",
      }),
      ...figures,
      adj_close: number(
        "That day's close adjusted for splits and dividends as known; null when no price of it is stored.",
      ),
      adj_close_source: text("Who reported the price; null without one."),
      is_delisted: Type.Union([Type.Boolean(), Type.Null()], {
        description:
          "True when the symbol is in none of the newest 30 days' files: it trades no more, or under another name. Null where fewer than 10 of them are stored.",
      }),
    }),
    { description: "By date, then symbol." },
  ),
});

export const InterestAnswer = Type.Object({
  symbol: Type.String({ description: "As you sent it." }),
  count: Type.Integer({ description: "Rows in data." }),
  data: Type.Array(
    Type.Object({
      settlement_date: day("Day on which the positions stood."),
      short_interest: Type.Number({ description: "Shares." }),
      previous_short_interest: number("Shares at the settlement date before, as that file has it."),
      change: number("Shares, as reported."),
      change_percent: number(
        "change / previous_short_interest in percent points (1.5 is 1.5 %), as reported.",
      ),
      avg_daily_volume: number("Shares a day."),
      days_to_cover: number("As reported, 1 at least; null where nothing traded."),
      revised: Type.Boolean({ description: "The file marks the row as revised." }),
      reported_symbol: Type.String({
        description: "As the file spells it, without separators; another security may share it.",
      }),
      issue_name: text("Name of the issue in the file: whose row it is."),
      market_class: text("Where it is listed."),
      known_at: Type.String({ description: "When it was fetched, RFC 3339 UTC." }),
    }),
    { description: "Newest first." },
  ),
});

const outcome = (description: string, more: Record<string, TSchema>) =>
  Type.Array(Type.Object({ date: day("Date of the file."), ...more }), { description });

export const IngestAnswer = Type.Object({
  job_id: Type.Integer({ description: "Run in the ledger of jobs." }),
  status: oneOf(
    ["started", "running", "succeeded", "failed", "interrupted"],
    "started: it goes on behind this answer. succeeded also where single dates failed; failed: it could not go on.",
  ),
  facility: oneOf(FACILITIES, "Which file."),
  processed: Type.Integer({ description: "Dates dealt with." }),
  total: Type.Integer({ description: "Dates asked for." }),
  started_at: Type.String({ description: "RFC 3339 UTC." }),
  finished_at: text("RFC 3339 UTC."),
  error: text("Why it failed as a whole."),
  requested_dates: Type.Array(Type.String({ format: "date" }), {
    description: "Trade dates asked for: sessions only.",
  }),
  ingested: outcome("Files that were stored.", { rows: Type.Integer({ description: "Lines stored." }) }),
  skipped: outcome("Dates of which nothing was stored.", {
    reason: oneOf(SKIP_REASONS, "Why nothing was stored."),
  }),
  failed: outcome("Files that could not be had or read.", {
    error: Type.String({ description: "Why not." }),
  }),
  rows_inserted: Type.Integer({ description: "Lines of days that were not stored before." }),
  rows_updated: Type.Integer({ description: "Lines that a corrected file has otherwise." }),
});
