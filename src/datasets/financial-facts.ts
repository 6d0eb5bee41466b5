// Figures of financial statements in long form: one row per line, period and report that states it.

import { dataset, type Macro } from "../platform/lake/dataset.ts";

export const financialFacts = dataset({
  name: "financial_facts",
  description:
    "Figures as companies reported them, one row per filer, line, period and report: each later report of the same figure is a further row. financials(as_of) has one of each.",
  columns: {
    cik: { type: "VARCHAR", description: "Filer, ten digits." },
    symbol: {
      type: "VARCHAR",
      nullable: true,
      description:
        "The filer's main symbol when the row was written; null when the list of tickers had none.",
    },
    statement: { type: "VARCHAR", description: "income_statement, balance_sheet or cash_flow." },
    line: { type: "VARCHAR", description: "Standard line, such as revenue." },
    period: {
      type: "VARCHAR",
      description:
        "The period as one word: 2026-01-01/2026-03-31, of a balance sheet 2026-03-31; 6M/1997-06-30 where only the length is stated.",
    },
    period_start: { type: "DATE", nullable: true, description: "First day; null for balance sheets." },
    period_end: { type: "DATE", description: "Last day." },
    period_months: {
      type: "INTEGER",
      nullable: true,
      unit: "months",
      description: "3, 6, 9 or 12; null for balance sheets and odd lengths.",
    },
    fiscal_year: {
      type: "INTEGER",
      nullable: true,
      description: "Calendar year in which the fiscal year ends; null where unknown.",
    },
    fiscal_period: { type: "VARCHAR", nullable: true, description: "Q1 to Q4, 6M, 9M or FY, by the dates." },
    value: { type: "DOUBLE", description: "The figure as reported, in whole units of unit." },
    unit: { type: "VARCHAR", description: "Such as USD, USD/shares, shares." },
    currency: {
      type: "VARCHAR",
      description: "ISO 4217 code of what the report is stated in; nothing is converted.",
    },
    tag: { type: "VARCHAR", description: "The filer's tag it was read from." },
    taxonomy: { type: "VARCHAR", description: "us-gaap, ifrs-full, dei or ex27." },
    accession_number: { type: "VARCHAR", description: "The report, dashed." },
    form: { type: "VARCHAR", description: "Its form, such as 10-Q." },
    filed_date: { type: "DATE", description: "Its date of filing." },
    accepted_at: {
      type: "TIMESTAMPTZ",
      nullable: true,
      description:
        "From when the report could be read, as the index of filings has it; null when it had it not.",
    },
    known_at: {
      type: "TIMESTAMPTZ",
      nullable: true,
      description:
        "accepted_at, else the end of the filing date in New York; null for schedules of the 1990s whose moment is not known.",
    },
    vintage: { type: "INTEGER", description: "1 for the first report of this line and period, then 2, …" },
    revision: {
      type: "VARCHAR",
      description: "What the report made of an earlier figure: first, same, rounding, split or restated.",
    },
    flags: {
      type: "VARCHAR",
      nullable: true,
      description: "Doubts by comma, such as suspect_scale; null for none.",
    },
    split_basis: {
      type: "DATE",
      nullable: true,
      description: "Of share and per-share lines: stated with every split before this day.",
    },
    source: { type: "VARCHAR", description: "xbrl or ex27." },
  },
  key: ["cik", "line", "period", "accession_number", "filed_date"],
  // By the year of filing, so that a new report touches one partition and what is old stays merged.
  partition: { by: "year", column: "filed_date" },
  sort: ["cik", "line", "period_end", "accession_number"],
  fill: "first",
});

export const financials: Macro = {
  name: "financials",
  kind: "table",
  parameters: ["as_of := NULL"],
  description:
    "Of each (cik, line, period) the figure of the newest periodic report known by as_of, figures under doubt left out; a proxy statement or current report counts only where no periodic report states it.",
  body: () => `SELECT * FROM financial_facts
    WHERE (as_of IS NULL OR known_at <= known_by(as_of))
      AND NOT regexp_matches(coalesce(flags, ''), 'suspect_|conflicting')
    QUALIFY row_number() OVER (PARTITION BY cik, line, period
      ORDER BY regexp_matches(coalesce(flags, ''), 'proxy_form|other_form'),
        filed_date DESC, accepted_at DESC NULLS LAST, accession_number DESC) = 1`,
};
