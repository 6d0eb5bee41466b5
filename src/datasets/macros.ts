// The SQL macros over the datasets: one definition for routes, command line and catalogue.

import { type Calendar, exchangeCalendar } from "../market/calendar.ts";
import { HALF_SHARE_NOISE, PRICE_DECIMALS_MIN, PRICE_DIGITS, WRITTEN_DIGITS_MAX } from "../market/float.ts";
import { columnsWithout, type Macro, storedColumns } from "../platform/lake/dataset.ts";
import { completeActions } from "./action-coverage.ts";
import {
  actions,
  adjustments,
  adjustmentsNow,
  adjustmentsOf,
  hasLaterActions,
  LATER,
} from "./adjustments.ts";
import { barsDaily, FINAL_BASIS } from "./bars-daily.ts";
import { barsDailyRevisions } from "./bars-daily-revisions.ts";
import { barsIntraday } from "./bars-intraday.ts";
import { companiesAt } from "./companies.ts";
import { corporateActions } from "./corporate-actions.ts";
import { dividendsAsOf } from "./dividend-calendar.ts";
import { earningsCalendarAsOf } from "./earnings-calendar.ts";
import { earningsSurprisesAsOf } from "./earnings-surprises.ts";
import { observationsAsOf } from "./econ-observations.ts";
import { encycEntitiesAsOf } from "./encyc-entities.ts";
import { etfHoldingsAsOf } from "./etf-holdings.ts";
import { filingEvents } from "./filing-events.ts";
import { filings } from "./filings.ts";
import { financials } from "./financial-facts.ts";
import { gainersAt } from "./gainer-snapshots.ts";
import { indexMembers } from "./index-constituents.ts";
import { insiderTransactionsAsOf, insiderTransactionsOf } from "./insider-transactions.ts";
import { completeBars, product } from "./late-actions.ts";
import {
  ACTIONS_SCALED,
  ACTIONS_SCALED_NOW,
  BAR_REVISIONS,
  BARS,
  BARS_ADJUSTED,
  BARS_NOW,
  INTRADAY_BARS,
  TRADE_FACTORS,
} from "./macro-columns.ts";
import { newsArchiveVolumeAsOf } from "./news-archive-volume.ts";
import { newsAsOf } from "./news-headlines.ts";
import { overlayInputs } from "./overlay-inputs.ts";
import { overlayScoresAsOf } from "./overlay-scores.ts";
import { ownershipAsOf, ownershipPositions } from "./ownership-events.ts";
import { pageViewsAsOf } from "./page-views.ts";
import { pitPanel } from "./pit-panel.ts";
import { sessionMacros } from "./session-macros.ts";
import { shortInterestAsOf } from "./short-interest.ts";
import { shortVolumeAsOf } from "./short-volume.ts";
import { tickerHolders } from "./ticker-holders.ts";
import { listingsAt } from "./universe-registry.ts";
import { universeOn } from "./universe-snapshots.ts";

const AS_OF = ["as_of := NULL"];

const knownBy: Macro = {
  name: "known_by",
  kind: "scalar",
  parameters: AS_OF,
  description:
    "The last instant that as_of includes: the end of the day in New York for a date, infinity for null.",
  returns: { type: "TIMESTAMPTZ" },
  body: () => `CASE WHEN as_of IS NULL THEN TIMESTAMPTZ 'infinity'
    WHEN length(as_of::VARCHAR) = 10
      THEN ((as_of::DATE + 1)::TIMESTAMP AT TIME ZONE 'America/New_York') - INTERVAL 1 MICROSECOND
    ELSE as_of::TIMESTAMPTZ END`,
};

const priceDigits: Macro = {
  name: "price_digits",
  kind: "scalar",
  parameters: ["price"],
  description:
    "A computed price at the precision of the providers' prices: seven significant digits, at least two decimals. Providers store prices with seven digits, so further digits of a scaled price are noise.",
  returns: { type: "DOUBLE", unit: "as the price" },
  body: () => `CASE WHEN price = 0 THEN price
    ELSE round(price, greatest(${PRICE_DECIMALS_MIN}, ${PRICE_DIGITS - 1} - floor(log10(abs(price)))::INT)) END`,
};

const wholeShares: Macro = {
  name: "whole_shares",
  kind: "scalar",
  parameters: ["volume"],
  description:
    "A computed volume in whole shares: half a share counts as one, also where arithmetic left it a little below.",
  returns: { type: "BIGINT", unit: "shares" },
  body: () => `round(volume * ${HALF_SHARE_NOISE}::DOUBLE)::BIGINT`,
};

