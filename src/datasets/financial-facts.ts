// Values of financial statements in long form: one row per line, period and report.

import { dataset, type Macro, storedColumns } from "../platform/lake/dataset.ts";

export const financialFacts = dataset({
  name: "financial_facts",
  description:
    "Values as companies reported them, one row per filer, line, period and report: each later report of the same value is a new row. financials(as_of) has one row of each.",
  columns: {
    cik: { type: "VARCHAR", description: "CIK of the filer, ten digits." },
    symbol: {
      type: "VARCHAR",
      nullable: true,
      description: "The filer's main symbol when the row was written; null when the ticker list had none.",
    },
    statement: { type: "VARCHAR", description: "income_statement, balance_sheet or cash_flow." },
    line: { type: "VARCHAR", description: "Standard line item, such as revenue." },
    period: {
      type: "VARCHAR",
      description:
        "The period as one text: 2026-01-01/2026-03-31; for a balance sheet 2026-03-31; 6M/1997-06-30 where only the length is stated.",
    },
    period_start: { type: "DATE", nullable: true, description: "First day; null for balance sheets." },
    period_end: { type: "DATE", description: "Last day." },
    period_months: {
      type: "INTEGER",
      nullable: true,
      unit: "months",
      description: "3, 6, 9 or 12; null for balance sheets and other lengths.",
    },
    fiscal_year: {
      type: "INTEGER",
      nullable: true,
      description: "Calendar year in which the fiscal year ends; null where unknown.",
    },
    filing_fiscal_year: {
      type: "INTEGER",
      nullable: true,
      description:
        "Fiscal year that the report says it is about, as filed. Filers err in it, and name their years by the start or the end.",
    },
    fiscal_period: {
      type: "VARCHAR",
      nullable: true,
      description: "Q1 to Q4, 6M, 9M or FY, derived from the dates.",
    },
    value: { type: "DOUBLE", description: "The value as reported, in whole units of `unit`." },
    unit: { type: "VARCHAR", description: "Unit, such as USD, USD/shares or shares." },
    currency: {
      type: "VARCHAR",
      description: "ISO 4217 code of the report's currency; values are not converted.",
    },
    tag: { type: "VARCHAR", description: "The filer's tag the value was read from." },
    taxonomy: { type: "VARCHAR", description: "us-gaap, ifrs-full, dei or ex27." },
    accession_number: { type: "VARCHAR", description: "Accession number of the report, with dashes." },
    form: { type: "VARCHAR", description: "Form of the report, such as 10-Q." },
    filed_date: { type: "DATE", description: "Filing date of the report." },
    accepted_at: {
      type: "TIMESTAMPTZ",
      nullable: true,
      description:
        "When the report became public according to the filing index; null when the index does not state it.",
    },
    known_at: {
      type: "TIMESTAMPTZ",
      nullable: true,
      description:
        "accepted_at, otherwise the end of the filing date in New York; null for schedules of the 1990s whose time is unknown.",
    },
    vintage: {
      type: "INTEGER",
      description: "1 for the first report of this line and period, then counted up.",
    },
    revision: {
      type: "VARCHAR",
      description: "How the value relates to an earlier report: first, same, rounding, split or restated.",
    },
    flags: {
      type: "VARCHAR",
      nullable: true,
      description:
        "Comma-separated doubts, null for none. reversed_sign: filed with the other sign. unproven_statement: presented_statements says whether the tag is a line.",
    },
    split_basis: {
      type: "DATE",
      nullable: true,
      description: "For share and per-share lines: adjusted for every split before this day.",
    },
    source: { type: "VARCHAR", description: "xbrl or ex27." },
  },
  key: ["cik", "line", "period", "accession_number", "filed_date"],
  // By year of filing, so that a new report changes one partition and old partitions stay compacted.
  partition: { by: "year", column: "filed_date" },
  sort: ["cik", "line", "period_end", "accession_number"],
  fill: "first",
  // A report is read again whole: a figure that its later reading lacks is gone with the others.
  replacedBy: ["cik", "accession_number"],
  changes: { publicFrom: "coalesce(known_at, filed_date + 1)" },
});

export const financials: Macro = {
  name: "financials",
  kind: "table",
  parameters: ["as_of := NULL"],
  description:
    "The value of each (cik, line, period) in the newest periodic report known by as_of. Doubtful values are left out, and those that presented_statements does not show to be lines of their statement. A proxy statement or current report is used only where no periodic report states the value.",
  columns: storedColumns(financialFacts),
  body: () => `SELECT * FROM financial_facts
    WHERE (as_of IS NULL OR known_at <= known_by(as_of))
      AND NOT regexp_matches(coalesce(flags, ''), 'suspect_|conflicting')
      AND (NOT contains(coalesce(flags, ''), 'unproven_statement') OR concat(accession_number, ' ', taxonomy, '_', tag) IN
        (SELECT concat(accession_number, ' ', unnest(string_split(tags, ' '))) FROM presented_statements))
    QUALIFY row_number() OVER (PARTITION BY cik, line, period
      ORDER BY regexp_matches(coalesce(flags, ''), 'proxy_form|other_form'),
        filed_date DESC, accepted_at DESC NULLS LAST, accession_number DESC) = 1`,
};
