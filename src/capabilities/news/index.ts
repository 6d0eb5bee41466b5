// News: headlines of three providers, each article once, every version of it. Its face: what it needs, and what it gives.
import type { AnyElysia } from "elysia";
import type { Clock } from "../../platform/clock.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import type { Lake } from "../../platform/lake/lake.ts";
import type { Log } from "../../platform/log.ts";
import type { Store } from "../../platform/sqlite/sqlite.ts";
import { newsAnswers } from "./answers.ts";
import { newsIngest } from "./ingest.ts";
import { newsJobs } from "./jobs.ts";
import { newsLedger } from "./ledger.ts";
import { newsListing } from "./listing.ts";
import { ingestRequests } from "./requests.ts";
import { newsRoutes } from "./routes.ts";
import type { NewsSource } from "./sources.ts";
import { newsStore } from "./store.ts";

export type { NewsSource } from "./sources.ts";

export interface NewsNeeds {
  /** In the order in which they are shown. */
  readonly sources: readonly NewsSource[];
  /** Whether an exchange lists a canonical symbol; null while nobody knows. */
  isListed(symbol: string): boolean | null;
  readonly lake: Lake;
  readonly sqlite: Store;
  readonly clock: Clock;
  readonly log: Pick<Log, "warn" | "error">;
  /** Admin routes are mounted below it. */
  readonly admin: AnyElysia;
  runNow: Jobs["runNow"];
}

/** Composes the capability: its routes and its jobs. */
export function news(needs: NewsNeeds) {
  const { sources, isListed, clock, log, runNow } = needs;
  const store = newsStore(needs);
  const ledger = newsLedger(needs);
  const ingest = newsIngest({ sources, isListed, store, ledger, clock, log });
  const answers = newsAnswers({
    listing: newsListing({ store, ledger, sources, clock }),
    ingests: ingestRequests({ ingest, ledger, clock, runNow }),
    ...{ store, ledger, sources, clock },
  });
  return {
    routes: newsRoutes(answers, needs.admin),
    jobs: newsJobs({ ingest, ledger, sources, clock }),
  };
}
