// The day's gainers every five minutes, as they were read at that moment.

import { dataset, type Macro } from "../platform/lake/dataset.ts";

export const gainerSnapshots = dataset({
  name: "gainer_snapshots",
  says: "The top of the price provider's list of day gainers, every five minutes of the regular session. A moment at which nothing was read has no rows, and never will.",
  columns: {
    market_date: { type: "DATE", says: "Session of the snapshot." },
    slot: { type: "TIMESTAMPTZ", says: "The moment it was due." },
    rank: { type: "INTEGER", positive: true, says: "Place in the list, from 1." },
    symbol: { type: "VARCHAR", says: "Symbol in its canonical spelling." },
    name: { type: "VARCHAR", nullable: true, says: "Company." },
    exchange: { type: "VARCHAR", nullable: true, says: "The provider's code of the exchange." },
    quote_type: { type: "VARCHAR", nullable: true, says: "EQUITY, ETF, …" },
    currency: { type: "VARCHAR", nullable: true, says: "ISO 4217; of the prices and of market_cap." },
    price: { type: "DOUBLE", nullable: true, unit: "per share", says: "Newest price of the session." },
    price_time: { type: "TIMESTAMPTZ", nullable: true, says: "When that price traded." },
    change: { type: "DOUBLE", nullable: true, unit: "per share", says: "Against the close before." },
    change_percent: { type: "DOUBLE", nullable: true, unit: "percent", says: "Against the close before." },
    volume: { type: "DOUBLE", nullable: true, unit: "shares", says: "Shares traded in the session." },
    avg_volume_3m: { type: "DOUBLE", nullable: true, unit: "shares a day", says: "Average of three months." },
    market_cap: { type: "DOUBLE", nullable: true, unit: "currency", says: "Market value." },
    pe_ratio: { type: "DOUBLE", nullable: true, says: "Price to the earnings of twelve months." },
    fifty_two_week_high: { type: "DOUBLE", nullable: true, unit: "per share", says: "Highest of 52 weeks." },
    fifty_two_week_low: { type: "DOUBLE", nullable: true, unit: "per share", says: "Lowest of 52 weeks." },
    fifty_two_week_change_percent: {
      type: "DOUBLE",
      nullable: true,
      unit: "percent",
      says: "Price against that of 52 weeks ago.",
    },
    known_at: { type: "TIMESTAMPTZ", says: "When the list was read: the snapshot's own moment." },
    source: { type: "VARCHAR", says: "Who keeps the list." },
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
  says: "The last snapshot of the day's gainers read by as_of, whole.",
  body: () => `SELECT * FROM gainer_snapshots WHERE known_at =
    (SELECT max(known_at) FROM gainer_snapshots WHERE known_at <= known_by(as_of))`,
};
