// The filing index: each filing with its filer and the time it became public.

import { dataset } from "../platform/lake/dataset.ts";

export const filings = dataset({
  name: "filings",
  description:
    "One row per filing and filer whose list contains it. Later information about the same filing is a new row (indexed_at); filings_as_of(as_of) has the newest.",
  columns: {
    accession_number: {
      type: "VARCHAR",
      description: "The regulator's accession number of the filing, with dashes.",
    },
    cik: { type: "VARCHAR", description: "CIK of the filer whose list contains it, ten digits." },
    company_name: { type: "VARCHAR", description: "The filer's name when it was indexed." },
    form_type: { type: "VARCHAR", description: "Form as filed, such as 10-Q or 8-K/A." },
    filing_date: {
      type: "DATE",
      description:
        "Filing date by the regulator; the next business day for most forms accepted after 17:30 in New York.",
    },
    report_date: {
      type: "DATE",
      nullable: true,
      description: "Period of report; for an 8-K the date of its earliest event.",
    },
    accepted_at: {
      type: "TIMESTAMPTZ",
      nullable: true,
      description: "When the regulator accepted it; null where the time is not known to the second.",
    },
    items: {
      type: "VARCHAR",
      nullable: true,
      description:
        "Comma-separated item numbers, such as 2.02,9.01; empty for none, null when the index does not state them.",
    },
    primary_document: { type: "VARCHAR", nullable: true, description: "File name of the first document." },
    size: { type: "BIGINT", nullable: true, unit: "bytes", description: "Size of the whole submission." },
    is_xbrl: { type: "BOOLEAN", nullable: true, description: "Whether it contains XBRL." },
    known_at: {
      type: "TIMESTAMPTZ",
      description:
        "When it became public: its acceptance, or 06:00 in New York of its filing date when accepted after hours. Without a known acceptance the end of its filing date.",
    },
    indexed_at: { type: "TIMESTAMPTZ", description: "When this service wrote the row." },
  },
  key: ["accession_number", "cik", "filing_date", "indexed_at"],
  partition: { by: "year", column: "filing_date" },
  sort: ["cik", "filing_date", "accession_number"],
  fill: "append",
  changes: { publicFrom: "known_at", provider: "edgar", reading: "indexed_at", reread: "source_changed" },
});
