// Queries, bodies and answers of the brokerage-feed routes: the check, the types and the documentation in one place.
import { type Static, Type } from "@sinclair/typebox";
import { MULTI_TICKERS_MAX, SNAPSHOT_TICKERS_MAX } from "../../limits.ts";
import { dateField, flag, forceRefresh, formatField, oneOf, tickerList } from "../../market/params.ts";
import { INTERVAL_SPELLINGS } from "./timeframes.ts";

const orNull = <T extends ReturnType<typeof Type.Number> | ReturnType<typeof Type.String>>(schema: T) =>
  Type.Union([schema, Type.Null()]);
const number = (description: string) => orNull(Type.Number({ description }));
const text = (description: string) => orNull(Type.String({ description }));
const whole = (description: string) => Type.Integer({ description });

const interval = Type.Optional(
  oneOf(
    INTERVAL_SPELLINGS,
    "Bar length; 1m is one minute. Hours of the regular session begin at the open, 09:30; with include_extended at the full hour.",
    "5m",
  ),
);
const extended = Type.Optional(flag("Early (from 04:00) and late (to 20:00) trading too."));

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
  force_refresh: Type.Optional(forceRefresh),
  format: Type.Optional(formatField),
});

export const TodayQuery = Type.Object({
  tickers: tickerList(MULTI_TICKERS_MAX, `Comma list of up to ${MULTI_TICKERS_MAX} symbols.`),
  interval,
  include_extended: extended,
  format: Type.Optional(formatField),
});

export const SnapshotQuery = Type.Object(
  {
    tickers: Type.Optional(
      tickerList(
        SNAPSHOT_TICKERS_MAX,
        `Comma list of up to ${SNAPSHOT_TICKERS_MAX} symbols. Needed, here or as \`ticker\`.`,
      ),
    ),
    ticker: Type.Optional(tickerList(SNAPSHOT_TICKERS_MAX, "Alias of tickers: one symbol or several.")),
  },
  { needsOneOf: ["tickers", "ticker"] },
);

const figures = {
  open: number("First price, in dollars as printed; null when not reported."),
  high: number("Highest price."),
  low: number("Lowest price."),
};
const traded = {
  vwap: number("Average price weighted by volume."),
  trade_count: number("Trades."),
};

const Bar = Type.Object({
  timestamp: Type.String({ description: "Start of the bar, RFC 3339 UTC." }),
  ...figures,
  close: number("Last price."),
  volume: number("Shares traded on the feed's exchanges: the single exchange sees 2 to 5 % of them."),
  ...traded,
  session: oneOf(["pre", "regular", "post"], "Part of the day the bar begins in."),
});

const firstDay = Type.String({ format: "date", description: "First day of the range, New York." });
const lastDay = Type.String({ format: "date", description: "Last day of the range, inclusive." });
const jobId = Type.String({ description: "Number of the backfill: GET …/admin/backfill-pit/{job_id}." });

export const MultiBars = Type.Object({
  source: oneOf(["alpaca_sip", "alpaca_iex"], "Consolidated feed (all exchanges), or the single exchange."),
  feed: oneOf(["sip", "iex"], "The feed's own name of it."),
  adjustment: oneOf(["raw"], "Prices are as printed in their session, adjusted for nothing."),
  interval: Type.String({ description: "1m, 5m, 15m, 30m or 1h." }),
  count: whole("Bars over all symbols."),
  bars: Type.Record(Type.String(), Type.Array(Bar), {
    description:
      "By symbol as you sent it; every symbol asked for has a key. A minute without a trade has no bar.",
  }),
  symbols_requested: whole("After duplicates are removed."),
  symbols_returned: whole("Symbols with at least one bar."),
  missing: Type.Array(Type.String(), { description: "Symbols without a bar." }),
  errors: Type.Record(Type.String(), Type.String(), {
    description: "What went wrong, by symbol. A symbol may have stored bars and an error.",
  }),
  start_date: firstDay,
  end_date: lastDay,
  delayed_minutes: whole(
    "How late the newest bars are: 15 while the consolidated feed's own day is not complete, else 0.",
  ),
  cached: Type.Boolean({ description: "True when the feed was not asked for this answer." }),
});
export type MultiBars = Static<typeof MultiBars>;

const MinuteBar = Type.Object({
  timestamp: Type.String({ description: "Start of the minute, RFC 3339 UTC." }),
  ...figures,
  close: number("Last price."),
  volume: number("Shares."),
  ...traded,
});

