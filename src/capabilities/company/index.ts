// Companies: who is behind a ticker. Its face: what it needs, and what it gives.
import { UNKNOWN_TICKER_CACHE_S } from "../../limits.ts";
import { type CacheDeps, createCache } from "../../platform/cache/cache.ts";
import type { Clock } from "../../platform/clock.ts";
import { NotConfigured } from "../../platform/errors.ts";
import type { Job } from "../../platform/jobs/jobs.ts";
import type { Lake } from "../../platform/lake/lake.ts";
import type { Store } from "../../platform/sqlite/sqlite.ts";
import { type CompanyAnswers, companyAnswers } from "./answers.ts";
import { companyLookup, type Found } from "./lookup.ts";
import { profileParts } from "./profile.ts";
import { publisher } from "./publish.ts";
import { companyRegistry } from "./registry.ts";
import { regulatorParts } from "./regulator.ts";
import { mainSymbols, type Resolve, resolver } from "./resolve.ts";
import { companyRoutes } from "./routes.ts";
import type { CompanyLog, Profiles, Regulator } from "./sources.ts";
import { type TickerLists, tickerLists } from "./ticker-lists.ts";

export type { Resolve, Resolved } from "./resolve.ts";

export interface CompanyNeeds {
  readonly regulator: Regulator;
  readonly profiles: Profiles;
  readonly lake: Lake;
  readonly sqlite: Store;
  readonly clock: Clock;
  readonly log: CompanyLog;
  readonly cacheDeps: CacheDeps;
  /** CIKs a company carries on, without asking. */
  predecessorsOf(cik: string): readonly string[];
}

/** Companies kept in memory; ten times as many stay in the database. */
const CACHE_ENTRIES_MAX = 2_000;

function refreshJob(lists: TickerLists, log: CompanyLog): Job {
  return {
    name: "company-tickers",
    description: "Reads the SEC's lists of tickers into the registry.",
    schedule: "0 6 * * *",
    zone: "America/New_York",
    deadlineMs: 10 * 60_000,
    catchUp: "once",
    async run({ signal }) {
      try {
        return { rows: await lists.refresh(signal) };
      } catch (error) {
        if (!(error instanceof NotConfigured)) throw error;
        // A service without a name for the SEC is in order: it serves prices.
        log.info("the list of tickers is not read", { reason: error.message });
        return { rows: 0 };
      }
    },
  };
}

/** Composes the capability: its routes, its job, and the resolution of tickers for the other capabilities. */
export function company(needs: CompanyNeeds): {
  readonly routes: ReturnType<typeof companyRoutes>;
  readonly find: CompanyAnswers["find"];
  readonly resolve: Resolve;
  /** The main symbol of each company that is listed today, by CIK. */
  readonly symbolsOf: ReturnType<typeof mainSymbols>;
  readonly jobs: readonly Job[];
} {
  const { regulator, profiles, lake, sqlite, clock, log, cacheDeps } = needs;
  const registry = companyRegistry(sqlite);
  const lists = tickerLists({ regulator, registry, clock, log });
  const lookup = companyLookup({
    regulator: regulatorParts({ regulator, lists, registry, clock }),
    profiles: profileParts({ profiles, registry, clock }),
    remembered: createCache<Found>(
      {
        name: "company",
        ttlS: ({ good_for_s }) => good_for_s,
        negativeS: UNKNOWN_TICKER_CACHE_S,
        entriesMax: CACHE_ENTRIES_MAX,
      },
      cacheDeps,
    ),
    clock,
    publish: publisher({ lake, registry, log }),
  });
  const answers = companyAnswers(lookup);
  return {
    routes: companyRoutes(answers),
    find: answers.find,
    resolve: resolver({ lists, registry, predecessorsOf: needs.predecessorsOf }),
    symbolsOf: mainSymbols(registry),
    jobs: [refreshJob(lists, log)],
  };
}

export type Company = ReturnType<typeof company>;
