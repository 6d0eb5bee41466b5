// The lines of cash-flow statements as filings present them, for figures whose place the files of figures do
// not show.

import { dataset } from "../platform/lake/dataset.ts";

export const presentedStatements = dataset({
  name: "presented_statements",
  description:
    "Which tags are lines of a report's cash-flow statement, from the statements that the SEC renders of each XBRL filing, one row per report and reading. Read only for reports with a figure flagged unproven_statement: the figure is a line of the statement where its tag is among the tags.",
  columns: {
    cik: { type: "VARCHAR", description: "CIK of the filer, ten digits." },
    accession_number: { type: "VARCHAR", description: "Accession number of the report, with dashes." },
    statement: { type: "VARCHAR", description: "The statement: cash_flow." },
    filed_date: { type: "DATE", description: "Filing date of the report." },
    reading: { type: "INTEGER", description: "Counts the readings of the report, from 1." },
    tags: {
      type: "VARCHAR",
      nullable: true,
      description:
        "Tags of its lines: us-gaap_ProfitLoss us-gaap_Depreciation. Of several companies' statements in a report those that all have. Null where none is rendered.",
    },
    read_at: { type: "TIMESTAMPTZ", description: "When it was read." },
    known_at: {
      type: "TIMESTAMPTZ",
      nullable: true,
      description: "When the report became public, otherwise the end of the filing date in New York.",
    },
  },
  key: ["accession_number", "statement", "filed_date", "reading"],
  partition: { by: "year", column: "filed_date" },
  sort: ["accession_number", "reading"],
  fill: "first",
  changes: {
    publicFrom: "coalesce(known_at, filed_date + 1)",
    provider: "edgar",
    reading: "reading",
    reread: "source_changed",
  },
});
