// FINRA's ingested files: one row for each version of a day's file.

import { dataset } from "../platform/lake/dataset.ts";

export const finraFiles = dataset({
  name: "finra_files",
  description:
    "FINRA's ingested files, one row per version. A corrected file is a new row; its rows in short_volume or short_interest have the same known_at.",
  columns: {
    facility: {
      type: "VARCHAR",
      description:
        "CNMS (the whole national market system), FNSQ, FNQC, FNYX, FNRA or FORF; SHRT for short interest.",
    },
    date: { type: "DATE", description: "Trade date; for short interest the settlement date." },
    rows: { type: "BIGINT", description: "Number of stored rows." },
    test_rows: {
      type: "BIGINT",
      description: "Number of rows of the exchanges' test symbols, which are not stored.",
    },
    sha256: { type: "VARCHAR", description: "SHA-256 of the file's text." },
    last_modified: {
      type: "TIMESTAMPTZ",
      nullable: true,
      description: "The Last-Modified header when it was fetched.",
    },
    known_at: { type: "TIMESTAMPTZ", description: "When its rows became known; see short_volume." },
    fetched_at: { type: "TIMESTAMPTZ", description: "When this service fetched it." },
    source: { type: "VARCHAR", description: "The provider that reported it." },
  },
  key: ["facility", "date"],
  partition: { by: "none" },
  sort: ["facility", "date", "known_at"],
  fill: "append",
  changes: { publicFrom: "known_at" },
});