const adjustedDigits: Macro = {
  name: "adjusted_digits",
  kind: "scalar",
  parameters: ["price"],
  description: `An adjusted close that is not scaled: as it is with up to ${WRITTEN_DIGITS_MAX} digits, which a provider can have written. With more it was computed, and has price_digits.`,
  returns: { type: "DOUBLE", unit: "as the price" },
  // Six decimals are the common case, and by far the cheapest to recognise.
  body: () => `CASE WHEN abs(price) < ${10 ** (WRITTEN_DIGITS_MAX - 6)} AND price = round(price, 6) THEN price
    WHEN price = round(price, ${WRITTEN_DIGITS_MAX - 1} - floor(log10(abs(price)))::INT) THEN price
    ELSE price_digits(price) END`,
};

const scaled = (column: string, factor: string) =>
  `CASE WHEN a.symbol IS NULL THEN b.${column} ELSE price_digits(b.${column} * a.${factor}) END AS ${column}`;

/**
 * The adjusted close of `b`, rounded after all scaling: a provider computes it with more digits than its
 * prices have, and stored it keeps them, so that scaling it does not add one rounding to another.
 */
const ADJ_CLOSE = `CASE WHEN a.symbol IS NULL THEN adjusted_digits(b.adj_close)
      ELSE price_digits(b.adj_close * a.total_factor) END AS adj_close`;

/** The prices of rows `b` of a bars dataset, each with the factor `a` of its own basis. */
const PRICES = `b.symbol, b.date,
    ${["open", "high", "low", "close"].map((column) => scaled(column, "split_factor")).join(", ")},
    CASE WHEN a.symbol IS NULL OR a.split_factor = 1 THEN b.volume
      ELSE whole_shares(b.volume / a.split_factor) END AS volume,
    ${ADJ_CLOSE}, b.currency`;

/**
 * The basis of a row after scaling, never after as_of; that of a former company's bars stays recognisable.
 */
const BASIS = `CASE WHEN b.basis_date = DATE '${FINAL_BASIS}' THEN b.basis_date
      ELSE least(b.basis_date, known_day(as_of)) END AS basis_date`;

const withFactorsNow = (rows: string, factors: string) => `FROM ${rows} b
  LEFT JOIN ${factors} a ON b.symbol = a.symbol AND b.basis_date < a.ex_date AND b.basis_date >= a.since`;
const withFactors = (rows: string, factors: string) =>
  `${withFactorsNow(rows, factors)} AND b.known_at >= a.recorded_from AND b.known_at < a.recorded_before`;

/**
 * The bars known by as_of whose prices can be shown on its basis. A bar on a later basis needs every action
 * in between. A bar of a company that held the symbol before has no actions of its own, and counts from its
 * fetch.
 */
// Made up: a bar of 3 August fetched on 10 August counts under 5 August if every action of 6 to 10 August is
// stored.
const KNOWN_BARS = `b.date < settled_before(as_of) AND (b.basis_date <= known_day(as_of) OR a.symbol IS NOT NULL
    OR (b.basis_date = DATE '${FINAL_BASIS}' AND b.known_at <= known_by(as_of)))`;

const bars: Macro = {
  name: "bars",
  kind: "table",
  parameters: AS_OF,
  description:
    "Daily bars as known by as_of, all on the basis of as_of: a bar is known from the open of the next session (known_at), whenever it was fetched (recorded_at). Each is scaled by the actions between its own basis_date and as_of, so a series fetched in several parts is continuous. A value whose factor is unknown is null. backfilled: the bar was fetched after as_of, and its provider may have corrected it meanwhile. Such a bar is left out until the splits after as_of are all stored, and its adj_close is null until the dividends are (complete_actions).",
  columns: BARS,
  body: (metadata) => `SELECT ${PRICES}, ${BASIS}, open_after(b.date) AS known_at, b.source,
    b.known_at AS recorded_at, b.known_at > known_by(as_of) AS backfilled
    ${withFactors(completeBars(metadata), adjustmentsOf(metadata, barsDaily))} WHERE ${KNOWN_BARS}`,
};

const barsNow: Macro = {
  name: "bars_now",
  kind: "table",
  parameters: [],
  description: "The rows of bars(NULL), which this plans faster, without known_at.",
  columns: BARS_NOW,
  body(metadata) {
    const rest = "b.basis_date, b.source, b.known_at AS recorded_at, false AS backfilled";
    return hasLaterActions(metadata, barsDaily)
      ? `SELECT ${PRICES}, ${rest} ${withFactorsNow(completeBars(metadata), adjustmentsNow(metadata, barsDaily))}`
      : `SELECT * EXCLUDE (known_at, recorded) REPLACE (adjusted_digits(adj_close) AS adj_close),
          known_at AS recorded_at, false AS backfilled FROM ${completeBars(metadata)}`;
  },
};

