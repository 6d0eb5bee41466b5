// Queries, bodies and answers of the price routes: the check, the types and the documentation in one place.
import { type Static, Type } from "@sinclair/typebox";
import { BULK_TICKERS_MAX, INTRADAY_DELAY_MINUTES, MULTI_TICKERS_MAX } from "../../limits.ts";
import { bulkAnswer } from "../../market/answer-fields.ts";
import {
  asOfField,
  dateField,
  flag,
  forceRefresh,
  formatField,
  oneOf,
  spanBody,
  spanQuery,
  tickerArray,
  tickerField,
  tickerList,
} from "../../market/params.ts";
import { PERIODS } from "../../market/time-span.ts";

const orNull = <T extends ReturnType<typeof Type.Number> | ReturnType<typeof Type.String>>(schema: T) =>
  Type.Union([schema, Type.Null()]);
const price = (description: string) => orNull(Type.Number({ description }));
const text = (description: string) => orNull(Type.String({ description }));
const shares = (description: string) => orNull(Type.Number({ description }));

const asSent = Type.String({ description: "As you sent it." });
const CURRENCY =
  "Of the prices: ISO 4217, or the provider's minor-unit code such as GBp; null when it gives none.";

export const TickerPath = Type.Object({ ticker: tickerField() });

const historyInterval = oneOf(
  ["1d", "5d", "1w", "1wk", "1m", "1mo", "1h"],
  "Bar length. 1w is an ISO week labelled by its Monday; 1m and 1mo are one MONTH labelled by its first day; 5d is five consecutive sessions labelled by the first; 1h is one hour, the last 730 days only. Longer bars are made of the daily ones.",
  "1d",
);

export const HistoryQuery = Type.Object({
  ...spanQuery,
  start: Type.Optional(dateField("Alias of start_date.", "2026-08-03")),
  end: Type.Optional(dateField("Alias of end_date.")),
  interval: Type.Optional(historyInterval),
  as_of: Type.Optional(asOfField),
  revisions: Type.Optional(
    flag(
      "List later values of stored bars that differ, with the moment each became known. The bars themselves stay as first known.",
    ),
  ),
  force_refresh: Type.Optional(forceRefresh),
  format: Type.Optional(formatField),
});

export const PriceDataRequest = Type.Object({
  ticker: tickerField(),
  ...spanBody,
  interval: Type.Optional(historyInterval),
  as_of: Type.Optional(asOfField),
  force_refresh: Type.Optional(forceRefresh),
});

export const BulkPriceDataRequest = Type.Object({
  tickers: tickerArray(BULK_TICKERS_MAX),
  ...spanBody,
  interval: Type.Optional(historyInterval),
  as_of: Type.Optional(asOfField),
  force_refresh: Type.Optional(forceRefresh),
});

export const MultiQuery = Type.Object(
  {
    tickers: Type.Optional(
      tickerList(
        MULTI_TICKERS_MAX,
        `Comma list of up to ${MULTI_TICKERS_MAX} symbols. Needed, here or as \`ticker\`.`,
      ),
    ),
    ticker: Type.Optional(tickerList(MULTI_TICKERS_MAX, "Alias of tickers.")),
    start_date: dateField("First day, inclusive.", "2026-08-03"),
    end_date: dateField("Last day, inclusive."),
    interval: Type.Optional(
      oneOf(["1d", "1w", "1mo"], "Bar length; weeks and months are made of the daily bars.", "1d"),
    ),
    as_of: Type.Optional(asOfField),
    force_refresh: Type.Optional(forceRefresh),
    format: Type.Optional(formatField),
  },
  { needsOneOf: ["tickers", "ticker"] },
);

const INTRADAY_WORDS = [
  "1m",
  "1min",
  "5m",
  "5min",
  "15m",
  "15min",
  "30m",
  "30min",
  "1h",
  "60m",
  "60min",
  "1hour",
] as const;

