// The SQL macros over the datasets: one definition for routes, command line and catalogue.

import { PRICE_DECIMALS_MIN, PRICE_DIGITS } from "../market/float.ts";
import type { Dataset, LakeMetadata, Macro } from "../platform/lake/dataset.ts";
import { barsDaily } from "./bars-daily.ts";
import { barsDailyRevisions } from "./bars-daily-revisions.ts";
import { companiesAt } from "./companies.ts";
import { corporateActions } from "./corporate-actions.ts";
import { dividendsAsOf } from "./dividend-calendar.ts";
import { earningsCalendarAsOf } from "./earnings-calendar.ts";
import { earningsSurprisesAsOf } from "./earnings-surprises.ts";
import { observationsAsOf } from "./econ-observations.ts";
import { encycEntitiesAsOf } from "./encyc-entities.ts";
import { etfHoldingsAsOf } from "./etf-holdings.ts";
import { financials } from "./financial-facts.ts";
import { gainersAt } from "./gainer-snapshots.ts";
import { indexMembers } from "./index-constituents.ts";
import { insiderTransactionsAsOf } from "./insider-transactions.ts";
import { newsArchiveVolumeAsOf } from "./news-archive-volume.ts";
import { newsAsOf } from "./news-headlines.ts";
import { overlayInputs } from "./overlay-inputs.ts";
import { overlayScoresAsOf } from "./overlay-scores.ts";
import { ownershipAsOf, ownershipPositions } from "./ownership-events.ts";
import { pageViewsAsOf } from "./page-views.ts";
import { pitPanel } from "./pit-panel.ts";
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
  body: () => `CASE WHEN price = 0 THEN price
    ELSE round(price, greatest(${PRICE_DECIMALS_MIN}, ${PRICE_DIGITS - 1} - floor(log10(abs(price)))::INT)) END`,
};

const actions: Macro = {
  name: "actions",
  kind: "table",
  parameters: AS_OF,
  description: "Corporate actions as known by as_of: the newest report of each (symbol, ex_date, kind).",
  body: () => `SELECT * FROM corporate_actions WHERE known_at <= known_by(as_of)
    QUALIFY row_number() OVER (PARTITION BY symbol, ex_date, kind ORDER BY known_at DESC) = 1`,
};

/** NULL when any factor is unknown: a product without it would give a wrong price. */
const product = (factor: string, over = "") =>
  `CASE WHEN bool_or(${factor} IS NULL)${over} THEN NULL ELSE product(${factor})${over} END`;

const adjustments: Macro = {
  name: "adjustments",
  kind: "table",
  parameters: [...AS_OF, "after := DATE '-infinity'"],
  description:
    "Factors for prices whose basis_date is in [since, ex_date): the product of all splits (split_factor) or of all actions (total_factor) from ex_date up to as_of, or up to today without it. Null when one of them is unknown. Actions up to `after` are left out, because they do not affect a basis from that day on.",
  body: () => `SELECT symbol, ex_date, coalesce(lag(ex_date) OVER own, DATE '-infinity') AS since,
      ${product("split_factor", " OVER later")} AS split_factor, ${product("total_factor", " OVER later")} AS total_factor
    FROM (SELECT symbol, ex_date,
        ${product("CASE WHEN kind = 'split' THEN price_factor ELSE 1 END")} AS split_factor,
        ${product("price_factor")} AS total_factor
      FROM actions(as_of)
      WHERE ex_date > after AND ex_date <= (least(known_by(as_of), now()) AT TIME ZONE 'America/New_York')::DATE
      GROUP BY symbol, ex_date)
    WINDOW own AS (PARTITION BY symbol ORDER BY ex_date), later AS (PARTITION BY symbol ORDER BY ex_date DESC)`,
};

/** Whether any action is after the oldest basis. If none is, every factor is 1 and no join is needed. */
function hasLaterActions(metadata: LakeMetadata): boolean {
  const bases = metadata.range(barsDaily, "basis_date");
  const exDates = metadata.range(corporateActions, "ex_date");
  return bases !== null && exDates !== null && exDates[1] > bases[0];
}

const scaled = (column: string, factor: string) =>
  `CASE WHEN a.symbol IS NULL THEN b.${column} ELSE price_digits(b.${column} * a.${factor}) END AS ${column}`;

