// The earnings capability: surprises, and when companies report.
import type { Services } from "../../market/services.ts";
import type { SplitsOf } from "../../market/share-split.ts";
import type { Job } from "../../platform/jobs/job.ts";
import type { Log } from "../../platform/log.ts";
import { earningsAnswers } from "./answers.ts";
import { readingCaches } from "./caches.ts";
import { earningsCollector } from "./collect.ts";
import { earningsRoutes } from "./routes.ts";
import type { CompanyBehind, EarningsSource, NextReportSource } from "./sources.ts";
import { earningsStore } from "./store.ts";
import { earningsWatch } from "./watch.ts";

export interface EarningsDeps extends Pick<Services, "lake" | "sqlite" | "clock" | "cacheDeps"> {
  readonly source: EarningsSource;
  readonly next: NextReportSource;
  readonly companyBehind: CompanyBehind;
  readonly splitsOf: SplitsOf;
  readonly log: Pick<Log, "warn">;
}

/** Builds the capability: its routes and its job. */
export function earnings(deps: EarningsDeps) {
  const { source, companyBehind, splitsOf, clock, log } = deps;
  const store = earningsStore(deps);
  const collector = earningsCollector({ ...deps, store });
  const caches = readingCaches(deps);
  const answers = earningsAnswers({
    ...caches,
    collector,
    store,
    clock,
    companyBehind,
    splitsOf,
    mainSource: source.name,
  });
  const jobs: readonly Job[] = [earningsWatch({ store, collector, caches, clock, log })];
  return { routes: earningsRoutes(answers), jobs };
}
