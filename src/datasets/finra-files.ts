// FINRA's files as they were taken in: what tells one version of a day from the next.

import { dataset } from "../platform/lake/dataset.ts";

export const finraFiles = dataset({
  name: "finra_files",
  description:
    "FINRA's files as taken in, one row a version: a corrected file is a later row, and its rows in short_volume or short_interest bear the same known_at.",
  columns: {
    facility: {
      type: "VARCHAR",
      description:
        "CNMS (all of the national market system), FNSQ, FNQC, FNYX, FNRA, FORF; SHRT for short interest.",
    },
    date: { type: "DATE", description: "Trade date; of short interest the settlement date." },
    rows: { type: "BIGINT", description: "Rows stored of it." },
    test_rows: { type: "BIGINT", description: "Rows of the exchanges' test symbols, which are not stored." },
    sha256: { type: "VARCHAR", description: "SHA-256 of its text." },
    last_modified: {
      type: "TIMESTAMPTZ",
      nullable: true,
      description: "What the server said of its last change when it was fetched.",
    },
    known_at: { type: "TIMESTAMPTZ", description: "From when on its rows count as known: see short_volume." },
    fetched_at: { type: "TIMESTAMPTZ", description: "When this service fetched it." },
    source: { type: "VARCHAR", description: "Who reported it." },
  },
  key: ["facility", "date"],
  partition: { by: "none" },
  sort: ["facility", "date", "known_at"],
  fill: "append",
});
