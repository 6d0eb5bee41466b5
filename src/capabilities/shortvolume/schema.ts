// Queries, bodies and answers of the short-volume routes: validation, types and documentation in one place.

import { type Static, type TSchema, Type } from "@sinclair/typebox";
import {
  BULK_TICKERS_MAX,
  MULTI_TICKERS_MAX,
  SHORT_VOLUME_DAYS_MAX,
  SHORT_VOLUME_LIMIT_MAX,
} from "../../limits.ts";
import { absenceWarnings } from "../../market/absence.ts";
import { booleanOrNull, listFields, numberOrNull, textOrNull } from "../../market/answer-fields.ts";
import {
  asOfFields,
  dateField,
  flag,
  formatField,
  oneOf,
  skipField,
  tickerField,
  tickerList,
  wholeNumber,
} from "../../market/params.ts";
import { SKIP_REASONS } from "./report.ts";
import { FACILITIES, MARKETS } from "./sources.ts";

const total = Type.Integer({ description: "Rows that match, including those that limit cuts off." });
const day = (description: string) => Type.String({ format: "date", description });

const readAt = asOfFields(
  "Answers with what was known at that moment: a date (the end of that day in New York) or an RFC 3339 instant with zone. " +
    "A day's file counts as known from the start of the next session's day. A correction and a price count as known from their fetch. Default: everything stored.",
);
const format = formatField(
  "Shape of the answer; ndjson, csv, parquet and records are streamed with one row per line. The Accept header has the same effect.",
);
// Without `default`: it would be filled in even for a request with dates.
const days = (preset: number, description: string) =>
  Type.Optional(
    wholeNumber(`${description} Default ${preset}.`, {
      minimum: 1,
      maximum: SHORT_VOLUME_DAYS_MAX,
      examples: [preset],
    }),
  );
const limit = (preset: number, description = "Maximum rows.") =>
  Type.Optional(wholeNumber(description, { minimum: 1, maximum: SHORT_VOLUME_LIMIT_MAX, default: preset }));
const offset = skipField("Rows to skip.", 1_000_000);
const calendarDays = (preset: number) =>
  days(preset, "Calendar days back from today (or from as_of), instead of dates.");
const dates = {
  start_date: Type.Optional(
    dateField("First trade date, inclusive. Without end_date: all days since.", "2026-08-03"),
  ),
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
    "Sort key. Equal values are sorted by symbol, unknown ratios come last.",
    "short_volume_ratio",
  ),
);
const sortOrder = Type.Optional(oneOf(["asc", "desc"], "Direction.", "desc"));
const market = Type.Optional(
  oneOf(
    MARKETS,
    "all: the consolidated file (CNMS). Q, B (Nasdaq's two facilities), N (NYSE's), D (ADF), O (over the counter): the file of that facility, if it was ingested.",
    "all",
  ),
);

export const SymbolPath = Type.Object({ symbol: tickerField() });
export const DatePath = Type.Object({ date: dateField("Trade date.") });
export const JobPath = Type.Object({
  job_id: Type.Union([Type.Literal("latest"), Type.String({ pattern: "^[1-9]\\d{0,14}$" })], {
    description: "Number of the ingest, or `latest`.",
    examples: ["latest"],
  }),
});

export const SeriesQuery = Type.Object({
  days: calendarDays(30),
  ...dates,
  limit: limit(1_000),
  order: Type.Optional(oneOf(["asc", "desc"], "Direction by trade date: desc is newest first.", "desc")),
  market,
  ...readAt,
  format,
});

export const DayQuery = Type.Object({
  limit: limit(1_000),
  offset,
  min_total_volume: volumeMin(0),
  sort_by: sortBy,
  sort_order: sortOrder,
  ...readAt,
  format,
});

export const TopQuery = Type.Object({
  date: Type.Optional(dateField("Trade date. Default: the newest stored one.")),
  ...DayQuery.properties,
  limit: limit(50),
  min_total_volume: volumeMin(100_000),
});

export const SummaryQuery = Type.Object({
  days: days(20, "Sessions in the totals."),
  ...readAt,
});

export const BulkQuery = Type.Object({
  tickers: tickerList(BULK_TICKERS_MAX, `Up to ${BULK_TICKERS_MAX} symbols, separated by commas.`),
  ...SeriesQuery.properties,
  limit: limit(1_000, "Maximum rows per symbol."),
});