/** The adjustments that rows of a dataset can need: those after its oldest basis. */
function adjustmentsOf(metadata: LakeMetadata, dataset: Dataset): string {
  const [oldest] = metadata.range(dataset, "basis_date") ?? [];
  return oldest === undefined ? "adjustments(as_of)" : `adjustments(as_of, after := DATE '${oldest}')`;
}

/** Rows of a bars dataset known by as_of, each scaled by the actions after its own basis. */
const scaledBars = (metadata: LakeMetadata, dataset: Dataset) => `SELECT b.symbol, b.date,
    ${["open", "high", "low", "close"].map((column) => scaled(column, "split_factor")).join(", ")},
    CASE WHEN a.symbol IS NULL OR a.split_factor = 1 THEN b.volume
      ELSE round(b.volume / a.split_factor)::BIGINT END AS volume,
    ${scaled("adj_close", "total_factor")}, b.currency, b.basis_date, b.known_at, b.source
  FROM ${dataset.name} b LEFT JOIN ${adjustmentsOf(metadata, dataset)} a
    ON b.symbol = a.symbol AND b.basis_date < a.ex_date AND b.basis_date >= a.since
  WHERE b.known_at <= known_by(as_of)`;

const bars: Macro = {
  name: "bars",
  kind: "table",
  parameters: AS_OF,
  description:
    "Daily bars as known by as_of, all on one basis: each is scaled by the actions after its own basis_date, so a series fetched in several parts is continuous. A value whose factor is unknown is null.",
  body: (metadata) => {
    if (!hasLaterActions(metadata)) return "SELECT * FROM bars_daily WHERE known_at <= known_by(as_of)";
    return scaledBars(metadata, barsDaily);
  },
};

const barRevisions: Macro = {
  name: "bar_revisions",
  kind: "table",
  parameters: AS_OF,
  description:
    "Later values of stored daily bars that differ from them, on the same basis as bars(as_of). They are never served as the bar.",
  body: (metadata) => scaledBars(metadata, barsDailyRevisions),
};

const scaledActions: Macro = {
  name: "scaled_actions",
  kind: "table",
  parameters: AS_OF,
  description:
    "Corporate actions as known by as_of, amounts per share on the same basis as bars(as_of): divided by the splits after each report.",
  body: (metadata) => `SELECT b.symbol, b.ex_date, b.kind, ${scaled("amount", "split_factor")}, b.currency,
      b.numerator, b.denominator, b.price_factor, b.basis_date, b.known_at, b.source
    FROM actions(as_of) b LEFT JOIN ${adjustmentsOf(metadata, corporateActions)} a
      ON b.symbol = a.symbol AND b.basis_date < a.ex_date AND b.basis_date >= a.since`,
};

const filingsAsOf: Macro = {
  name: "filings_as_of",
  kind: "table",
  parameters: AS_OF,
  description: "Filings that were public by as_of: the newest row of each (accession_number, cik).",
  body: () => `SELECT * FROM filings WHERE known_at <= known_by(as_of)
    QUALIFY row_number() OVER (PARTITION BY accession_number, cik ORDER BY indexed_at DESC) = 1`,
};

const filingEventsAsOf: Macro = {
  name: "filing_events_as_of",
  kind: "table",
  parameters: AS_OF,
  description:
    "Events of current reports that were public by as_of: the newest reading of each (accession_number, item_number).",
  body: () => `SELECT * EXCLUDE (withdrawn) FROM (SELECT * FROM filing_events WHERE known_at <= known_by(as_of)
    QUALIFY row_number() OVER (PARTITION BY accession_number, item_number ORDER BY parsed_at DESC, known_at) = 1)
    WHERE NOT withdrawn`,
};

/** In dependency order. */
export const MACROS: readonly Macro[] = [
  knownBy,
  priceDigits,
  actions,
  adjustments,
  bars,
  barRevisions,
  scaledActions,
  companiesAt,
  filingsAsOf,
  filingEventsAsOf,
  financials,
  indexMembers,
  gainersAt,
  earningsSurprisesAsOf,
  earningsCalendarAsOf,
  dividendsAsOf,
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
