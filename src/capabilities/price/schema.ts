// Queries, bodies and answers of the price routes: validation, types and documentation in one place.
import { type Static, Type } from "@sinclair/typebox";
import { BULK_TICKERS_MAX, INTRADAY_DELAY_MINUTES, MULTI_TICKERS_MAX } from "../../limits.ts";
import { bulkAnswer, numberOrNull, textOrNull } from "../../market/answer-fields.ts";
import { INTRADAY_SPELLINGS } from "../../market/interval.ts";
import {
  asOfFields,
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
import { change, percent } from "../../market/quote.ts";
import { PERIODS } from "../../market/time-span.ts";
import { notReadField, waitField } from "./first-part-schema.ts";
import { ADJUSTMENTS } from "./request/adjustment.ts";

const storedOnly = flag(
  "Answer from what is stored, without asking a provider. Not together with force_refresh.",
);

const asSent = Type.String({ description: "As you sent it." });
const CURRENCY =
  "Of the prices: ISO 4217, or the provider's minor-unit code such as GBp; null when it gives none.";

const historyInterval = oneOf(
  ["1d", "5d", "1w", "1wk", "1m", "1mo", "1h"],
  "Bar length. 1w is an ISO week labelled by its Monday; 1m and 1mo are one MONTH labelled by its first day; 5d is five consecutive sessions labelled by the first; 1h is one hour, the last 730 days only. Longer bars are aggregated from daily ones.",
  "1d",
);

const adjustmentField = oneOf(
  ADJUSTMENTS,
  "Of open, high, low and close. raw: as traded on the day, and volume and dividend too; null with a warning where not every split since is known, or a longer bar has sessions before and after a split. split: by splits up to the day of the answer or of as_of. all: by splits and dividends, in proportion to adjusted_close. adjusted_close is the same with each. Hourly bars have split only.",
  "split",
);

/** Of routes whose prices have no other adjustment: asking for another is refused. */
const splitOnly = {
  adjustment: Type.Optional(
    oneOf(["split"], "The prices of this route are adjusted by splits only.", "split"),
  ),
};

const adjustmentAnswer = oneOf(ADJUSTMENTS, "Adjustment of open, high, low and close.");

/** The query of a route that takes no other field. */
export const SplitOnlyQuery = Type.Object(splitOnly);

export const HistoryQuery = Type.Object({
  ...spanQuery,
  start: Type.Optional(dateField("Alias of start_date.", "2026-08-03")),
  end: Type.Optional(dateField("Alias of end_date.")),
  interval: Type.Optional(historyInterval),
  ...asOfFields(),
  adjustment: Type.Optional(adjustmentField),
  revisions: Type.Optional(
    flag(
      "List later, differing values of stored bars, with the time each became known. The bars themselves stay as first known.",
    ),
  ),
  force_refresh: Type.Optional(forceRefresh),
  stored_only: Type.Optional(storedOnly),
  format: formatField(),
});

const requested = {
  ...spanBody,
  interval: Type.Optional(historyInterval),
  ...asOfFields(),
  adjustment: Type.Optional(adjustmentField),
  force_refresh: Type.Optional(forceRefresh),
  stored_only: Type.Optional(storedOnly),
};
export const PriceDataRequest = Type.Object({ ticker: tickerField(), ...requested });
export const BulkPriceDataRequest = Type.Object({ tickers: tickerArray(BULK_TICKERS_MAX), ...requested });

export const MultiQuery = Type.Object(
  {
    tickers: Type.Optional(
      tickerList(
        MULTI_TICKERS_MAX,
        `Comma list of up to ${MULTI_TICKERS_MAX} symbols. Required, here or as \`ticker\`.`,
      ),
    ),
    ticker: Type.Optional(tickerList(MULTI_TICKERS_MAX, "Alias of tickers.")),
    start_date: dateField("First day, inclusive.", "2026-08-03"),
    end_date: dateField("Last day, inclusive."),
    interval: Type.Optional(
      oneOf(["1d", "1w", "1mo"], "Bar length; weeks and months are aggregated from daily bars.", "1d"),
    ),
    ...asOfFields(),
    adjustment: Type.Optional(adjustmentField),
    force_refresh: Type.Optional(forceRefresh),
    stored_only: Type.Optional(storedOnly),
    wait: Type.Optional(waitField),
    format: formatField(),
  },
  { needsOneOf: ["tickers", "ticker"] },
);

export const IntradayMultiQuery = Type.Object({
  tickers: tickerList(MULTI_TICKERS_MAX, `Comma list of up to ${MULTI_TICKERS_MAX} symbols.`),
  interval: Type.Optional(oneOf(INTRADAY_SPELLINGS, "Bar length. 1m here is one minute.", "5m")),
  ...splitOnly,
  start_date: Type.Optional(
    dateField(
      "First day, inclusive; default: the latest session. At most 7 days back for 1m, 60 for 5m to 30m, 730 for 1h.",
    ),
  ),
  end_date: Type.Optional(dateField("Last day, inclusive; default: today.")),
  force_refresh: Type.Optional(forceRefresh),
  format: formatField(),
});

export const IntradayQuery = Type.Object({
  ...splitOnly,
  interval: Type.Optional(
    oneOf([...INTRADAY_SPELLINGS, "2m", "90m"], "Bar length. 1m here is one minute.", "1m"),
  ),
  period: Type.Optional(
    oneOf(
      PERIODS,
      "Span counted back from today; 1d is the latest session. At most 7 days for 1m, 60 for 2m to 90m, 730 for 1h.",
      "1d",
    ),
  ),
  format: formatField(),
});

const BASIS =
  "in the symbol's currency, split-adjusted by every action known with an ex date up to the day of the answer or of as_of (`adjusted_through`, if the answer has it), not dividend-adjusted; with `adjustment` raw or all as that says; null when not reported or not known on that adjustment";
const ohlc = {
  open: numberOrNull(`First price, ${BASIS}.`),
  high: numberOrNull("Highest price, same basis as open."),
  low: numberOrNull("Lowest price, same basis as open."),
  close: numberOrNull(
    "Last price, same basis as open. Never 0 in a daily row, and null only with adjustment raw or all: a day without a close counts as missing.",
  ),
  volume: numberOrNull(
    "Shares traded, split-adjusted as the prices are (as traded with adjustment=raw); null when not reported or not known.",
  ),
};

const actions = {
  dividend: Type.Optional(
    numberOrNull(
      "Cash dividend with this ex date, in currency per share, split-adjusted as the prices are, and as paid with adjustment=raw: null where that is not known. Present only when there is one; a dividend in another currency is a warning of the single-ticker answer instead.",
    ),
  ),
  capital_gain: Type.Optional(
    numberOrNull(
      "Capital gain that a fund distributed with this ex date, in the unit of dividend. Present only when there is one. Where the provider lists it within the day's dividend too, adjusted_close subtracts it once, and a warning says so.",
    ),
  ),
  split_ratio: Type.Optional(
    Type.Number({
      description:
        "Split with this ex date as a ratio, new shares for one old: 4 for 4:1, 0.1 for 1:10. Present only when there is one.",
    }),
  ),
  outlier: Type.Optional(
    Type.Literal(true, {
      description:
        "A price of the bar is 20 times or more off the closes around it in the answer, which a warning names too. It is as the provider reported it.",
    }),
  ),
  provisional: Type.Optional(
    Type.Literal(true, {
      description:
        "The session is not settled: open, high, low, close and volume may still change. Such a row is never stored.",
    }),
  ),
  backfilled: Type.Optional(
    Type.Literal(true, {
      description:
        "Only with as_of: the bar was fetched after as_of, and its provider may have corrected it meanwhile.",
    }),
  ),
  partial: Type.Optional(
    Type.Literal(true, {
      description:
        "A longer bar that does not cover its whole period: the period is not over, the requested range cuts it, or a session in it has no bar.",
    }),
  ),
};

export const QuoteQuery = Type.Object({
  adjustment: Type.Optional(oneOf(["split"], "The prices of a quote are adjusted by splits only.", "split")),
  use_prepost: Type.Optional(
    flag("false: pre- and post-market fields are null and `price` is the regular one.", true),
  ),
});

export const PriceDataPoint = Type.Object({
  date: Type.String({
    format: "date",
    description: "Session date in the exchange's zone (period label for longer bars).",
  }),
  timestamp: Type.String({
    description: "Start of the session or bar, RFC 3339 UTC; the date itself for longer bars.",
  }),
  ...ohlc,
  adjusted_close: numberOrNull(
    "Close adjusted for splits and dividends by every action known with an ex date up to the day of the answer or of as_of; null when the provider gave none, and on intraday bars.",
  ),
  ...actions,
});

export const Revision = Type.Object({
  date: Type.String({ format: "date", description: "Session of the bar." }),
  known_at: Type.String({ description: "When this service received the value, RFC 3339 UTC." }),
  source: Type.String({ description: "Provider of the value." }),
  ...ohlc,
  adjusted_close: numberOrNull("Adjusted close as received, on the basis of the row it differs from."),
});

export const PriceDataResponse = Type.Object({
  ticker: Type.String({ description: "As you sent it." }),
  interval: Type.String({ description: "1d, 5d, 1w, 1mo or 1h." }),
  adjustment: adjustmentAnswer,
  start_date: textOrNull("First day of the answer's range; null for all history of a symbol without bars."),
  end_date: Type.String({ description: "Last day of the answer's range, inclusive." }),
  period: textOrNull("The requested or default period; null when dates or quarters were given."),
  currency: textOrNull(CURRENCY),
  exchange_timezone: textOrNull("IANA zone of the exchange, whose days `date` counts."),
  count: Type.Integer({ description: "Rows in data." }),
  data: Type.Array(PriceDataPoint, { description: "Oldest first." }),
  source: Type.String({
    description: "Provider of the bars; several, separated by commas, when more than one filled the series.",
  }),
  cached: Type.Boolean({ description: "True when no provider was asked for this answer." }),
  refreshed: Type.Boolean({
    description:
      "True with force_refresh: the bars are what the provider says now. What was stored first stays stored; a differing value is a revision.",
  }),
  last_updated: textOrNull(
    "When the newest stored row of the answer was fetched; with as_of, when it became known, that is at the open of the next session. RFC 3339 UTC.",
  ),
  adjusted_through: textOrNull(
    "Prices are split-adjusted, and adjusted_close dividend-adjusted, by every action known with an ex date up to this day.",
  ),
  as_of: Type.Optional(Type.String({ description: "The requested moment, RFC 3339 UTC." })),
  revisions: Type.Optional(
    Type.Array(Revision, {
      description: "Only with revisions=true: later, differing values of rows in the range.",
    }),
  ),
  warnings: Type.Array(Type.String(), {
    description:
      "What is missing or outdated, and why. One that begins with `unsettled:` names the bars with provisional true: the data version of the answer does not have them.",
  }),
});
export type PriceDataResponse = Static<typeof PriceDataResponse>;

const clampedFrom = Type.Optional(
  Type.String({
    description:
      "Present only when the provider's look-back begins within the first requested day: bars before this instant (RFC 3339 UTC) are not available.",
  }),
);

const Bar = Type.Object({
  timestamp: Type.String({
    description: "Daily, weekly, monthly: the date. Intraday: start of the bar, RFC 3339 UTC.",
  }),
  ...ohlc,
  adjusted_close: Type.Optional(
    numberOrNull(
      "Close adjusted for splits and dividends, on the same basis; null when the provider gave none. Only on daily and longer bars.",
    ),
  ),
  ...actions,
});

export const MultiBarsResponse = Type.Object({
  source: Type.String({
    description: "Provider of the bars: yahoo, alpaca_sip, or both, separated by a comma.",
  }),
  interval: Type.String({ description: "Length of the bars, as requested." }),
  adjustment: Type.Optional(
    oneOf(ADJUSTMENTS, "Adjustment of open, high, low and close. Only on daily and longer bars."),
  ),
  count: Type.Integer({ description: "Bars over all symbols." }),
  bars: Type.Record(Type.String(), Type.Array(Bar), {
    description: "By symbol as you sent it; every requested symbol has a key.",
  }),
  sources: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description:
        "Present only when there are several providers: the provider of each symbol's bars, or both separated by a comma.",
    }),
  ),
  symbols_requested: Type.Integer({ description: "Number of requested symbols, without duplicates." }),
  symbols_returned: Type.Integer({ description: "Number of symbols with at least one bar." }),
  missing: Type.Array(Type.String(), { description: "Symbols without a bar." }),
  errors: Type.Record(Type.String(), Type.String(), {
    description: "What went wrong, by symbol. A symbol may have stored bars and an error.",
  }),
  not_read: Type.Optional(notReadField),
  start_date: Type.String({ description: "First day of the range, YYYY-MM-DD." }),
  end_date: Type.String({ description: "Last day of the range, inclusive, YYYY-MM-DD." }),
  delayed_minutes: Type.Optional(Type.Integer({ description: `Intraday only: ${INTRADAY_DELAY_MINUTES}.` })),
  clamped_from: clampedFrom,
  cached: Type.Boolean({ description: "True when no provider was asked for this answer." }),
  refreshed: Type.Boolean({
    description:
      "True with force_refresh, when the bars of every symbol that has any are what the provider says now. A symbol that could not be refreshed keeps its stored bars and has an entry in errors.",
  }),
  adjusted_through: Type.Optional(
    Type.Record(Type.String(), textOrNull("A day, YYYY-MM-DD."), {
      description:
        "By symbol as you sent it: its prices are adjusted by every action known with an ex date up to this day. Two symbols with different days may be on different bases. Null without bars. Only on daily and longer bars.",
    }),
  ),
  warnings: Type.Array(Type.String(), {
    description:
      "What is missing or outdated, and why; each begins with the symbol. One that begins with `unsettled:` counts the bars with provisional true: the data version of the answer does not have them. Symbols without a bar share one sentence for each reason, which begins with `outage:` (a provider did not answer), `refused:` (it answered that it will not), `nothing_there:` (there is none) or `not_read:` (this installation has not read it, and how to). Failures are in errors.",
  }),
});
export type MultiBarsResponse = Static<typeof MultiBarsResponse>;

