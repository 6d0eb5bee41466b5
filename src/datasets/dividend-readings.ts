// Readings of a symbol's dividends and splits, one row each.

import { dataset } from "../platform/lake/dataset.ts";

export const dividendReadings = dataset({
  name: "dividend_readings",
  description:
    "Readings of the dividends and splits of the symbols that clients asked for, one row per reading. The newest one says how much of dividend_calendar and of the splits is there.",
  columns: {
    symbol: { type: "VARCHAR", description: "Symbol in its canonical spelling." },
    coverage: {
      type: "VARCHAR",
      nullable: true,
      description:
        "page: the source keeps its history, coming payments included; elsewhere: it is listed on another exchange; null: no source with payment dates was read.",
    },
    read_at: {
      type: "TIMESTAMPTZ",
      description: "When it was last read completely; of a symbol that never was, when it was first read.",
    },
    splits_through: {
      type: "DATE",
      nullable: true,
      description: "Every split with an ex date up to this day is stored; null where that is unknown.",
    },
    warnings: {
      type: "VARCHAR",
      description: "What the reading could not read, and why: a JSON list of sentences.",
    },
    known_at: { type: "TIMESTAMPTZ", description: "When this reading ended." },
  },
  key: ["symbol"],
  partition: { by: "none" },
  sort: ["symbol", "known_at"],
  fill: "append",
  // Read without a moment.
  changes: { countsBefore: true },
});
