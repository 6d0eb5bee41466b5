// Ownership: the index of insiders' and large holders' filings, their reading, and who holds how much. Its face.
import type { Clock } from "../../platform/clock.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import type { Lake } from "../../platform/lake/lake.ts";
import type { Store } from "../../platform/sqlite/sqlite.ts";
import { insiderBackfill } from "./backfill.ts";
import { ownershipKnowledge } from "./coverage.ts";
import { holderEvents } from "./holder-events.ts";
import { indexDays } from "./index-days.ts";
import { ownershipIngest } from "./ingest.ts";
import { issuerLists } from "./issuer-lists.ts";
import { ownershipJobs } from "./jobs.ts";
import { ownershipReader } from "./reader.ts";
import { ownershipRoutes } from "./routes.ts";
import type { OwnershipLog, OwnershipSource, ResolveIssuer, SymbolsOf } from "./sources.ts";
import { ownershipStore } from "./store.ts";

export type { InsiderBackfill } from "./backfill.ts";
export type { Coverage, OwnershipKnowledge } from "./coverage.ts";
export type { OwnershipIngest } from "./ingest.ts";
export { ENRICHMENT_JOB, INGEST_JOB } from "./jobs.ts";
export type { OwnershipSource } from "./sources.ts";

export interface OwnershipNeeds {
  /** The regulator. */
  readonly source: OwnershipSource;
  readonly resolve: ResolveIssuer;
  readonly symbolsOf: SymbolsOf;
  readonly lake: Lake;
  readonly sqlite: Store;
  readonly clock: Clock;
  readonly log: OwnershipLog;
  /** Whether the current feed is followed. */
  readonly feed: boolean;
  readonly runNow: Jobs["runNow"];
}

/** Composes the capability: its routes and jobs, what other capabilities ask of it, and what the command line runs. */
export function ownership(needs: OwnershipNeeds) {
  const { source, resolve, symbolsOf, lake, sqlite, clock, log, feed, runNow } = needs;
  const store = ownershipStore({ sqlite, clock });
  const reader = ownershipReader({ source, store, lake, clock });
  const days = indexDays({ source, store, clock });
  const lists = issuerLists({ source, store, clock });
  const knowledge = ownershipKnowledge({ store, lists, days, reader, lake, clock });
  const ingest = ownershipIngest({ source, store, days, reader, clock });
  return {
    routes: ownershipRoutes(holderEvents({ resolve, symbolsOf, knowledge, store, lake, clock })),
    jobs: ownershipJobs({ ingest, clock, log, feed, runNow }),
    knowledge,
    ingest,
    backfill: insiderBackfill({ store, lake, sqlite, clock }),
  };
}
