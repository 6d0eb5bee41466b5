// When companies report, and what is expected, as it became known.

import { dataset, type Macro } from "../platform/lake/dataset.ts";

export const earningsCalendar = dataset({
  name: "earnings_calendar",
  description:
    "Past and coming reports as the providers' calendars had them; every change (a moved day, another estimate) is a later row, earnings_calendar_as_of(as_of) has the newest.",
  columns: {
    symbol: { type: "VARCHAR", description: "Symbol in its canonical spelling." },
    event: {
      type: "VARCHAR",
      description:
        "Which report: the month its fiscal quarter ends (2026-06); the day where the provider names no quarter; next for a provider that only ever names the next one.",
    },
    report_date: {
      type: "DATE",
      description:
        "New York day of the report; of a window its first day; of a withdrawn row the last one named.",
    },
    report_date_end: {
      type: "DATE",
      nullable: true,
      description: "Last day, where the provider gives a window.",
    },
    report_time: { type: "VARCHAR", description: "bmo (before the open), amc (after the close) or unknown." },
    fiscal_quarter_end: {
      type: "DATE",
      nullable: true,
      description:
        "Last day of the month in which the fiscal quarter ends: the provider names the month alone.",
    },
    name: { type: "VARCHAR", nullable: true, description: "The company as the calendar writes it." },
    eps_estimate: { type: "DOUBLE", nullable: true, unit: "USD per share", description: "Consensus." },
    estimate_count: { type: "INTEGER", nullable: true, description: "How many estimates are in it." },
    eps_actual: { type: "DOUBLE", nullable: true, unit: "USD per share", description: "As reported." },
    eps_last_year: {
      type: "DOUBLE",
      nullable: true,
      unit: "USD per share",
      description: "Of the same quarter a year before.",
    },
    revenue_estimate: { type: "DOUBLE", nullable: true, unit: "USD", description: "Consensus." },
    is_confirmed: {
      type: "BOOLEAN",
      nullable: true,
      description: "Whether the provider says the day is no estimate; null where it does not say.",
    },
    withdrawn: { type: "BOOLEAN", description: "The provider no longer names this report." },
    as_of_date: { type: "DATE", description: "New York day on which the provider said so first." },
    revision: { type: "INTEGER", description: "1 for the first word on the report, then counted up." },
    known_at: { type: "TIMESTAMPTZ", description: "When it was read." },
    source: { type: "VARCHAR", description: "Who said so." },
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
    "The earnings calendar as known by as_of: of each (symbol, event, source) the newest word, withdrawn ones left out.",
  body: () => `SELECT * EXCLUDE (withdrawn) FROM (SELECT * FROM earnings_calendar WHERE known_at <= known_by(as_of)
    QUALIFY row_number() OVER (PARTITION BY symbol, event, source ORDER BY known_at DESC) = 1)
    WHERE NOT withdrawn`,
};