export const IntradayMultiQuery = Type.Object({
  tickers: tickerList(MULTI_TICKERS_MAX, `Comma list of up to ${MULTI_TICKERS_MAX} symbols.`),
  interval: Type.Optional(oneOf(INTRADAY_WORDS, "Bar length. 1m here is one minute.", "5m")),
  start_date: Type.Optional(
    dateField(
      "First day, inclusive; default: the latest session. Not further back than 7 days for 1m, 60 for 5m to 30m, 730 for 1h.",
    ),
  ),
  end_date: Type.Optional(dateField("Last day, inclusive; default: today.")),
  force_refresh: Type.Optional(forceRefresh),
  format: Type.Optional(formatField),
});

export const IntradayQuery = Type.Object({
  interval: Type.Optional(
    oneOf([...INTRADAY_WORDS, "2m", "90m"], "Bar length. 1m here is one minute.", "1m"),
  ),
  period: Type.Optional(
    oneOf(
      PERIODS,
      "Span counted back from today; 1d is the latest session. Not longer than 7 days for 1m, 60 for 2m to 90m, 730 for 1h.",
      "1d",
    ),
  ),
  format: Type.Optional(formatField),
});

export const QuoteQuery = Type.Object({
  use_prepost: Type.Optional(
    flag("false: pre- and post-market fields are null and `price` is the regular one.", true),
  ),
});

const BASIS =
  "in the symbol's currency, split-adjusted by every action known with an ex date up to the day of the answer or of as_of (`adjusted_through`, where the answer has it), not dividend-adjusted; null when not reported";
const ohlc = {
  open: price(`First price, ${BASIS}.`),
  high: price("Highest price, same basis as open."),
  low: price("Lowest price, same basis as open."),
  close: price(
    "Last price, same basis as open. Never null or 0 in a daily row: such a day counts as missing.",
  ),
  volume: shares("Shares traded, split-adjusted as the prices are; null when not reported."),
};

const actions = {
  dividend: Type.Optional(
    Type.Number({
      description:
        "Cash dividend with this ex date, in currency per share, split-adjusted as the prices are. Only when there is one; one paid in another currency stands in the warnings of a single ticker's answer.",
    }),
  ),
  split_ratio: Type.Optional(
    Type.Number({
      description:
        "Split with this ex date as a ratio, new shares for one old: 4 for 4:1, 0.1 for 1:10. Only when there is one.",
    }),
  ),
  provisional: Type.Optional(
    Type.Literal(true, {
      description:
        "The session is not settled: open, high, low, close and volume may still change. Such a row is never stored.",
    }),
  ),
  partial: Type.Optional(
    Type.Literal(true, {
      description:
        "A longer bar that does not hold its whole period: it runs still, the asked range cuts it, or a session in it has no bar.",
    }),
  ),
};

export const PriceDataPoint = Type.Object({
  date: Type.String({
    format: "date",
    description: "Session date in the exchange's zone (period label for longer bars).",
  }),
  timestamp: Type.String({
    description: "Start of the session or bar, RFC 3339 UTC; the date itself for longer bars.",
  }),
  ...ohlc,
  adjusted_close: price(
    "Close adjusted for splits and dividends by every action known with an ex date up to the day of the answer or of as_of; null when the provider gave none, and on intraday bars.",
  ),
  ...actions,
});

const Revision = Type.Object({
  date: Type.String({ format: "date", description: "Session of the bar." }),
  known_at: Type.String({ description: "When this service learnt the value, RFC 3339 UTC." }),
  source: Type.String({ description: "Provider who gave it." }),
  ...ohlc,
  adjusted_close: price("Adjusted close as given then, on the basis of the row it differs from."),
});