const Snapshot = Type.Object({
  symbol: Type.String({ description: "As you sent it." }),
  price: number("Of the newest trade, in dollars."),
  price_time: text("When it traded, RFC 3339 UTC."),
  bid: number("Best price offered; null when there is none."),
  bid_size: number("In shares."),
  ask: number("Best price demanded; null when there is none."),
  ask_size: number("In shares."),
  date: text("Session of open, high, low, close and volume: before the open it is the one before today."),
  ...figures,
  close: number("Last price of that session so far."),
  volume: number("Shares on the single exchange: 2 to 5 % of all."),
  ...traded,
  prev_close: number("Close of the session before `date`."),
  prev_close_date: text("Session of prev_close."),
  change: number("price − prev_close."),
  change_percent: number("change ÷ prev_close, in percent points."),
  minute_bar: Type.Union([MinuteBar, Type.Null()], { description: "The newest minute with a trade." }),
  status: oneOf(["ok", "no_data"], "no_data: the feed has nothing of the symbol; every figure is null."),
});

export const SnapshotAnswer = Type.Object({
  source: oneOf(["alpaca_iex"], "The single-exchange feed."),
  count: whole("Symbols with data."),
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
  market_open: Type.Boolean({ description: "Whether the regular session runs." }),
  market_session: oneOf(["pre", "regular", "post", "closed"], "Part of the exchange's day."),
  next_open: Type.String({ description: "RFC 3339 UTC, by the exchange calendar." }),
  next_close: Type.String({ description: "RFC 3339 UTC; the running session's own while it runs." }),
  rate_limit: Type.Object(
    {
      limit: number("Requests a minute, as the feed's newest answer told; null before the first."),
      remaining: number("Left of them then."),
      reset_at: text("When the count begins anew, RFC 3339 UTC."),
    },
    { description: "The feed's own allowance for these keys." },
  ),
  active_requests: whole("Bars requests of clients under way."),
  max_concurrent: whole("Places for them."),
  last_success_at: text("RFC 3339 UTC; null since the start of the process."),
  last_error: text("What went wrong last."),
  stored: Type.Object(
    {
      symbols: whole("Symbols with stored bars of the consolidated feed, daily or intraday."),
      bars: whole("Those bars."),
      first_date: text("Their first session, YYYY-MM-DD."),
      last_date: text("Their last session, YYYY-MM-DD."),
    },
    { description: "What the lake holds of the feed." },
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
      maxItems: 20_000,
      description: "Only these, as traded; default: every symbol of the files.",
      examples: [["BRK/B"]],
    }),
  ),
  adjustment: Type.Optional(
    oneOf(["all"], "Closes are adjusted for splits, dividends and spin-offs.", "all"),
  ),
  resume: Type.Optional(
    flag(
      "Pass over what an earlier backfill has asked for in vain; false asks again. What is stored is never asked again.",
      true,
    ),
  ),
});
export type BackfillRequest = Static<typeof BackfillRequest>;

export const BackfillAccepted = Type.Object({
  job_id: jobId,
  status: oneOf(["started"], "It runs in the background."),
  symbols: whole("Symbols to be filled."),
  start_date: firstDay,
  end_date: lastDay,
});
export type BackfillAccepted = Static<typeof BackfillAccepted>;

export const JobPath = Type.Object({
  job_id: Type.String({
    minLength: 1,
    maxLength: 40,
    description: "As POST answered it.",
    examples: ["01K4R7M2Q8ZC3V5X6B9N0D1E2F"],
  }),
});

export const BackfillStatus = Type.Object({
  job_id: jobId,
  status: oneOf(
    ["running", "succeeded", "failed", "interrupted"],
    "failed: it ended early, `error` says why. interrupted: its process ended. Ask for it again and it goes on.",
  ),
  start_date: firstDay,
  end_date: lastDay,
  processed: whole("Symbols dealt with."),
  total: whole("Symbols to be dealt with."),
  rows: whole("Daily bars stored."),
  failed: Type.Array(
    Type.Object({
      symbol: Type.String({ description: "As traded then." }),
      error: Type.String({ description: "Why it could not be filled." }),
    }),
    { description: "Symbols that could not be filled, by symbol." },
  ),
  error: text("Why it ended early."),
  started_at: Type.String({ description: "RFC 3339 UTC." }),
  finished_at: text("RFC 3339 UTC."),
});
export type BackfillStatus = Static<typeof BackfillStatus>;
