// What current reports (8-K) tell, item by item.

import { dataset } from "../platform/lake/dataset.ts";

export const filingEvents = dataset({
  name: "filing_events",
  description:
    "One row per current report and item, exhibits (9.01) excepted. A later reading that differs is a later row (parsed_at); filing_events_as_of(as_of) has the newest of each.",
  columns: {
    accession_number: { type: "VARCHAR", description: "The regulator's number of the filing, dashed." },
    item_number: { type: "VARCHAR", description: "Item as filed: 2.02; 12 before 2004-08-23." },
    modern_item: { type: "VARCHAR", nullable: true, description: "The number the item has today." },
    cik: { type: "VARCHAR", description: "Filer, ten digits." },
    filing_date: { type: "DATE", description: "The regulator's date of filing." },
    event_type: { type: "VARCHAR", description: "Kind of event by item, such as earnings_results." },
    event_title: { type: "VARCHAR", description: "The item's official title." },
    content: {
      type: "VARCHAR",
      nullable: true,
      description: "Plain text; null when nothing stands under the item.",
    },
    content_source: { type: "VARCHAR", nullable: true, description: "body or EX-99.1." },
    content_length: { type: "BIGINT", unit: "characters", description: "Length of the whole content." },
    truncated: { type: "BOOLEAN", description: "Whether content is cut." },
    source_sha256: {
      type: "VARCHAR",
      nullable: true,
      description: "Hash of the document the content was read from.",
    },
    withdrawn: { type: "BOOLEAN", description: "A later reading no longer finds the item." },
    known_at: { type: "TIMESTAMPTZ", description: "From when anybody could read the filing, as in filings." },
    parsed_at: { type: "TIMESTAMPTZ", description: "When this service read it." },
  },
  key: ["accession_number", "item_number", "filing_date", "parsed_at"],
  partition: { by: "year", column: "filing_date" },
  sort: ["cik", "filing_date", "accession_number", "item_number"],
  fill: "append",
});