export const PanelQuery = Type.Object({
  ...dates,
  days: calendarDays(30),
  symbols: Type.Optional(
    tickerList(
      MULTI_TICKERS_MAX,
      `Only these symbols, up to ${MULTI_TICKERS_MAX}, separated by commas. Default: every symbol in the files.`,
    ),
  ),
  min_total_volume: volumeMin(0),
  ...readAt,
  limit: limit(
    SHORT_VOLUME_LIMIT_MAX,
    "Rows of a JSON page. The streamed formats ignore it and return the whole range.",
  ),
  cursor: Type.Optional(
    Type.String({
      maxLength: 500,
      description: "next_cursor of the previous page, with the same other parameters. JSON only.",
      examples: ["WzEsIjIwMjYtMDgtMDMiLCIyMDI2LTA5LTA0IiwiMjAyNi0wOC0wNSIsIlpPUlAiLCJqZ3pha3NNeWJCbjQiXQ"],
    }),
  ),
  format,
});

export const InterestQuery = Type.Object({
  limit: limit(24),
  ...readAt,
  format,
});

export const IngestRequest = Type.Object({
  date: Type.Optional(dateField("One trade date.")),
  start_date: Type.Optional(dateField("First trade date of a range; needs end_date.", "2018-08-01")),
  end_date: Type.Optional(dateField("Last trade date of the range.")),
  days: days(5, "Number of newest sessions whose files are due, instead of dates."),
  facility: Type.Optional(
    oneOf(FACILITIES, "Which file. The routes read CNMS unless the request names a market.", "CNMS"),
  ),
  force: Type.Optional(flag("Fetches stored days again. A file that has not changed is not stored again.")),
});

const figures = {
  short_volume: Type.Number({ description: "Shares sold short, including exempt ones; may have fractions." }),
  short_exempt_volume: numberOrNull(
    "Shares sold short that were exempt from the price test; null if the file has no such column.",
  ),
  total_volume: Type.Number({
    description:
      "All shares reported to FINRA's facilities in regular hours: off-exchange trades, not the market's volume.",
  }),
  short_volume_ratio: numberOrNull(
    "short_volume / total_volume, a fraction; null when total_volume is 0. Not short interest.",
  ),
};

export const VolumeRow = Type.Object({
  date: day("Trade date."),
  symbol: Type.String({
    description: "As you sent it; in lists of all symbols canonical, as traded that day.",
  }),
  ...figures,
  short_exempt_ratio: numberOrNull(
    "short_exempt_volume / total_volume, a fraction; null if one of them is unknown, or if nothing traded.",
  ),
  market: Type.String({ description: "Reporting facilities, as in the file: B,Q,N." }),
});
export type VolumeRow = Static<typeof VolumeRow>;

const warnings = absenceWarnings;

export const SeriesAnswer = Type.Object({
  symbol: Type.String({ description: "As you sent it." }),
  count: Type.Integer({ description: "Rows in data." }),
  total,
  first_date: textOrNull("Earliest date in data."),
  last_date: textOrNull("Latest date in data."),
  warnings,
  data: Type.Array(VolumeRow, { description: "By trade date, newest first unless requested otherwise." }),
});

export const DayAnswer = Type.Object({
  ...listFields,
  warnings,
  data: Type.Array(VolumeRow, { description: "Ranked as requested." }),
});

export const TopAnswer = Type.Object({
  date: day("The ranked day."),
  ...listFields,
  warnings,
  data: Type.Array(
    Type.Composite([
      VolumeRow,
      Type.Object({
        close: numberOrNull("Close of that day, split-adjusted to now; null if no price is stored."),
        change_percent: numberOrNull(
          "Change from the close of the session before, percentage points; null if one of them is not stored.",
        ),
      }),
    ]),
    { description: "Ranked as requested." },
  ),
});
export type TopAnswer = Static<typeof TopAnswer>;

export const SummaryAnswer = Type.Object({
  symbol: Type.String({ description: "As you sent it." }),
  as_of: day("Newest trade date with a line of the symbol. All figures are as of the end of that day."),
  short_volume_ratio: numberOrNull("That day's ratio, a fraction."),
  avg_ratio_5d: numberOrNull(
    "Mean of the ratios of the last 5 sessions, including that day; null if fewer than 3 are known.",
  ),
  avg_ratio_20d: numberOrNull(
    "Mean of the ratios of the last 20 sessions, including that day; null if fewer than 10 are known.",
  ),
  zscore_20d: numberOrNull(
    "(short_volume_ratio − avg_ratio_20d) / their sample standard deviation over the same sessions; null if the deviation is 0 or unknown.",
  ),
  total_short_volume: numberOrNull("Sum over the last `days` sessions, shares."),
  total_volume: numberOrNull("Sum over the last `days` sessions, shares."),
  days: Type.Integer({ description: "Number of these sessions in which the symbol has a line." }),
});
export type SummaryAnswer = Static<typeof SummaryAnswer>;

export const BulkAnswer = Type.Object({
  count: Type.Integer({ description: "Rows of all symbols." }),
  total,
  warnings,
  data: Type.Record(Type.String(), Type.Array(VolumeRow), {
    description: "By symbol as you sent it. Every requested symbol has a key.",
  }),
});

