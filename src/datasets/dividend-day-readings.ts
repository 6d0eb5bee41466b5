// The readings of the dividend lists of ex-dividend days: one row for each time the list of a day was read.

import { dataset } from "../platform/lake/dataset.ts";

export const dividendDayReadings = dataset({
  name: "dividend_day_readings",
  description:
    "Readings of the lists of ex-dividend days, which name the dividends of all companies, one row per day and reading. A day without a row was never read: dividend_calendar then has only those of its dividends that were read by ticker.",
  columns: {
    ex_dividend_date: { type: "DATE", description: "The day whose list was read." },
    rows: { type: "INTEGER", description: "Dividends on the list." },
    known_at: { type: "TIMESTAMPTZ", description: "When the list was read." },
  },
  key: ["ex_dividend_date"],
  partition: { by: "none" },
  sort: ["ex_dividend_date", "known_at"],
  fill: "append",
  // Read without a moment.
  changes: { countsBefore: true },
});
