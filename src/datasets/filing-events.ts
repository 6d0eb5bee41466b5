// Events of current reports (8-K), one row per item.

import { dataset } from "../platform/lake/dataset.ts";

export const filingEvents = dataset({
  name: "filing_events",
  description:
    "One row per current report and item, except exhibits (9.01). A later reading that differs is a new row (parsed_at); filing_events_as_of(as_of) has the newest of each.",
  columns: {
    accession_number: {
      type: "VARCHAR",
      description: "The regulator's accession number of the filing, with dashes.",
    },
    item_number: {
      type: "VARCHAR",
      description: "Item number as filed, such as 2.02, or 12 before 2004-08-23.",
    },
    modern_item: { type: "VARCHAR", nullable: true, description: "The item's number today." },
    cik: { type: "VARCHAR", description: "CIK of the filer, ten digits." },
    filing_date: { type: "DATE", description: "Filing date by the regulator." },
    event_type: { type: "VARCHAR", description: "Type of event by item, such as earnings_results." },
    event_title: { type: "VARCHAR", description: "The item's official title." },
    content: {
      type: "VARCHAR",
      nullable: true,
      description: "Plain text; null when there is nothing under the item.",
    },
    content_source: { type: "VARCHAR", nullable: true, description: "body or EX-99.1." },
    content_length: { type: "BIGINT", unit: "characters", description: "Length of the whole content." },
    truncated: { type: "BOOLEAN", description: "Whether content is cut." },
    source_sha256: {
      type: "VARCHAR",
      nullable: true,
      description: "SHA-256 of the document the content was read from.",
    },
    withdrawn: { type: "BOOLEAN", description: "True when a later reading no longer finds the item." },
    known_at: { type: "TIMESTAMPTZ", description: "When the filing became public, as in filings." },
    parsed_at: { type: "TIMESTAMPTZ", description: "When this service fetched it." },
  },
  key: ["accession_number", "item_number", "filing_date", "parsed_at"],
  partition: { by: "year", column: "filing_date" },
  sort: ["cik", "filing_date", "accession_number", "item_number"],
  fill: "append",
  changes: { publicFrom: "known_at", provider: "edgar", reading: "parsed_at", reread: "our_reading" },
});
