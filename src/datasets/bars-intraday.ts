// Intraday bars by interval, as each source first reported them.

import { dataset } from "../platform/lake/dataset.ts";

export const barsIntraday = dataset({
  name: "bars_intraday",
  description:
    "Intraday bars, split-adjusted to basis_date and never adjusted for dividends. Bars of alpaca_sip are on the basis of their own session, that is, as traded.",
  columns: {
    symbol: { type: "VARCHAR", description: "Symbol in its canonical spelling." },
    interval: { type: "VARCHAR", description: "Length of the bar: 1m, 2m, 5m, 15m, 30m, 90m, 1h." },
    at: { type: "TIMESTAMPTZ", description: "Start of the bar." },
    session_date: { type: "DATE", description: "Session date in the exchange's time zone." },
    session: { type: "VARCHAR", description: "Part of the session: pre, regular or post." },
    open: { type: "DOUBLE", nullable: true, unit: "per share", description: "First price." },
    high: { type: "DOUBLE", nullable: true, unit: "per share", description: "Highest price." },
    low: { type: "DOUBLE", nullable: true, unit: "per share", description: "Lowest price." },
    close: { type: "DOUBLE", positive: true, unit: "per share", description: "Last price." },
    volume: { type: "BIGINT", nullable: true, unit: "shares", description: "Shares traded." },
    vwap: {
      type: "DOUBLE",
      nullable: true,
      unit: "per share",
      description: "Volume-weighted average price; null where the source does not report it.",
    },
    trade_count: {
      type: "BIGINT",
      nullable: true,
      description: "Number of trades; null where the source does not report it.",
    },
    basis_date: {
      type: "DATE",
      description: "Prices are split-adjusted by every split with ex_date up to this day.",
    },
    known_at: { type: "TIMESTAMPTZ", description: "When the row was fetched." },
    source: { type: "VARCHAR", description: "The provider and feed that reported it: yahoo, alpaca_sip." },
  },
  key: ["symbol", "interval", "source", "at"],
  partition: { by: "month", column: "at", and: "interval" },
  sort: ["symbol", "at", "source"],
  fill: "first",
  changes: { publicFrom: '"at"' },
});