export const PriceDataResponse = Type.Object({
  ticker: Type.String({ description: "As you sent it." }),
  interval: Type.String({ description: "1d, 5d, 1w, 1mo or 1h." }),
  start_date: text("First day of the answer's range; null for all history of a symbol without bars."),
  end_date: Type.String({ description: "Last day of the answer's range, inclusive." }),
  period: text("The period asked for or taken by default; null when dates or quarters were given."),
  currency: text(CURRENCY),
  exchange_timezone: text("IANA zone of the exchange, whose days `date` counts."),
  count: Type.Integer({ description: "Rows in data." }),
  data: Type.Array(PriceDataPoint, { description: "Oldest first." }),
  source: Type.String({
    description: "Provider of the bars; several by comma where the series is filled by more than one.",
  }),
  cached: Type.Boolean({ description: "True when no provider was asked for this answer." }),
  last_updated: text("When the newest stored row of the answer became known, RFC 3339 UTC."),
  adjusted_through: text(
    "Prices are split-adjusted, and adjusted_close dividend-adjusted, by every action known with an ex date up to this day.",
  ),
  as_of: Type.Optional(Type.String({ description: "The moment asked for, RFC 3339 UTC." })),
  revisions: Type.Optional(
    Type.Array(Revision, {
      description: "Only with revisions=true: later, differing values of rows in the range.",
    }),
  ),
  warnings: Type.Array(Type.String(), { description: "What is missing or old, and why." }),
});
export type PriceDataResponse = Static<typeof PriceDataResponse>;

const clampedFrom = Type.Optional(
  Type.String({
    description:
      "Only when the provider's look-back ends within the first day asked for: bars before this instant (RFC 3339 UTC) it gives no more.",
  }),
);

const Bar = Type.Object({
  timestamp: Type.String({
    description: "Daily, weekly, monthly: the date. Intraday: start of the bar, RFC 3339 UTC.",
  }),
  ...ohlc,
  adjusted_close: Type.Optional(
    price(
      "Close adjusted for splits and dividends, on the same day's basis; null when the provider gave none. Only on daily and longer bars.",
    ),
  ),
  ...actions,
});

export const MultiBarsResponse = Type.Object({
  source: Type.String({
    description:
      "Provider of the bars: yahoo, alpaca_sip, or both by comma where some are of the one and some of the other.",
  }),
  interval: Type.String({ description: "Length of the bars, as asked." }),
  count: Type.Integer({ description: "Bars over all symbols." }),
  bars: Type.Record(Type.String(), Type.Array(Bar), {
    description: "By symbol as you sent it; every symbol asked for has a key.",
  }),
  sources: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description:
        "Only where there are several: the provider of each symbol's bars, by comma where a series is filled by both.",
    }),
  ),
  symbols_requested: Type.Integer({ description: "After duplicates are removed." }),
  symbols_returned: Type.Integer({ description: "Symbols with at least one bar." }),
  missing: Type.Array(Type.String(), { description: "Symbols without a bar." }),
  errors: Type.Record(Type.String(), Type.String(), {
    description: "What went wrong, by symbol. A symbol may have stored bars and an error.",
  }),
  start_date: Type.String({ description: "First day of the range, YYYY-MM-DD." }),
  end_date: Type.String({ description: "Last day of the range, inclusive, YYYY-MM-DD." }),
  delayed_minutes: Type.Optional(Type.Integer({ description: `Intraday only: ${INTRADAY_DELAY_MINUTES}.` })),
  clamped_from: clampedFrom,
  cached: Type.Boolean({ description: "True when no provider was asked for this answer." }),
});
export type MultiBarsResponse = Static<typeof MultiBarsResponse>;

export const BulkPriceDataResponse = bulkAnswer(PriceDataResponse);

export const LatestResponse = Type.Composite([
  PriceDataPoint,
  Type.Object({
    ticker: asSent,
    currency: text(CURRENCY),
    source: Type.String({ description: "Provider of the bar." }),
  }),
]);

const change = (what: string) => price(`${what}, in currency.`);
const percent = (what: string) =>
  orNull(Type.Number({ description: `${what}, in percent points (1.5 is 1.5 %).` }));

