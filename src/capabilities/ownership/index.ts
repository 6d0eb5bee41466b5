// Ownership: the index of insiders' and large holders' filings, their contents, and who holds how much.
import type { ResolveHolder, SymbolsOf } from "../../market/issuer.ts";
import type { Services } from "../../market/services.ts";
import { insiderBackfill } from "./backfill.ts";
import { ownershipCoverage } from "./coverage.ts";
import { CoverageStore } from "./coverage-store.ts";
import { dayReading } from "./day-reading.ts";
import { closesArrived } from "./derived-rows.ts";
import { FilingStore } from "./filing-store.ts";
import { holderEvents } from "./holder-events.ts";
import { indexDays } from "./index-days.ts";
import { ownershipIngest } from "./ingest.ts";
import { issuerLists } from "./issuer-lists.ts";
import { ownershipJobs } from "./jobs.ts";
import { ownershipReader } from "./reader.ts";
import { ownershipRoutes } from "./routes.ts";
import type { OwnershipSource } from "./sources.ts";
import { ownershipVersions } from "./version-state.ts";

export type { InsiderBackfill } from "./backfill.ts";
export type { OwnershipIngest } from "./ingest.ts";
export { ENRICHMENT_JOB, INGEST_JOB } from "./jobs.ts";
export type { OwnershipSource } from "./sources.ts";

export interface OwnershipDeps extends Pick<Services, "lake" | "sqlite" | "clock" | "log" | "runNow"> {
  /** The regulator. */
  readonly source: OwnershipSource;
  readonly resolve: ResolveHolder;
  readonly symbolsOf: SymbolsOf;
  /** Whether to follow the current feed. */
  readonly feed: boolean;
}

/**
 * Composes the capability: its routes and jobs, what other capabilities use, and what the command line runs.
 */
export function ownership(deps: OwnershipDeps) {
  const { source, resolve, symbolsOf, lake, sqlite, clock, log, feed, runNow } = deps;
  const filings = new FilingStore({ sqlite, clock });
  const covered = new CoverageStore({ sqlite, clock });
  const reader = ownershipReader({ source, filings, lake, clock });
  const days = indexDays({ source, filings, covered, clock });
  const lists = issuerLists({ source, filings, covered, clock });
  const versions = ownershipVersions({ lake, sqlite, clock });
  const daily = dayReading({ filings, reader, versions, clock, log });
  const coverage = ownershipCoverage({
    filings,
    versions,
    covered,
    lists,
    days,
    reader,
    lake,
    clock,
    dayReading: daily,
  });
  const closes = closesArrived({ lake, log });
  const ingest = ownershipIngest({ source, filings, days, reader, versions, clock });
  return {
    routes: ownershipRoutes(holderEvents({ resolve, symbolsOf, coverage, filings, versions, lake, clock })),
    jobs: ownershipJobs({ ingest, lake, clock, log, feed, runNow }),
    coverage,
    /** Takes note of symbols whose closes were stored. */
    closesArrived: closes.arrive,
    /** Waits for the readings and checks in the background. */
    async stop() {
      await daily.stop();
      await closes.stop();
    },
    ingest,
    backfill: insiderBackfill({ filings, covered, lake, sqlite, clock }),
  };
}
