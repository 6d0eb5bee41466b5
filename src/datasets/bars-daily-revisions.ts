// Later values of stored daily bars that differ from them. They are never served as the bar.

import { dataset } from "../platform/lake/dataset.ts";
import { BAR_COLUMNS } from "./bars-daily.ts";

export const barsDailyRevisions = dataset({
  name: "bars_daily_revisions",
  description:
    "Later values of stored daily bars that differ from them, one row per difference; the stored bar does not change.",
  columns: BAR_COLUMNS,
  key: ["symbol", "date", "known_at"],
  partition: { by: "year", column: "date" },
  sort: ["symbol", "date", "known_at"],
  fill: "append",
  changes: { corrections: true },
});
