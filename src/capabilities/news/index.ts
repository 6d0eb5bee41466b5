// The news capability: headlines of three providers, each article once, in all its versions.
import type { AnyElysia } from "elysia";
import type { Services } from "../../market/services.ts";
import type { Log } from "../../platform/log.ts";
import { newsAnswers } from "./answers.ts";
import { dueFeeds, type SuggestedSymbols } from "./due-feeds.ts";
import { followedTickers } from "./followed-tickers.ts";
import { newsIngest } from "./ingest.ts";
import { newsJobs } from "./jobs.ts";
import { newsListing } from "./listing.ts";
import { providerStates } from "./provider-states.ts";
import { ingestRequests } from "./requests.ts";
import { newsRoutes } from "./routes.ts";
import type { NewsSource } from "./sources.ts";
import { newsStore } from "./store.ts";

export type { NewsSource } from "./sources.ts";

export interface NewsDeps extends Pick<Services, "lake" | "sqlite" | "clock" | "runNow"> {
  /** In the order in which the routes show them. */
  readonly sources: readonly NewsSource[];
  /** Whether an exchange lists a canonical symbol; null while that is unknown. */
  isListed(symbol: string): boolean | null;
  /** Symbols whose feeds the poll reads before a client asks for them. */
  readonly suggested: SuggestedSymbols;
  readonly log: Pick<Log, "warn" | "error">;
  /** Guards the admin routes. */
  readonly admin: AnyElysia;
}

/** Builds the capability: its routes and its jobs. */
export function news(deps: NewsDeps) {
  const { sources, isListed, clock, log, runNow } = deps;
  const store = newsStore(deps);
  const providers = providerStates(deps);
  const followed = followedTickers(deps);
  const due = dueFeeds({ ...deps, followed });
  const ingest = newsIngest({ sources, isListed, due, store, providers, followed, clock, log });
  const answers = newsAnswers({
    listing: newsListing({ store, followed, providers, sources, clock }),
    ingests: ingestRequests({ ingest, followed, clock, runNow }),
    store,
    providers,
    followed,
    sources,
    clock,
  });
  return {
    routes: newsRoutes(answers, deps.admin),
    jobs: newsJobs({ ingest, providers, sources, clock }),
  };
}
