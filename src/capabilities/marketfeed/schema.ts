// Queries, bodies and answers of the brokerage-feed routes: validation, types and documentation in one place.
import { type Static, Type } from "@sinclair/typebox";
import { MULTI_TICKERS_MAX, SNAPSHOT_TICKERS_MAX } from "../../limits.ts";
import { absenceWarnings } from "../../market/absence.ts";
import { dateOrNull, numberOrNull, textOrNull } from "../../market/answer-fields.ts";
import { INTRADAY_SPELLINGS } from "../../market/interval.ts";
import { dateField, flag, forceRefresh, formatField, oneOf, tickerList } from "../../market/params.ts";

const integer = (description: string) => Type.Integer({ description });

const interval = Type.Optional(
  oneOf(
    INTRADAY_SPELLINGS,
    "Bar length; 1m is one minute. Hours of the regular session begin at the open, 09:30; with include_extended at the full hour.",
    "5m",
  ),
);
const extended = Type.Optional(flag("Include early (from 04:00) and late (to 20:00) trading."));

/** The feed's prices have no other adjustment: asking for another is refused. */
const adjustment = Type.Optional(
  oneOf(["raw"], "The prices of this route are as printed, without any adjustment.", "raw"),
);

export const IntradayQuery = Type.Object({
  tickers: tickerList(MULTI_TICKERS_MAX, `Comma list of up to ${MULTI_TICKERS_MAX} symbols.`),
  interval,
  start_date: Type.Optional(
    dateField("First day, inclusive; default: five sessions back. The feed begins in 2016.", "2026-08-03"),
  ),
  end_date: Type.Optional(
    dateField(
      "Last day, inclusive; default: the last finished session. Today only after 16:00 in New York (13:00 on a half day).",
    ),
  ),
  include_extended: extended,
  adjustment,
  force_refresh: Type.Optional(forceRefresh),
  format: formatField(),
});

export const TodayQuery = Type.Object({
  tickers: tickerList(MULTI_TICKERS_MAX, `Comma list of up to ${MULTI_TICKERS_MAX} symbols.`),
  interval,
  include_extended: extended,
  adjustment,
  format: formatField(),
});

export const SnapshotQuery = Type.Object(
  {
    tickers: Type.Optional(
      tickerList(
        SNAPSHOT_TICKERS_MAX,
        `Comma list of up to ${SNAPSHOT_TICKERS_MAX} symbols. Required, here or as \`ticker\`.`,
      ),
    ),
    ticker: Type.Optional(tickerList(SNAPSHOT_TICKERS_MAX, "Alias of tickers: one symbol or several.")),
    adjustment,
    format: formatField(),
  },
  { needsOneOf: ["tickers", "ticker"] },
);

const figures = {
  open: numberOrNull("First price, in dollars as printed; null when not reported."),
  high: numberOrNull("Highest price."),
  low: numberOrNull("Lowest price."),
};
const traded = {
  vwap: numberOrNull("Volume-weighted average price."),
  trade_count: numberOrNull("Number of trades."),
};

const Bar = Type.Object({
  timestamp: Type.String({ description: "Start of the bar, RFC 3339 UTC." }),
  ...figures,
  close: numberOrNull("Last price."),
  volume: numberOrNull("Shares traded on the feed's exchanges: the single exchange sees 2 to 5 % of them."),
  ...traded,
  session: oneOf(["pre", "regular", "post"], "Part of the day the bar begins in."),
});

const firstDay = Type.String({ format: "date", description: "First day of the range, New York." });
const lastDay = Type.String({ format: "date", description: "Last day of the range, inclusive." });
const jobId = Type.String({ description: "Id of the backfill: GET …/admin/backfill-pit/{job_id}." });

export const MultiBars = Type.Object({
  source: oneOf(["alpaca_sip", "alpaca_iex"], "Consolidated feed (all exchanges), or the single exchange."),
  feed: oneOf(["sip", "iex"], "The feed's own name for it."),
  adjustment: oneOf(["raw"], "Prices are as printed in their session, without any adjustment."),
  interval: Type.String({ description: "1m, 5m, 15m, 30m or 1h." }),
  count: integer("Bars over all symbols."),
  bars: Type.Record(Type.String(), Type.Array(Bar), {
    description:
      "By symbol as you sent it; every requested symbol has a key. A minute without a trade has no bar.",
  }),
  symbols_requested: integer("Number of requested symbols, without duplicates."),
  symbols_returned: integer("Number of symbols with at least one bar."),
  missing: Type.Array(Type.String(), { description: "Symbols without a bar." }),
  errors: Type.Record(Type.String(), Type.String(), {
    description: "What went wrong, by symbol. A symbol may have stored bars and an error.",
  }),
  start_date: firstDay,
  end_date: lastDay,
  delayed_minutes: integer(
    "Delay of the newest bars: 15 while the consolidated feed's day is not complete, else 0.",
  ),
  cached: Type.Boolean({ description: "True when the feed was not asked for this answer." }),
  warnings: absenceWarnings,
});
export type MultiBars = Static<typeof MultiBars>;

const MinuteBar = Type.Object({
  timestamp: Type.String({ description: "Start of the minute, RFC 3339 UTC." }),
  ...figures,
  close: numberOrNull("Last price."),
  volume: numberOrNull("Shares."),
  ...traded,
});

