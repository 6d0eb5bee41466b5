// The index of filings: who filed what, and from when anybody could read it.

import { dataset } from "../platform/lake/dataset.ts";

export const filings = dataset({
  name: "filings",
  description:
    "One row per filing and filer in whose list it stands. What is learnt later of the same filing is a later row (indexed_at); filings_as_of(as_of) has the newest.",
  columns: {
    accession_number: { type: "VARCHAR", description: "The regulator's number of the filing, dashed." },
    cik: { type: "VARCHAR", description: "Filer in whose list it stands, ten digits." },
    company_name: { type: "VARCHAR", description: "The filer's name when it was indexed." },
    form_type: { type: "VARCHAR", description: "Form as filed, such as 10-Q or 8-K/A." },
    filing_date: {
      type: "DATE",
      description:
        "The regulator's date of filing; the next business day for most forms accepted after 17:30 in New York.",
    },
    report_date: {
      type: "DATE",
      nullable: true,
      description: "Period of report; of an 8-K its earliest event.",
    },
    accepted_at: {
      type: "TIMESTAMPTZ",
      nullable: true,
      description: "When the regulator accepted it; null when that is not known to the second.",
    },
    items: {
      type: "VARCHAR",
      nullable: true,
      description:
        "Item numbers by comma, such as 2.02,9.01; empty for none, null when the index tells none.",
    },
    primary_document: { type: "VARCHAR", nullable: true, description: "File name of its first document." },
    size: { type: "BIGINT", nullable: true, unit: "bytes", description: "Size of the whole submission." },
    is_xbrl: { type: "BOOLEAN", nullable: true, description: "Whether it carries XBRL." },
    known_at: {
      type: "TIMESTAMPTZ",
      description:
        "From when anybody could read it: its acceptance, or the opening of its filing date when accepted after hours; without a known acceptance the end of its filing date in New York.",
    },
    indexed_at: { type: "TIMESTAMPTZ", description: "When this service wrote the row." },
  },
  key: ["accession_number", "cik", "filing_date", "indexed_at"],
  partition: { by: "year", column: "filing_date" },
  sort: ["cik", "filing_date", "accession_number"],
  fill: "append",
});
