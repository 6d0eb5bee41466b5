// Daily bars: one row per symbol and session, the first valid one.

import { dataset } from "../platform/lake/dataset.ts";

/**
 * basis_date of a delisted company's bars when another company now has its symbol: later actions of the
 * symbol do not apply.
 */
export const FINAL_BASIS = "9999-12-31";

/** Columns of a daily bar; its revisions have the same. */
export const BAR_COLUMNS = {
  symbol: { type: "VARCHAR", description: "Symbol in its canonical spelling." },
  date: { type: "DATE", description: "Session date in the exchange's time zone." },
  open: {
    type: "DOUBLE",
    nullable: true,
    unit: "per share",
    description: "First price, split-adjusted to basis_date.",
  },
  high: {
    type: "DOUBLE",
    nullable: true,
    unit: "per share",
    description: "Highest price, split-adjusted to basis_date.",
  },
  low: {
    type: "DOUBLE",
    nullable: true,
    unit: "per share",
    description: "Lowest price, split-adjusted to basis_date.",
  },
  close: {
    type: "DOUBLE",
    unit: "per share",
    description: "Last price, split-adjusted to basis_date; never 0, and below it of futures alone.",
  },
  volume: {
    type: "BIGINT",
    nullable: true,
    unit: "shares",
    description: "Shares traded, split-adjusted to basis_date.",
  },
  adj_close: {
    type: "DOUBLE",
    nullable: true,
    unit: "per share",
    description: "Close adjusted for splits and dividends to basis_date.",
  },
  currency: { type: "VARCHAR", nullable: true, description: "ISO 4217 code of the prices." },
  basis_date: {
    type: "DATE",
    description:
      "Prices include splits, and adj_close dividends too, with ex_date up to this day. 9999-12-31 where another company has the symbol now: its actions do not apply.",
  },
  known_at: {
    type: "TIMESTAMPTZ",
    description: "When the row was fetched; bars(as_of) calls it recorded_at.",
  },
  source: { type: "VARCHAR", description: "The provider that reported it." },
} as const;

export const barsDaily = dataset({
  name: "bars_daily",
  description:
    "Daily bars as first reported after their session was final, each on the price basis of the day it was fetched; bars(as_of) converts them to one basis.",
  columns: BAR_COLUMNS,
  key: ["symbol", "date"],
  partition: { by: "year", column: "date" },
  sort: ["symbol", "date"],
  fill: "first",
  changes: { publicFrom: "date + 1" },
  series: { by: "symbol", day: "date" },
});
