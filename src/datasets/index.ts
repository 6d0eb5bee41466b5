// The catalogue of what is kept in the lake.

import type { Dataset } from "../platform/dataset.ts";
import { barsDaily } from "./bars-daily.ts";
import { barsDailyRevisions } from "./bars-daily-revisions.ts";
import { barsIntraday } from "./bars-intraday.ts";
import { companies } from "./companies.ts";
import { corporateActions } from "./corporate-actions.ts";
import { filingEvents } from "./filing-events.ts";
import { filings } from "./filings.ts";
import { financialFacts } from "./financial-facts.ts";

export { MACROS } from "./macros.ts";
export {
  barsDaily,
  barsDailyRevisions,
  barsIntraday,
  companies,
  corporateActions,
  filingEvents,
  filings,
  financialFacts,
};

/** Every dataset, in the order of the documentation. */
export const DATASETS: readonly Dataset[] = [
  barsDaily,
  barsDailyRevisions,
  barsIntraday,
  corporateActions,
  companies,
  filings,
  filingEvents,
  financialFacts,
];
