// The company behind a ticker. This is the capability's interface: what it needs and what it provides.
import { UNKNOWN_TICKER_CACHE_S } from "../../limits.ts";
import type { ListedHolders, ResolveHolder, SymbolsOf } from "../../market/issuer.ts";
import type { Services } from "../../market/services.ts";
import { createCache } from "../../platform/cache/cache.ts";
import { NotConfigured } from "../../platform/errors.ts";
import type { Job } from "../../platform/jobs/job.ts";
import { type CompanyAnswers, companyAnswers } from "./answers.ts";
import { filers as companyFilers } from "./filers.ts";
import { listVersions } from "./list-versions.ts";
import { companyLookup, type LookupResult } from "./lookup.ts";
import { type FindPastCompany, pastRecords } from "./past-record.ts";
import { profileParts } from "./profile.ts";
import { publisher } from "./publish.ts";
import { companyRegistry } from "./registry.ts";
import { regulatorParts } from "./regulator.ts";
import { knownPredecessors, resolver } from "./resolve.ts";
import { companyRoutes } from "./routes.ts";
import { sightings as tickerSightings } from "./sightings.ts";
import type { CompanyLog, Profiles, Regulator } from "./sources.ts";
import { symbolsAt } from "./symbols.ts";
import { type TickerLists, tickerLists } from "./ticker-lists.ts";

export interface CompanyDeps extends Pick<Services, "lake" | "sqlite" | "clock" | "cacheDeps"> {
  readonly regulator: Regulator;
  readonly profiles: Profiles;
  readonly log: CompanyLog;
  /** Known former CIKs of a company, without a request. */
  predecessorsOf(cik: string): readonly string[];
}

/** Companies cached in memory; the database caches ten times as many. */
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
        // The service may run without SEC_USER_AGENT: it then serves prices only.
        log.info("list of tickers not read", { reason: error.message });
        return { rows: 0 };
      }
    },
  };
}

/** Composes the capability: its routes, its job, and ticker resolution for the other capabilities. */
export function company(deps: CompanyDeps): {
  readonly routes: ReturnType<typeof companyRoutes>;
  readonly find: CompanyAnswers["find"];
  /** The company of a filer as it was known at a moment. */
  readonly findAt: FindPastCompany;
  readonly resolve: ResolveHolder;
  readonly listedHolders: ListedHolders;
  readonly symbolsOf: SymbolsOf;
  readonly jobs: readonly Job[];
  /** Ends with the lists of tickers in the lake, which releases before this one did not store there. */
  readonly started: Promise<void>;
} {
  const { regulator, profiles, lake, sqlite, clock, log, cacheDeps } = deps;
  const registry = companyRegistry(sqlite);
  const versions = listVersions({ lake, sqlite, registry, log, predecessorsOf: deps.predecessorsOf });
  const lists = tickerLists({ regulator, registry, clock, log, versions });
  const filers = companyFilers({ regulator, registry, clock, lake, sqlite });
  const sightings = tickerSightings({ registry, lake });
  const lookup = companyLookup({
    regulator: regulatorParts({ lists, registry, filers }),
    profiles: profileParts({ profiles, registry, clock }),
    cache: createCache<LookupResult>(
      {
        name: "company",
        ttlS: ({ good_for_s }) => good_for_s,
        negativeS: UNKNOWN_TICKER_CACHE_S,
        entriesMax: CACHE_ENTRIES_MAX,
      },
      cacheDeps,
    ),
    clock,
    lake,
    publish: publisher({ lake, registry, log }),
  });
  const answers = companyAnswers({ lookup });
  const predecessorsOf = knownPredecessors({ filers, predecessorsOf: deps.predecessorsOf });
  return {
    routes: companyRoutes(answers),
    find: answers.find,
    findAt: pastRecords({ lake, registry, filers }),
    resolve: resolver({ lists, filers, sightings, versions, predecessorsOf: deps.predecessorsOf, clock }),
    listedHolders: (symbol) =>
      registry
        .listingsOf(symbol)
        .filter(({ kind }) => kind === "company")
        .map(({ cik, name, gone_at }) => ({ cik, name, gone_at, predecessor_ciks: predecessorsOf(cik) })),
    symbolsOf: symbolsAt({ registry, sightings, versions, clock }),
    jobs: [refreshJob(lists, log)],
    started: versions
      .publish()
      .catch((error) => log.warn("the lists of tickers could not be stored in the lake", { error })),
  };
}

export type Company = ReturnType<typeof company>;
