// What the source later said otherwise about a stored daily bar. Never served as the bar.

import { dataset } from "../platform/lake/dataset.ts";
import { BAR_COLUMNS } from "./bars-daily.ts";

export const barsDailyRevisions = dataset({
  name: "bars_daily_revisions",
  description:
    "Later values of stored daily bars that differ from them, one row a difference; the stored bar stays.",
  columns: BAR_COLUMNS,
  key: ["symbol", "date", "known_at"],
  partition: { by: "year", column: "date" },
  sort: ["symbol", "date", "known_at"],
  fill: "append",
});
