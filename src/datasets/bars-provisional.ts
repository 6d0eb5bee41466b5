// Daily bars of sessions that are over and not settled: apart from the settled bars, and never in their
// place.

import { dataset } from "../platform/lake/dataset.ts";
import { BAR_COLUMNS } from "./bars-daily.ts";

/**
 * Only bars of so many days up to the newest one are served: one that has not settled by then is doubtful.
 */
// Made up: the newest provisional bar is of 14 August: bars from 7 August on are served, one of 6 August is
// not.
export const PROVISIONAL_DAYS = 7;

export const barsProvisional = dataset({
  name: "bars_provisional",
  description: `Daily bars of a session as the brokerage feed had them in its evening, before they were settled. No macro but pit_panel reads them: there the newest fetch of the newest ${PROVISIONAL_DAYS} days counts until bars_daily has the session's bar, and never under an as_of.`,
  columns: BAR_COLUMNS,
  key: ["symbol", "date"],
  partition: { by: "month", column: "date" },
  sort: ["symbol", "date"],
  fill: "append",
  changes: { publicFrom: "date + 1" },
});