export const Snapshot = Type.Object({
  symbol: Type.String({ description: "As you sent it." }),
  price: numberOrNull("Price of the newest trade, in dollars."),
  price_time: textOrNull("Time of that trade, RFC 3339 UTC."),
  bid: numberOrNull("Best bid price; null when there is none."),
  bid_size: numberOrNull("In shares."),
  ask: numberOrNull("Best ask price; null when there is none."),
  ask_size: numberOrNull("In shares."),
  date: dateOrNull(
    "Session of open, high, low, close and volume; before the open it is the session before today.",
  ),
  ...figures,
  close: numberOrNull("Last price of that session so far."),
  volume: numberOrNull("Shares on the single exchange: 2 to 5 % of all."),
  ...traded,
  prev_close: numberOrNull(
    "Last daily close before the session of `price_time`: before the open it is the close of `date`, from the open that of the session before `date`. Null when the feed gives no earlier close.",
  ),
  prev_close_date: dateOrNull("Session of prev_close."),
  change: numberOrNull("price − prev_close."),
  change_percent: numberOrNull("change ÷ prev_close, in percent points."),
  minute_bar: Type.Union([MinuteBar, Type.Null()], { description: "The newest minute with a trade." }),
  status: oneOf(["ok", "no_data"], "no_data: the feed has nothing for the symbol; every figure is null."),
});

export const SnapshotAnswer = Type.Object({
  source: oneOf(["alpaca_iex"], "The single-exchange feed."),
  count: integer("Number of symbols with data."),
  as_of: Type.String({ description: "When the feed answered, RFC 3339 UTC." }),
  snapshots: Type.Record(Type.String(), Snapshot, { description: "By symbol as you sent it." }),
  missing: Type.Array(Type.String(), { description: "Symbols without data." }),
  errors: Type.Record(Type.String(), Type.String(), { description: "What went wrong, by symbol." }),
});
export type SnapshotAnswer = Static<typeof SnapshotAnswer>;

export const StatusAnswer = Type.Object({
  configured: Type.Boolean({ description: "Whether both keys are set." }),
  reachable: Type.Boolean({ description: "Whether the feed answered our keys within the last minute." }),
  feed_historical: oneOf(["sip"], "Feed of finished sessions: all exchanges."),
  feed_realtime: oneOf(["iex"], "Feed of the running day and of snapshots: one exchange."),
  market_open: Type.Boolean({ description: "Whether the regular session is open." }),
  market_session: oneOf(["pre", "regular", "post", "closed"], "Part of the exchange's day."),
  next_open: Type.String({ description: "RFC 3339 UTC, by the exchange calendar." }),
  next_close: Type.String({
    description: "RFC 3339 UTC; the close of the running session while there is one.",
  }),
  rate_limit: Type.Object(
    {
      limit: numberOrNull("Requests per minute, by the feed's newest answer; null before the first."),
      remaining: numberOrNull("Requests left at that time."),
      reset_at: textOrNull("When the count is reset, RFC 3339 UTC."),
    },
    { description: "The feed's own rate limit for these keys." },
  ),
  active_requests: integer("Running requests of clients for bars."),
  max_concurrent: integer("Most requests at once."),
  last_success_at: textOrNull("RFC 3339 UTC; null before the first success of the process."),
  last_error: textOrNull("The most recent error."),
  stored: Type.Object(
    {
      symbols: integer("Symbols with stored bars of the consolidated feed, daily or intraday."),
      bars: integer("Number of those bars."),
      first_date: textOrNull("Their first session, YYYY-MM-DD."),
      last_date: textOrNull("Their last session, YYYY-MM-DD."),
    },
    { description: "Bars of the feed in the lake." },
  ),
});
export type StatusAnswer = Static<typeof StatusAnswer>;

export const BackfillRequest = Type.Object({
  start_date: Type.Optional(
    dateField(
      "First day; default: the first of the short-volume files, not before 2016-01-01, where the feed begins.",
    ),
  ),
  end_date: Type.Optional(dateField("Last day; default: the newest of the short-volume files.")),
  symbols: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 20 }), {
      minItems: 1,
      maxItems: 20_000,
      description: "Symbols as traded; default: every symbol of the files.",
      examples: [["BRK/B"]],
    }),
  ),
  adjustment: Type.Optional(
    oneOf(["all"], "Closes are adjusted for splits, dividends and spin-offs.", "all"),
  ),
  resume: Type.Optional(
    flag(
      "Skip what an earlier backfill requested without result; false requests it again. Stored bars are never requested again.",
      true,
    ),
  ),
});
export type BackfillRequest = Static<typeof BackfillRequest>;

export const BackfillAccepted = Type.Object({
  job_id: jobId,
  status: oneOf(["started"], "It runs in the background."),
  symbols: integer("Number of symbols to fill."),
  start_date: firstDay,
  end_date: lastDay,
});
export type BackfillAccepted = Static<typeof BackfillAccepted>;

export const JobPath = Type.Object({
  job_id: Type.String({
    minLength: 1,
    maxLength: 40,
    description: "As in the answer to POST.",
    examples: ["01K4R7M2Q8ZC3V5X6B9N0D1E2F"],
  }),
});

export const BackfillStatus = Type.Object({
  job_id: jobId,
  status: oneOf(
    ["running", "succeeded", "failed", "interrupted"],
    "failed: it ended early, see `error`. interrupted: its process ended. POST the same request again to resume it.",
  ),
  start_date: firstDay,
  end_date: lastDay,
  processed: integer("Number of finished symbols."),
  total: integer("Number of symbols in all."),
  rows: integer("Number of daily bars stored."),
  failed: Type.Array(
    Type.Object({
      symbol: Type.String({ description: "As traded then." }),
      error: Type.String({ description: "Why it could not be filled." }),
    }),
    { description: "Symbols that could not be filled, by symbol." },
  ),
  error: textOrNull("Why it ended early."),
  started_at: Type.String({ description: "RFC 3339 UTC." }),
  finished_at: textOrNull("RFC 3339 UTC."),
});
export type BackfillStatus = Static<typeof BackfillStatus>;
