// The datasets of the lake.

import type { Dataset } from "../platform/lake/dataset.ts";
import { actionCoverage } from "./action-coverage.ts";
import { barsDaily } from "./bars-daily.ts";
import { barsDailyRevisions } from "./bars-daily-revisions.ts";
import { barsIntraday } from "./bars-intraday.ts";
import { barsProvisional } from "./bars-provisional.ts";
import { companies } from "./companies.ts";
import { companyTickers } from "./company-tickers.ts";
import { corporateActions } from "./corporate-actions.ts";
import { dividendCalendar } from "./dividend-calendar.ts";
import { dividendDayReadings } from "./dividend-day-readings.ts";
import { dividendReadings } from "./dividend-readings.ts";
import { earningsCalendar } from "./earnings-calendar.ts";
import { earningsSurprises } from "./earnings-surprises.ts";
import { econObservations } from "./econ-observations.ts";
import { encycEntities } from "./encyc-entities.ts";
import { etfHoldings } from "./etf-holdings.ts";
import { filingEvents } from "./filing-events.ts";
import { filings } from "./filings.ts";
import { financialFacts } from "./financial-facts.ts";
import { finraFiles } from "./finra-files.ts";
import { gainerSnapshots } from "./gainer-snapshots.ts";
import { indexConstituents } from "./index-constituents.ts";
import { insiderPriceChecks } from "./insider-price-checks.ts";
import { insiderTransactions } from "./insider-transactions.ts";
import { newsArchiveArticles } from "./news-archive-articles.ts";
import { newsArchiveVolume } from "./news-archive-volume.ts";
import { newsHeadlines } from "./news-headlines.ts";
import { operationalStates } from "./operational-states.ts";
import { overlayScores } from "./overlay-scores.ts";
import { ownershipEvents } from "./ownership-events.ts";
import { pageViews } from "./page-views.ts";
import { presentedStatements } from "./presented-statements.ts";
import { shortInterest } from "./short-interest.ts";
import { shortVolume } from "./short-volume.ts";
import { universeReadings } from "./universe-readings.ts";
import { universeRegistry } from "./universe-registry.ts";
import { universeSnapshots } from "./universe-snapshots.ts";

export { MACROS, macrosFor } from "./macros.ts";
export {
  actionCoverage,
  barsDaily,
  barsDailyRevisions,
  barsIntraday,
  barsProvisional,
  companies,
  companyTickers,
  corporateActions,
  dividendCalendar,
  dividendDayReadings,
  dividendReadings,
  earningsCalendar,
  earningsSurprises,
  econObservations,
  encycEntities,
  etfHoldings,
  filingEvents,
  filings,
  financialFacts,
  finraFiles,
  gainerSnapshots,
  indexConstituents,
  insiderPriceChecks,
  insiderTransactions,
  newsArchiveArticles,
  newsArchiveVolume,
  newsHeadlines,
  operationalStates,
  overlayScores,
  ownershipEvents,
  pageViews,
  presentedStatements,
  shortInterest,
  shortVolume,
  universeReadings,
  universeRegistry,
  universeSnapshots,
};

/** Every dataset, in the order of the documentation. */
export const DATASETS: readonly Dataset[] = [
  barsDaily,
  barsDailyRevisions,
  barsIntraday,
  barsProvisional,
  corporateActions,
  actionCoverage,
  companies,
  companyTickers,
  filings,
  filingEvents,
  financialFacts,
  presentedStatements,
  earningsSurprises,
  earningsCalendar,
  dividendCalendar,
  dividendReadings,
  dividendDayReadings,
  insiderTransactions,
  insiderPriceChecks,
  ownershipEvents,
  indexConstituents,
  gainerSnapshots,
  universeRegistry,
  universeReadings,
  universeSnapshots,
  econObservations,
  newsHeadlines,
  shortVolume,
  shortInterest,
  finraFiles,
  etfHoldings,
  encycEntities,
  pageViews,
  newsArchiveArticles,
  newsArchiveVolume,
  overlayScores,
  operationalStates,
];
