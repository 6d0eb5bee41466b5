// The readings of the exchanges' lists: one row for each file of the symbol directory and each time it was
// read.

import { dataset } from "../platform/lake/dataset.ts";

export const universeReadings = dataset({
  name: "universe_readings",
  description:
    "Readings of the exchanges' lists, one row per file and reading. An active listing of universe_registry was last seen when its file was last read.",
  columns: {
    list: { type: "VARCHAR", description: "nasdaqlisted or otherlisted: the file of the symbol directory." },
    rows: { type: "INTEGER", description: "Number of the file's listings." },
    known_at: { type: "TIMESTAMPTZ", description: "When the file was read." },
  },
  key: ["list"],
  partition: { by: "none" },
  sort: ["list", "known_at"],
  fill: "append",
});
