// Financial statements as reported, as of any moment. This is the capability's interface. A request takes
// this path:
//   answers.ts       the company behind the ticker, then its figures, then the statements made of them
//   collect.ts       brings the stored figures up to the newest report (facts-files.ts: XBRL; schedules.ts:
//                    before 2001)
//   store.ts         the figures in the lake, one row for each figure of each report
//   presentations.ts which tags cash-flow statements present, where no sum proves that a figure is one of
//                    their lines
//   statements/      selects the report of the requested vintage (select.ts, vintage.ts), derives quarters,
//                    computes metrics
// Asking for the list of reports also indexes the filer's other filings, and the filings capability then
// parses newly met 8-Ks in the background (filings/background-parsing.ts). Statements do not depend on those.
import { PRICE_PART_S } from "../../limits.ts";
import type { Services } from "../../market/services.ts";
import { isReplaying } from "../../platform/reading.ts";
import { financialAnswers } from "./answers.ts";
import { financialBackfill } from "./backfill.ts";
import { collector as factCollector } from "./collect.ts";
import { factsFiles } from "./facts-files.ts";
import { presentations as presentationReader } from "./presentations.ts";
import { financialRoutes } from "./routes.ts";
import { financialSchedules } from "./schedules.ts";
import type {
  FigureSource,
  FillCloses,
  FindCompany,
  FindPastCompany,
  ReportIndex,
  ResolveListedFiler,
} from "./sources.ts";
import { presenter } from "./statements/present.ts";
import { storedSplits } from "./statements/share-splits.ts";
import { storedCloses } from "./statements/stored-closes.ts";
import { financialStore } from "./store.ts";
import { statementVersions } from "./version-state.ts";

export type {
  CompanyRecord,
  FigureSource,
  FillCloses,
  FindCompany,
  PeriodicFiling,
  PeriodicReports,
  ReportIndex,
  ResolveListedFiler,
} from "./sources.ts";
export { PERIODIC_FORMS } from "./sources.ts";

/** `lake` holds the figures, and the daily bars that metrics with a price use. */
export interface FinancialDeps extends Pick<Services, "lake" | "sqlite" | "clock" | "log"> {
  /** The regulator. */
  readonly source: FigureSource;
  readonly company: FindCompany;
  /** The company as it was known at a moment. */
  readonly companyAt: FindPastCompany;
  readonly resolve: ResolveListedFiler;
  /** The index of filings. */
  readonly filings: ReportIndex;
  /** The price history: fills in the closes that metrics lack. */
  readonly fillCloses: FillCloses;
  /** Milliseconds that the prices of a whole request may take; default PRICE_PART_S. */
  readonly priceMsMax?: number;
}

/** Composes the capability: its routes, and the backfill that the command line runs. */
export function financial(deps: FinancialDeps) {
  const { source, company, companyAt, resolve, filings, lake, sqlite, clock, log } = deps;
  const store = financialStore({ lake, sqlite });
  const schedules = financialSchedules({ source, store, clock });
  const files = factsFiles({ source, filings, store, clock });
  const versions = statementVersions({ lake, sqlite, clock });
  const collector = factCollector({ files, filings, store, schedules, versions, clock });
  const presentations = presentationReader({ source, lake, clock, log });
  const splitsOf = storedSplits({ lake, clock, splitsKnownTo: versions.splitsKnownTo });
  const present = presenter({
    closesOf: storedCloses({ lake, splitsOf }),
    splitsOf,
    // An earlier version has the closes that were filled in then.
    fill: async (...request) => (isReplaying() ? null : deps.fillCloses(...request)),
  });
  const { priceMsMax = PRICE_PART_S * 1_000 } = deps;
  const answers = financialAnswers({
    company,
    companyAt,
    resolve,
    collector,
    store,
    versions,
    presentations,
    present,
    priceMsMax,
    clock,
  });
  return {
    routes: financialRoutes(answers),
    /** The stored splits of a symbol. */
    splitsOf,
    backfill: financialBackfill({ answers, files, sqlite, clock }),
    /** Resolves when no presented statement waits to be read. */
    idle: presentations.idle,
    /** Ends reading in the background. Call it before closing the stores. */
    stop: presentations.stop,
  };
}
