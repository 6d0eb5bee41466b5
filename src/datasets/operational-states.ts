// States of the operational database about a company, as far as answers depend on them: one row for each
// change.

import { dataset } from "../platform/lake/dataset.ts";

export const operationalStates = dataset({
  name: "operational_states",
  description:
    "What the operational database said about a company, a fund, a filing or a day when an answer used it, one row per change. Examples: which of its filings are not read, how far back its lists reach, when its figures were read. An answer from an earlier data version reads it here.",
  columns: {
    subject: {
      type: "VARCHAR",
      description:
        "What it is about: a CIK, a symbol, the series of a fund, an accession number, a day, or all for the whole market.",
    },
    kind: { type: "VARCHAR", description: "Which answers depend on it, such as filings or statements." },
    revision: { type: "INTEGER", description: "Counts the changes of one subject and kind, from 1." },
    state: { type: "VARCHAR", description: "The rows, by table: a JSON object of lists." },
    known_at: { type: "TIMESTAMPTZ", description: "When an answer used it first." },
  },
  key: ["subject", "kind", "revision"],
  partition: { by: "none" },
  sort: ["kind", "subject", "revision"],
  fill: "append",
  // Read without a moment.
  changes: { countsBefore: true },
});