export const StatusAnswer = Type.Object({
  first_date: textOrNull("First stored trade date."),
  last_date: textOrNull("Last stored trade date."),
  files: Type.Integer({ description: "Days stored." }),
  rows: Type.Integer({ description: "Lines in their newest versions." }),
  symbols: Type.Integer({ description: "Symbols that appear in any stored file." }),
  missing_sessions: Type.Array(Type.String({ format: "date" }), {
    description: "Sessions since first_date whose file is due but not stored.",
  }),
  last_ingest_at: textOrNull("When the newest stored file was fetched, RFC 3339 UTC."),
  history_from: day("FINRA has no older file: earlier days are never served."),
});

export const PanelAnswer = Type.Object({
  start_date: day("First day of the range."),
  end_date: day("Last day of the range."),
  count: Type.Integer({ description: "Rows in this page." }),
  next_cursor: textOrNull("For the next page; null on the last."),
  warnings,
  data: Type.Array(
    Type.Object({
      date: day("Trade date."),
      symbol: Type.String({
        description: "Canonical, as traded that day: a renamed company appears under its symbol of that day.",
      }),
      ...figures,
      adj_close: numberOrNull(
        "The close of that day, adjusted for the known splits and dividends; null if no price is stored.",
      ),
      adj_close_source: textOrNull("Source of the price; null without one."),
      is_delisted: booleanOrNull(
        "True if the symbol is in none of the files of the newest 30 days: it no longer trades, or trades under another symbol. Null if fewer than 10 of these files are stored.",
      ),
      backfilled: booleanOrNull(
        "True if the price was fetched after as_of: its source may have corrected it meanwhile. Null without a price.",
      ),
      price_status: Type.Union([Type.Literal("settled"), Type.Literal("provisional"), Type.Null()], {
        description:
          "settled: the close is final, as the next session has opened. provisional: the close of the newest session as the brokerage feed had it that evening; it gives way to the settled one, and is never served with as_of. Null without a price.",
      }),
    }),
    { description: "By date, then symbol." },
  ),
});

export const InterestAnswer = Type.Object({
  symbol: Type.String({ description: "As you sent it." }),
  count: Type.Integer({ description: "Rows in data." }),
  total,
  data: Type.Array(
    Type.Object({
      settlement_date: day("Settlement date of the positions."),
      short_interest: Type.Number({ description: "Shares." }),
      previous_short_interest: numberOrNull(
        "Shares at the previous settlement date, as this file reports it.",
      ),
      change: numberOrNull("Shares, as reported."),
      change_percent: numberOrNull(
        "change / previous_short_interest in percentage points (1.5 is 1.5 %), as reported.",
      ),
      avg_daily_volume: numberOrNull("Shares per day."),
      days_to_cover: numberOrNull("As reported, at least 1; null if nothing traded."),
      revised: Type.Boolean({ description: "Whether the file marks the row as revised." }),
      reported_symbol: Type.String({
        description:
          "As the file spells it, without separators. Another security may have the same spelling.",
      }),
      issue_name: textOrNull("Name of the issue in the file, which identifies the security."),
      market_class: textOrNull("Market of the listing."),
      known_at: Type.String({ description: "When it was fetched, RFC 3339 UTC." }),
    }),
    { description: "Newest first." },
  ),
});
export type InterestAnswer = Static<typeof InterestAnswer>;

const outcome = (description: string, more: Record<string, TSchema>) =>
  Type.Array(Type.Object({ date: day("Date of the file."), ...more }), { description });

export const IngestAnswer = Type.Object({
  job_id: Type.Integer({ description: "Number of the run in the job ledger." }),
  status: oneOf(
    ["started", "running", "succeeded", "failed", "interrupted"],
    "started: it continues in the background. succeeded: it has ended, although single dates may have failed. failed: every date failed, or it stopped early. interrupted: its process ended.",
  ),
  facility: oneOf(FACILITIES, "Which file."),
  processed: Type.Integer({ description: "Dates that are done." }),
  total: Type.Integer({ description: "Requested dates." }),
  started_at: Type.String({ description: "RFC 3339 UTC." }),
  finished_at: textOrNull("RFC 3339 UTC."),
  error: textOrNull("Why the whole ingest failed."),
  requested_dates: Type.Array(Type.String({ format: "date" }), {
    description: "Requested dates.",
  }),
  ingested: outcome("Stored files.", { rows: Type.Integer({ description: "Lines stored." }) }),
  skipped: outcome("Dates for which nothing was stored.", {
    reason: oneOf(SKIP_REASONS, "Why nothing was stored."),
  }),
  failed: outcome("Files that could not be fetched or read.", {
    error: Type.String({ description: "Why it failed." }),
  }),
  rows_inserted: Type.Integer({ description: "Lines of newly stored days." }),
  rows_updated: Type.Integer({ description: "Lines that a corrected file changed." }),
});
