// Dates and estimates of earnings reports, with the time each became known.

import { columnsWithout, dataset, type Macro } from "../platform/lake/dataset.ts";

export const earningsCalendar = dataset({
  name: "earnings_calendar",
  description:
    "Past and coming earnings reports from the providers' calendars. Every change (another day, another estimate) is a new row; earnings_calendar_as_of(as_of) has the newest.",
  columns: {
    symbol: { type: "VARCHAR", description: "Symbol in its canonical spelling." },
    event: {
      type: "VARCHAR",
      description:
        "Identifies the report: the month in which its fiscal quarter ends (2026-06), or the day where no quarter is named, or next where only the next report is.",
    },
    report_date: {
      type: "DATE",
      description:
        "New York day of the report; the first day of a window; for a withdrawn report the last day the provider named.",
    },
    report_date_end: {
      type: "DATE",
      nullable: true,
      description: "Last day, where the provider states a window.",
    },
    report_time: { type: "VARCHAR", description: "bmo (before the open), amc (after the close) or unknown." },
    fiscal_quarter_end: {
      type: "DATE",
      nullable: true,
      description:
        "Last day of the month in which the fiscal quarter ends; the provider names only the month.",
    },
    name: { type: "VARCHAR", nullable: true, description: "The company's name in the calendar." },
    eps_estimate: { type: "DOUBLE", nullable: true, unit: "USD per share", description: "Consensus." },
    estimate_count: { type: "INTEGER", nullable: true, description: "Number of estimates in the consensus." },
    eps_actual: { type: "DOUBLE", nullable: true, unit: "USD per share", description: "As reported." },
    eps_last_year: {
      type: "DOUBLE",
      nullable: true,
      unit: "USD per share",
      description: "Earnings of the same quarter a year earlier.",
    },
    revenue_estimate: { type: "DOUBLE", nullable: true, unit: "USD", description: "Consensus." },
    is_confirmed: {
      type: "BOOLEAN",
      nullable: true,
      description: "Whether the provider has confirmed the day; null where it does not state this.",
    },
    withdrawn: { type: "BOOLEAN", description: "The provider no longer names this report." },
    as_of_date: { type: "DATE", description: "New York day on which the provider first reported this." },
    revision: { type: "INTEGER", description: "1 for the first version of the entry, then counted up." },
    known_at: { type: "TIMESTAMPTZ", description: "When it was fetched." },
    source: { type: "VARCHAR", description: "The provider that reported it." },
  },
  key: ["symbol", "event", "source"],
  partition: { by: "none" },
  sort: ["symbol", "report_date", "known_at"],
  fill: "append",
});

export const earningsCalendarAsOf: Macro = {
  name: "earnings_calendar_as_of",
  kind: "table",
  parameters: ["as_of := NULL"],
  description:
    "The earnings calendar as known by as_of: the newest row of each (symbol, event, source), without withdrawn ones.",
  columns: columnsWithout(earningsCalendar, "withdrawn"),
  body: () => `SELECT * EXCLUDE (withdrawn) FROM (SELECT * FROM earnings_calendar WHERE known_at <= known_by(as_of)
    QUALIFY row_number() OVER (PARTITION BY symbol, event, source ORDER BY known_at DESC) = 1)
    WHERE NOT withdrawn`,
};