const tradeFactors: Macro = {
  name: "trade_factors",
  kind: "table",
  parameters: AS_OF,
  description:
    "Factors from the prices of bars(as_of) to those traded on the day, for bars with a date in [since, ex_date). It is one divided by the product of all splits from ex_date up to as_of. Null when the ratio of one of them is unknown. Days before the stored actions of a symbol are complete (complete_actions) have no row.",
  columns: TRADE_FACTORS,
  body: () => `WITH covered AS (SELECT symbol, from_date - 1 AS covered_from FROM complete_actions()),
    splits AS (SELECT symbol, ex_date, price_factor FROM actions(as_of) WHERE kind = 'split'
        AND ex_date <= least(known_day(as_of), (now() AT TIME ZONE 'America/New_York')::DATE)
      UNION ALL SELECT symbol, DATE '${FINAL_BASIS}', 1.0 FROM covered)
    SELECT symbol, greatest(since, covered_from) AS since, ex_date, factor
    FROM (SELECT symbol, ex_date, coalesce(lead(ex_date) OVER later, DATE '-infinity') AS since,
        1 / ${product("price_factor", " OVER later")} AS factor
      FROM splits ${LATER}) JOIN covered USING (symbol)
    WHERE ex_date > covered_from`,
};

/**
 * A price of `b`, the rows of bars(as_of), as `adjustment` wants it; `f` has the factor to the prices as
 * traded.
 */
const adjusted = (column: string) => `CASE WHEN adjustment = 'split' THEN b.${column}
      WHEN adjustment = 'raw' AND f.factor = 1 THEN b.${column} WHEN adjustment = 'raw' THEN price_digits(b.${column} * f.factor)
      WHEN b.adj_close = b.close THEN b.${column} ELSE price_digits(b.${column} * (b.adj_close / b.close)) END AS ${column}`;

const barsAdjusted: Macro = {
  name: "bars_adjusted",
  kind: "table",
  parameters: [...AS_OF, "adjustment := 'split'"],
  description:
    "The rows of bars(as_of) with open, high, low and close adjusted by splits (`split`, as bars has them) or by splits and dividends (`all`: in proportion to adj_close). With `raw` they are as traded on the day, with the volume of the day. A raw figure is null unless every split since the day is stored (complete_actions). adj_close is the same with each.",
  columns: BARS_ADJUSTED,
  body: () => `SELECT b.symbol, b.date, ${["open", "high", "low", "close"].map(adjusted).join(", ")},
    CASE WHEN adjustment <> 'raw' OR f.factor = 1 THEN b.volume ELSE whole_shares(b.volume / f.factor) END AS volume,
    b.adj_close, b.currency, b.basis_date, b.known_at, b.source, b.recorded_at, b.backfilled
    FROM bars(as_of) b LEFT JOIN trade_factors(as_of) f
      ON b.symbol = f.symbol AND b.date >= f.since AND b.date < f.ex_date AND b.basis_date < DATE '${FINAL_BASIS}'
    WHERE CASE WHEN adjustment IN ('raw', 'split', 'all') THEN true ELSE error('adjustment is raw, split or all') END`,
};

const MINUTES = `CASE WHEN b."interval" LIKE '%h' THEN 60 * left(b."interval", -1)::INTEGER
  ELSE left(b."interval", -1)::INTEGER END`;

const intradayBars: Macro = {
  name: "intraday_bars",
  kind: "table",
  parameters: AS_OF,
  description:
    "Intraday bars as known by as_of, on the split basis of as_of: a bar is known from its end (known_at), whenever it was fetched (recorded_at). backfilled: it was fetched after as_of; such a bar is left out where splits between as_of and its basis may be missing (complete_actions).",
  columns: INTRADAY_BARS,
  body: (metadata) => `SELECT b.symbol, b."interval", b."at", b.session_date, b.session,
    ${["open", "high", "low", "close"].map((column) => scaled(column, "split_factor")).join(", ")},
    CASE WHEN a.symbol IS NULL OR a.split_factor = 1 THEN b.volume
      ELSE whole_shares(b.volume / a.split_factor) END AS volume,
    ${scaled("vwap", "split_factor")}, b.trade_count, ${BASIS}, b."at" + to_minutes(${MINUTES}) AS known_at, b.source,
    b.known_at AS recorded_at, b.known_at > known_by(as_of) AS backfilled
    ${withFactors(barsIntraday.name, adjustmentsOf(metadata, barsIntraday))}
    WHERE b."at" + to_minutes(${MINUTES}) <= known_by(as_of)
      AND (b.basis_date <= known_day(as_of) OR a.symbol IS NOT NULL)`,
};

