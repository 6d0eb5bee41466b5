// Snapshots of the day's gainers, taken every five minutes.

import { dataset, type Macro, storedColumns } from "../platform/lake/dataset.ts";

export const gainerSnapshots = dataset({
  name: "gainer_snapshots",
  description:
    "The top of the price provider's list of day gainers, every five minutes of the regular session. A time at which nothing was read has no rows and cannot be filled later.",
  columns: {
    market_date: { type: "DATE", description: "Session of the snapshot." },
    slot: { type: "TIMESTAMPTZ", description: "The scheduled time of the snapshot." },
    rank: { type: "INTEGER", positive: true, description: "Position in the list, from 1." },
    symbol: { type: "VARCHAR", description: "Symbol in its canonical spelling." },
    name: { type: "VARCHAR", nullable: true, description: "Company name." },
    exchange: { type: "VARCHAR", nullable: true, description: "The provider's code for the exchange." },
    quote_type: { type: "VARCHAR", nullable: true, description: "EQUITY, ETF, …" },
    currency: {
      type: "VARCHAR",
      nullable: true,
      description: "ISO 4217 code of the prices and of market_cap.",
    },
    price: { type: "DOUBLE", nullable: true, unit: "per share", description: "Latest price of the session." },
    price_time: { type: "TIMESTAMPTZ", nullable: true, description: "When that price traded." },
    change: {
      type: "DOUBLE",
      nullable: true,
      unit: "per share",
      description: "Change against the previous close.",
    },
    change_percent: {
      type: "DOUBLE",
      nullable: true,
      unit: "percent",
      description: "Change against the previous close.",
    },
    volume: { type: "DOUBLE", nullable: true, unit: "shares", description: "Shares traded in the session." },
    avg_volume_3m: {
      type: "DOUBLE",
      nullable: true,
      unit: "shares a day",
      description: "Average daily volume of three months.",
    },
    market_cap: { type: "DOUBLE", nullable: true, unit: "currency", description: "Market value." },
    pe_ratio: {
      type: "DOUBLE",
      nullable: true,
      description: "Price divided by the earnings of the last twelve months.",
    },
    fifty_two_week_high: {
      type: "DOUBLE",
      nullable: true,
      unit: "per share",
      description: "Highest price of 52 weeks.",
    },
    fifty_two_week_low: {
      type: "DOUBLE",
      nullable: true,
      unit: "per share",
      description: "Lowest price of 52 weeks.",
    },
    fifty_two_week_change_percent: {
      type: "DOUBLE",
      nullable: true,
      unit: "percent",
      description: "Change against the price 52 weeks ago.",
    },
    known_at: { type: "TIMESTAMPTZ", description: "When the list was read." },
    source: { type: "VARCHAR", description: "The provider of the list." },
  },
  key: ["market_date", "slot", "symbol"],
  partition: { by: "month", column: "market_date" },
  sort: ["market_date", "known_at", "rank"],
  fill: "append",
  changes: { publicFrom: "known_at" },
});

export const gainersAt: Macro = {
  name: "gainers_at",
  kind: "table",
  parameters: ["as_of := NULL"],
  description: "The last complete snapshot of the day's gainers read by as_of.",
  columns: storedColumns(gainerSnapshots),
  body: () => `SELECT * FROM gainer_snapshots WHERE known_at =
    (SELECT max(known_at) FROM gainer_snapshots WHERE known_at <= known_by(as_of))`,
};
