// The day's gainers every five minutes, as they were read at that moment.

import { dataset, type Macro } from "../platform/lake/dataset.ts";

export const gainerSnapshots = dataset({
  name: "gainer_snapshots",
  description:
    "The top of the price provider's list of day gainers, every five minutes of the regular session. A moment at which nothing was read has no rows, and never will.",
  columns: {
    market_date: { type: "DATE", description: "Session of the snapshot." },
    slot: { type: "TIMESTAMPTZ", description: "The moment it was due." },
    rank: { type: "INTEGER", positive: true, description: "Place in the list, from 1." },
    symbol: { type: "VARCHAR", description: "Symbol in its canonical spelling." },
    name: { type: "VARCHAR", nullable: true, description: "Company." },
    exchange: { type: "VARCHAR", nullable: true, description: "The provider's code of the exchange." },
    quote_type: { type: "VARCHAR", nullable: true, description: "EQUITY, ETF, …" },
    currency: { type: "VARCHAR", nullable: true, description: "ISO 4217; of the prices and of market_cap." },
    price: { type: "DOUBLE", nullable: true, unit: "per share", description: "Newest price of the session." },
    price_time: { type: "TIMESTAMPTZ", nullable: true, description: "When that price traded." },
    change: { type: "DOUBLE", nullable: true, unit: "per share", description: "Against the close before." },
    change_percent: {
      type: "DOUBLE",
      nullable: true,
      unit: "percent",
      description: "Against the close before.",
    },
    volume: { type: "DOUBLE", nullable: true, unit: "shares", description: "Shares traded in the session." },
    avg_volume_3m: {
      type: "DOUBLE",
      nullable: true,
      unit: "shares a day",
      description: "Average of three months.",
    },
    market_cap: { type: "DOUBLE", nullable: true, unit: "currency", description: "Market value." },
    pe_ratio: { type: "DOUBLE", nullable: true, description: "Price to the earnings of twelve months." },
    fifty_two_week_high: {
      type: "DOUBLE",
      nullable: true,
      unit: "per share",
      description: "Highest of 52 weeks.",
    },
    fifty_two_week_low: {
      type: "DOUBLE",
      nullable: true,
      unit: "per share",
      description: "Lowest of 52 weeks.",
    },
    fifty_two_week_change_percent: {
      type: "DOUBLE",
      nullable: true,
      unit: "percent",
      description: "Price against that of 52 weeks ago.",
    },
    known_at: { type: "TIMESTAMPTZ", description: "When the list was read: the snapshot's own moment." },
    source: { type: "VARCHAR", description: "Who keeps the list." },
  },
  key: ["market_date", "slot", "symbol"],
  partition: { by: "month", column: "market_date" },
  sort: ["market_date", "known_at", "rank"],
  fill: "append",
});

export const gainersAt: Macro = {
  name: "gainers_at",
  kind: "table",
  parameters: ["as_of := NULL"],
  description: "The last snapshot of the day's gainers read by as_of, whole.",
  body: () => `SELECT * FROM gainer_snapshots WHERE known_at =
    (SELECT max(known_at) FROM gainer_snapshots WHERE known_at <= known_by(as_of))`,
};