export const BulkPriceDataResponse = bulkAnswer(PriceDataResponse);

export const LatestResponse = Type.Composite([
  PriceDataPoint,
  Type.Object({
    ticker: asSent,
    currency: textOrNull(CURRENCY),
    source: Type.String({ description: "Provider of the bar." }),
  }),
]);

export const IntradayResponse = Type.Object({
  ticker: asSent,
  interval: Type.String({ description: "Length of the bars, as requested." }),
  period: Type.String({ description: "Span of the bars, as requested." }),
  timezone: Type.String({ description: "IANA zone of the exchange; the timestamps are UTC." }),
  previous_close: numberOrNull(
    "Close of the session before the newest one, in the symbol's currency; null when the provider does not state it.",
  ),
  delayed_minutes: Type.Integer({ description: "Delay of the newest bars, minutes." }),
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
  date: Type.String({
    format: "date",
    description: "The session of the answer: today's, or the latest one.",
  }),
  open: numberOrNull("First price, in the symbol's currency, split-adjusted to today."),
  high: numberOrNull("Highest price so far, same basis as open."),
  low: numberOrNull("Lowest price so far, same basis as open."),
  close: numberOrNull("Last price so far, same basis as open."),
  volume: numberOrNull("Shares traded in the regular session."),
  previous_close: numberOrNull("Close of the session before, on today's split basis."),
  change: change("close − previous_close"),
  change_percent: percent("change ÷ previous_close"),
  is_final: Type.Boolean({ description: "False while the provider may still correct the session." }),
  source: oneOf(
    ["daily", "aggregated_1m"],
    "The daily bar (settled, or of an exchange other than New York's), or an aggregate of one-minute bars.",
  ),
  bar_count: Type.Integer({ description: "Number of bars it is made of." }),
  as_of: textOrNull("Time of its newest information, RFC 3339 UTC."),
});
export type TodayOHLCResponse = Static<typeof TodayOHLCResponse>;