const barRevisions: Macro = {
  name: "bar_revisions",
  kind: "table",
  parameters: AS_OF,
  description:
    "Later values of stored daily bars that differ from them, on the same basis as bars(as_of), known from their fetch. They are never served as the bar.",
  columns: BAR_REVISIONS,
  body: (metadata) => `SELECT ${PRICES}, ${BASIS}, b.known_at, b.source
    ${withFactors(barsDailyRevisions.name, adjustmentsOf(metadata, barsDailyRevisions))}
    WHERE b.known_at <= known_by(as_of)`,
};

const scaledActions: Macro = {
  name: "scaled_actions",
  kind: "table",
  parameters: AS_OF,
  description:
    "Corporate actions as known by as_of, amounts per share on the same basis as bars(as_of): scaled by the splits between each report and as_of. An amount reported after as_of is null until every action after as_of is stored (complete_actions).",
  columns: ACTIONS_SCALED,
  body: (metadata) => `SELECT b.symbol, b.ex_date, b.kind,
      CASE WHEN a.symbol IS NOT NULL THEN price_digits(b.amount * a.split_factor)
        WHEN b.basis_date <= known_day(as_of) THEN b.amount END AS amount, b.currency,
      b.numerator, b.denominator, b.price_factor, least(b.basis_date, known_day(as_of)) AS basis_date,
      least(b.known_at, (b.ex_date::TIMESTAMP + INTERVAL '9 hours 30 minutes') AT TIME ZONE 'America/New_York') AS known_at, b.source,
      b.known_at AS recorded_at
    ${withFactors("actions(as_of)", adjustmentsOf(metadata, corporateActions))}`,
};

const scaledActionsNow: Macro = {
  name: "scaled_actions_now",
  kind: "table",
  parameters: [],
  description: "The rows of scaled_actions(NULL), which this plans faster, without known_at.",
  columns: ACTIONS_SCALED_NOW,
  body: (metadata) => `SELECT b.symbol, b.ex_date, b.kind, ${scaled("amount", "split_factor")}, b.currency,
      b.numerator, b.denominator, b.price_factor, b.basis_date, b.source, b.known_at AS recorded_at
    ${withFactorsNow(
      `(SELECT * FROM corporate_actions
      QUALIFY row_number() OVER (PARTITION BY symbol, ex_date, kind ORDER BY known_at DESC) = 1)`,
      adjustmentsNow(metadata, corporateActions),
    )}`,
};

const filingsAsOf: Macro = {
  name: "filings_as_of",
  kind: "table",
  parameters: AS_OF,
  description: "Filings that were public by as_of: the newest row of each (accession_number, cik).",
  columns: storedColumns(filings),
  body: () => `SELECT * FROM filings WHERE known_at <= known_by(as_of)
    QUALIFY row_number() OVER (PARTITION BY accession_number, cik ORDER BY indexed_at DESC) = 1`,
};

const filingEventsAsOf: Macro = {
  name: "filing_events_as_of",
  kind: "table",
  parameters: AS_OF,
  description:
    "Events of current reports that were public by as_of: the newest reading of each (accession_number, item_number).",
  columns: columnsWithout(filingEvents, "withdrawn"),
  body: () => `SELECT * EXCLUDE (withdrawn) FROM (SELECT * FROM filing_events WHERE known_at <= known_by(as_of)
    QUALIFY row_number() OVER (PARTITION BY accession_number, item_number ORDER BY parsed_at DESC, known_at) = 1)
    WHERE NOT withdrawn`,
};

/** The macros of a lake whose sessions are those of a calendar, in dependency order. */
export const macrosFor = (calendar: Calendar): readonly Macro[] => [
  knownBy,
  priceDigits,
  adjustedDigits,
  wholeShares,
  ...sessionMacros(calendar),
  actions,
  completeActions,
  adjustments,
  bars,
  barsNow,
  tradeFactors,
  barsAdjusted,
  intradayBars,
  barRevisions,
  scaledActions,
  scaledActionsNow,
  companiesAt,
  filingsAsOf,
  filingEventsAsOf,
  financials,
  indexMembers,
  gainersAt,
  earningsSurprisesAsOf,
  earningsCalendarAsOf,
  dividendsAsOf,
  insiderTransactionsOf,
  insiderTransactionsAsOf,
  ownershipAsOf,
  ownershipPositions,
  etfHoldingsAsOf,
  listingsAt,
  tickerHolders,
  universeOn,
  observationsAsOf,
  newsAsOf,
  shortVolumeAsOf,
  shortInterestAsOf,
  pitPanel,
  encycEntitiesAsOf,
  pageViewsAsOf,
  newsArchiveVolumeAsOf,
  overlayInputs,
  overlayScoresAsOf,
];

/** The macros for the built-in calendar. A running service adds its configured closures with `macrosFor`. */
export const MACROS: readonly Macro[] = macrosFor(exchangeCalendar());
