// FINRA's files as they were taken in: what tells one version of a day from the next.

import { dataset } from "../platform/lake/dataset.ts";

export const finraFiles = dataset({
  name: "finra_files",
  says: "FINRA's files as taken in, one row a version: a corrected file is a later row, and its rows in short_volume or short_interest bear the same known_at.",
  columns: {
    facility: {
      type: "VARCHAR",
      says: "CNMS (all of the national market system), FNSQ, FNQC, FNYX, FNRA, FORF; SHRT for short interest.",
    },
    date: { type: "DATE", says: "Trade date; of short interest the settlement date." },
    rows: { type: "BIGINT", says: "Rows stored of it." },
    test_rows: { type: "BIGINT", says: "Rows of the exchanges' test symbols, which are not stored." },
    sha256: { type: "VARCHAR", says: "SHA-256 of its text." },
    last_modified: {
      type: "TIMESTAMPTZ",
      nullable: true,
      says: "What the server said of its last change when it was fetched.",
    },
    known_at: { type: "TIMESTAMPTZ", says: "From when on its rows count as known: see short_volume." },
    fetched_at: { type: "TIMESTAMPTZ", says: "When this service fetched it." },
    source: { type: "VARCHAR", says: "Who reported it." },
  },
  key: ["facility", "date"],
  partition: { by: "none" },
  sort: ["facility", "date", "known_at"],
  fill: "append",
});
