// The columns of the macros over prices and actions: those of the datasets, and what a macro adds or states
// otherwise.
import { type Column, type Columns, columnsOf } from "../platform/lake/dataset.ts";
import { barsDaily } from "./bars-daily.ts";
import { barsIntraday } from "./bars-intraday.ts";
import { corporateActions } from "./corporate-actions.ts";

export const RECORDED_AT: Column = { type: "TIMESTAMPTZ", description: "When the row was fetched." };
export const BACKFILLED: Column = {
  type: "BOOLEAN",
  description: "Whether the row was fetched after as_of; its provider may have corrected it meanwhile.",
};

const or = (column: Column, changes: Partial<Column>): Column => ({ ...column, ...changes });
/** A price of a macro is null where a factor is unknown. */
const nullable = (column: Column) => or(column, { nullable: true });

const factor = (description: string): Column => ({
  type: "DOUBLE",
  nullable: true,
  unit: "ratio",
  description,
});
const day = (description: string): Column => ({ type: "DATE", description });
const instant = (description: string): Column => ({ type: "TIMESTAMPTZ", description });

/** The rows of a bars dataset on one basis, up to basis_date. */
const SCALED_BARS = {
  ...columnsOf(
    barsDaily,
    ...([
      "symbol",
      "date",
      "open",
      "high",
      "low",
      "close",
      "volume",
      "adj_close",
      "currency",
      "basis_date",
    ] as const),
  ),
  close: nullable(barsDaily.columns.close),
};

export const BARS: Columns = {
  ...SCALED_BARS,
  known_at: {
    type: "TIMESTAMPTZ",
    description: "The open of the next session, from which the bar is known.",
  },
  ...columnsOf(barsDaily, "source"),
  recorded_at: RECORDED_AT,
  backfilled: BACKFILLED,
};

export const BARS_NOW: Columns = {
  ...SCALED_BARS,
  ...columnsOf(barsDaily, "source"),
  recorded_at: RECORDED_AT,
  backfilled: or(BACKFILLED, { description: "Always false: there is no as_of." }),
};

const adjusted = (which: string) => ({
  nullable: true as const,
  description: `${which} price, adjusted as the parameter adjustment says; null where a factor is unknown.`,
});

export const BARS_ADJUSTED: Columns = {
  ...BARS,
  open: or(barsDaily.columns.open, adjusted("First")),
  high: or(barsDaily.columns.high, adjusted("Highest")),
  low: or(barsDaily.columns.low, adjusted("Lowest")),
  close: or(barsDaily.columns.close, adjusted("Last")),
  volume: or(barsDaily.columns.volume, {
    description:
      "Shares traded: with adjustment raw those of the day, null where a split is unknown; otherwise split-adjusted to basis_date.",
  }),
};

export const BAR_REVISIONS: Columns = {
  ...SCALED_BARS,
  known_at: or(RECORDED_AT, { description: "When the later value was fetched, from which it is known." }),
  ...columnsOf(barsDaily, "source"),
};

export const INTRADAY_BARS: Columns = {
  ...barsIntraday.columns,
  close: nullable(barsIntraday.columns.close),
  known_at: { type: "TIMESTAMPTZ", description: "The end of the bar, from which it is known." },
  recorded_at: RECORDED_AT,
  backfilled: BACKFILLED,
};

const { missing_through: _late, ...ACTION_COLUMNS } = corporateActions.columns;

export const ACTIONS_SCALED: Columns = {
  ...ACTION_COLUMNS,
  amount: or(corporateActions.columns.amount, {
    description: "Cash, split-adjusted to basis_date; null where a factor is unknown.",
  }),
  known_at: {
    type: "TIMESTAMPTZ",
    description: "When the row was fetched, or 09:30 in New York on its ex date where that was earlier.",
  },
  recorded_at: RECORDED_AT,
};

const { known_at: _known, ...NOW } = ACTIONS_SCALED;
export const ACTIONS_SCALED_NOW: Columns = NOW;

export const ADJUSTMENTS: Columns = {
  ...columnsOf(corporateActions, "symbol"),
  ex_date: day("The factors are for prices whose basis_date is before this day."),
  since: day("The factors are for prices whose basis_date is on or after this day."),
  split_factor: factor("Factor of prices: the product of the splits; null where one is unknown."),
  total_factor: factor(
    "Factor of prices adjusted for dividends too: the product of all actions; null where one is unknown.",
  ),
  recorded_from: instant("The factors are for prices that were fetched at this moment or later."),
  recorded_before: instant("The factors are for prices that were fetched before this moment."),
};

export const TRADE_FACTORS: Columns = {
  ...columnsOf(corporateActions, "symbol"),
  since: day("The factor is for bars with a date on or after this day."),
  ex_date: day("The factor is for bars with a date before this day."),
  factor: factor(
    "Factor from the prices of bars(as_of) to those as traded; null where the ratio of a split is unknown.",
  ),
};