export const QuoteResponse = Type.Object({
  ticker: asSent,
  name: text("Company or fund."),
  currency: text(CURRENCY),
  exchange: text("The provider's name of the exchange."),
  market_state: oneOf(
    ["PRE", "REGULAR", "POST", "CLOSED"],
    "Where the exchange's day stands. Overnight counts as CLOSED.",
  ),
  price: Type.Number({ description: "The newest price of the sessions asked for, in currency." }),
  price_source: oneOf(["regular", "pre", "post"], "Which session `price` is of."),
  price_time: text("When it traded, RFC 3339 UTC: never the time of asking."),
  regular_market_price: Type.Number({ description: "Newest price of the regular session, in currency." }),
  regular_market_change: change("Against previous_close"),
  regular_market_change_percent: percent("Against previous_close"),
  regular_market_time: text("When that price traded, RFC 3339 UTC."),
  regular_market_open: price("First price of the session, in currency."),
  regular_market_day_high: price("Highest price of the session, in currency."),
  regular_market_day_low: price("Lowest price of the session, in currency."),
  regular_market_volume: shares("Shares traded in the regular session."),
  previous_close: price("Close of the session before, in currency, as the provider adjusts it for splits."),
  pre_market_price: price(
    "Newest price before the open, in currency; null outside its time, or with use_prepost=false.",
  ),
  pre_market_change: change("Against regular_market_price"),
  pre_market_change_percent: percent("Against regular_market_price"),
  pre_market_time: text("When it traded, RFC 3339 UTC."),
  post_market_price: price(
    "Newest price after the close, in currency; null outside its time, or with use_prepost=false.",
  ),
  post_market_change: change("Against regular_market_price"),
  post_market_change_percent: percent("Against regular_market_price"),
  post_market_time: text("When it traded, RFC 3339 UTC."),
  bid: price("Price offered, in currency."),
  ask: price("Price demanded, in currency."),
  bid_size: shares("As the provider gives it: it does not say whether shares or round lots."),
  ask_size: shares("As the provider gives it: it does not say whether shares or round lots."),
  market_cap: price("Market value, whole units of currency (of pounds where prices are in pence)."),
  fifty_two_week_high: price("Highest of 52 weeks, in currency."),
  fifty_two_week_low: price("Lowest of 52 weeks, in currency."),
  delay_minutes: orNull(Type.Number({ description: "Minutes the provider says its prices are late." })),
});
export type QuoteResponse = Static<typeof QuoteResponse>;

export const IntradayResponse = Type.Object({
  ticker: asSent,
  interval: Type.String({ description: "Length of the bars, as asked." }),
  period: Type.String({ description: "Span of the bars, as asked." }),
  timezone: Type.String({ description: "IANA zone of the exchange; the timestamps are UTC." }),
  previous_close: price(
    "Close of the session before the newest one, in the symbol's currency; null when the provider does not say it.",
  ),
  delayed_minutes: Type.Integer({ description: "Minutes the newest bars are late." }),
  clamped_from: clampedFrom,
  count: Type.Integer({ description: "Bars in data." }),
  data: Type.Array(
    Type.Object({
      timestamp: Type.String({ description: "Start of the bar, RFC 3339 UTC." }),
      ...ohlc,
      session: oneOf(
        ["pre", "regular", "post"],
        "Part of the day. Volume outside the regular session is not reported: null.",
      ),
    }),
    { description: "Oldest first." },
  ),
});
export type IntradayResponse = Static<typeof IntradayResponse>;

export const TodayOHLCResponse = Type.Object({
  ticker: asSent,
  date: Type.String({ format: "date", description: "The session described: today's, or the latest one." }),
  open: price("First price, in the symbol's currency, split-adjusted to today."),
  high: price("Highest price so far, in the same."),
  low: price("Lowest price so far, in the same."),
  close: price("Last price so far, in the same."),
  volume: shares("Shares traded in the regular session."),
  previous_close: price("Close of the session before, on today's split basis."),
  change: change("close − previous_close"),
  change_percent: percent("change ÷ previous_close"),
  is_final: Type.Boolean({ description: "False while the provider may still correct the session." }),
  source: oneOf(
    ["daily", "aggregated_1m"],
    "The daily bar (a settled one, or that of another exchange than New York's), or one-minute bars put together.",
  ),
  bar_count: Type.Integer({ description: "Bars it is made of." }),
  as_of: text("Time of the newest information in it, RFC 3339 UTC."),
});
export type TodayOHLCResponse = Static<typeof TodayOHLCResponse>;
