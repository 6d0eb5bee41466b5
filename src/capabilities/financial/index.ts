// Financial statements: as reported, as known. Its face: what it needs, and what it gives.
import type { Clock } from "../../platform/clock.ts";
import type { Lake } from "../../platform/lake/lake.ts";
import type { Store } from "../../platform/sqlite/sqlite.ts";
import { financialAnswers } from "./answers.ts";
import { financialBackfill } from "./backfill.ts";
import { collector as factCollector } from "./collect.ts";
import { financialRoutes } from "./routes.ts";
import { financialSchedules } from "./schedules.ts";
import type { FigureSource, FindCompany, ReportIndex, ResolveListedFiler } from "./sources.ts";
import { presenter } from "./statements/present.ts";
import { storedCloses } from "./statements/stored-closes.ts";
import { financialStore } from "./store.ts";

export type {
  CompanyRecord,
  FigureSource,
  FindCompany,
  PeriodicFiling,
  PeriodicReports,
  ReportIndex,
  ResolveListedFiler,
} from "./sources.ts";
export { PERIODIC_FORMS } from "./sources.ts";

export interface FinancialDeps {
  /** The regulator. */
  readonly source: FigureSource;
  readonly company: FindCompany;
  readonly resolve: ResolveListedFiler;
  /** The index of filings. */
  readonly filings: ReportIndex;
  /** Figures, and the stored daily bars that metrics with a price are made of. */
  readonly lake: Lake;
  readonly sqlite: Store;
  readonly clock: Clock;
}

/** Composes the capability: its routes, and what the command line runs. */
export function financial(needs: FinancialDeps) {
  const { source, company, resolve, filings, lake, sqlite, clock } = needs;
  const store = financialStore({ lake, sqlite });
  const schedules = financialSchedules({ source, store, clock });
  const collector = factCollector({ source, filings, store, schedules, clock });
  const present = presenter({ closesOf: storedCloses({ lake, sqlite }) });
  const answers = financialAnswers({ company, resolve, collector, store, present, clock });
  return {
    routes: financialRoutes(answers),
    backfill: financialBackfill({ answers, collector, sqlite, clock }),
  };
}
